-- The reflective loop: everything that happened in a cycle, and the state that is the fold over it.

CREATE TABLE loop_events (
    cycle TEXT NOT NULL REFERENCES cycles (cycle),
    number BIGINT NOT NULL, -- from 1 within the cycle
    kind TEXT NOT NULL,
    data TEXT NOT NULL, -- JSON
    actor TEXT NOT NULL, -- who did it: a run of the orchestrator, an agent, the command line
    happened_at TEXT NOT NULL,
    PRIMARY KEY (cycle, number)
);

CREATE TABLE loop_memories (
    cycle TEXT PRIMARY KEY REFERENCES cycles (cycle),
    events BIGINT NOT NULL, -- how many there are
    state TEXT NOT NULL -- JSON; whoever folds the events gets the same
);
