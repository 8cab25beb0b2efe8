-- Paid calls and what they may cost. Written in the SQL that SQLite and PostgreSQL share; money is in millionths of a USD,
-- moments are ISO 8601 in UTC with microseconds (they sort as text), leases are seconds since 1970.

CREATE TABLE budgets (
    cycle TEXT NOT NULL PRIMARY KEY,
    study TEXT NOT NULL,
    limits TEXT NOT NULL, -- JSON
    account_tokens BIGINT, -- what the account grants this cycle in all; NULL: no limit known
    report_reserve BIGINT NOT NULL,
    steps BIGINT NOT NULL,
    discover_calls BIGINT NOT NULL,
    pages BIGINT NOT NULL,
    tokens_spent BIGINT NOT NULL,
    tokens_reserved BIGINT NOT NULL,
    cost_spent BIGINT NOT NULL,
    cost_reserved BIGINT NOT NULL,
    seconds DOUBLE PRECISION NOT NULL,
    worked_until DOUBLE PRECISION NOT NULL,
    failures_in_a_row BIGINT NOT NULL,
    settled BIGINT NOT NULL, -- how many calls have come to an end: the newest sequence number
    stop_rule TEXT NOT NULL, -- empty while calls may be made
    stop_note TEXT NOT NULL,
    opened_at TEXT NOT NULL
);

CREATE TABLE owners (
    owner TEXT NOT NULL PRIMARY KEY,
    machine TEXT NOT NULL,
    pid BIGINT NOT NULL,
    started TEXT NOT NULL, -- when the process began, as the kernel counts; empty where it does not tell
    lease_until DOUBLE PRECISION NOT NULL
);

CREATE TABLE calls (
    call_key TEXT NOT NULL,
    attempt BIGINT NOT NULL, -- from 1, every sending counted
    try_number BIGINT NOT NULL, -- 1, and one more for each deliberate repeat
    study TEXT NOT NULL,
    cycle TEXT NOT NULL REFERENCES budgets (cycle),
    sub_question_id TEXT NOT NULL, -- who asked first
    round BIGINT NOT NULL,
    run_id TEXT NOT NULL,
    tool TEXT NOT NULL,
    url TEXT NOT NULL,
    arguments TEXT NOT NULL, -- JSON
    state TEXT NOT NULL, -- reserved, pending, settled, failed, unknown
    final BOOLEAN NOT NULL, -- of a failed attempt: no further one follows by itself
    owner TEXT NOT NULL,
    tokens_reserved BIGINT NOT NULL,
    tokens_spent BIGINT NOT NULL,
    cost_reserved BIGINT NOT NULL,
    cost_spent BIGINT NOT NULL,
    cost_known BOOLEAN NOT NULL, -- false: charged in full because nobody said what it cost
    http_status BIGINT,
    error_class TEXT NOT NULL,
    error TEXT NOT NULL,
    reserved_at TEXT NOT NULL,
    sent_at TEXT,
    settled_at TEXT,
    sequence BIGINT, -- order of settling within the cycle
    response TEXT, -- JSON, without the body
    body_hash TEXT NOT NULL, -- the body in the archive; empty where there is none
    PRIMARY KEY (call_key, attempt)
);

CREATE INDEX calls_of_cycle ON calls (cycle, sub_question_id);

CREATE TABLE call_warnings (
    cycle TEXT NOT NULL REFERENCES budgets (cycle),
    rule TEXT NOT NULL,
    message TEXT NOT NULL,
    warned_at TEXT NOT NULL,
    PRIMARY KEY (cycle, rule)
);

CREATE TABLE throttle (
    host TEXT NOT NULL,
    account TEXT NOT NULL, -- a fingerprint, never the token
    closed_until DOUBLE PRECISION NOT NULL, -- no call before
    next_slot DOUBLE PRECISION NOT NULL, -- when the next call may go out
    spacing DOUBLE PRECISION NOT NULL, -- seconds between calls; 0 while the host takes them all
    PRIMARY KEY (host, account)
);
