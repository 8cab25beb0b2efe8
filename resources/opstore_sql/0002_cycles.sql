-- Cycles, what they follow, who approved it, and how far they are. Same conventions as in the file before.

CREATE TABLE plans (
    study TEXT NOT NULL,
    plan_id TEXT NOT NULL, -- hash of the plan
    plan TEXT NOT NULL, -- JSON
    planned_at TEXT NOT NULL,
    PRIMARY KEY (study, plan_id)
);

CREATE TABLE cycles (
    cycle TEXT PRIMARY KEY, -- UTC time and a suffix: sorts by time
    study TEXT NOT NULL,
    plan_id TEXT NOT NULL,
    dagster_run_id TEXT NOT NULL, -- of the run that began it; empty outside Dagster
    cause TEXT NOT NULL, -- what began it: a person, a schedule and its slot
    state TEXT NOT NULL,
    stop_reason TEXT NOT NULL, -- the rule that stopped it; empty where none did
    stop_requested_by TEXT NOT NULL, -- the person who asked for its end; empty where nobody did
    steps BIGINT NOT NULL, -- how many loop steps it has
    started_at TEXT NOT NULL,
    finished_at TEXT -- NULL: it goes on
);

CREATE INDEX cycles_of_study ON cycles (study, cycle);

CREATE TABLE approvals (
    approval_id TEXT PRIMARY KEY,
    study TEXT NOT NULL,
    plan_id TEXT NOT NULL,
    approved BOOLEAN NOT NULL, -- false: refused
    approved_by TEXT NOT NULL,
    note TEXT NOT NULL,
    automatic BOOLEAN NOT NULL, -- the study file says that no person is needed
    rounds_granted BIGINT NOT NULL,
    budget TEXT NOT NULL, -- JSON
    run_id TEXT NOT NULL,
    approved_at TEXT NOT NULL
);

CREATE INDEX approvals_of_plan ON approvals (study, plan_id, approved_at);

CREATE TABLE loop_steps (
    cycle TEXT NOT NULL REFERENCES cycles (cycle),
    step BIGINT NOT NULL, -- from 1 within the cycle
    study TEXT NOT NULL,
    sub_question_id TEXT NOT NULL, -- empty: a step of the cycle as a whole
    round BIGINT NOT NULL,
    state TEXT NOT NULL,
    next_state TEXT NOT NULL,
    rule TEXT NOT NULL,
    spent TEXT NOT NULL, -- JSON: what the cycle had spent by then
    run_id TEXT NOT NULL,
    happened_at TEXT NOT NULL,
    PRIMARY KEY (cycle, step)
);

CREATE TABLE loop_state (
    cycle TEXT NOT NULL REFERENCES cycles (cycle),
    sub_question_id TEXT NOT NULL,
    study TEXT NOT NULL,
    round BIGINT NOT NULL,
    closed BOOLEAN NOT NULL,
    rule TEXT NOT NULL, -- why it goes on or ended
    progress TEXT NOT NULL, -- JSON: all that is remembered from round to round
    run_id TEXT NOT NULL,
    changed_at TEXT NOT NULL,
    PRIMARY KEY (cycle, sub_question_id)
);

CREATE TABLE leases (
    name TEXT PRIMARY KEY,
    token TEXT NOT NULL, -- of one taking: its holder renews and releases by it
    holder TEXT NOT NULL, -- as a person is told
    machine TEXT NOT NULL,
    pid BIGINT NOT NULL,
    started TEXT NOT NULL,
    lease_until DOUBLE PRECISION NOT NULL
);
