-- How many calls are under way to a host at once, whichever process makes them.

ALTER TABLE throttle ADD COLUMN width DOUBLE PRECISION NOT NULL DEFAULT 0; -- calls at once that the host was seen to take; 0: no bound seen

CREATE TABLE places (
    place TEXT NOT NULL PRIMARY KEY,
    host TEXT NOT NULL,
    account TEXT NOT NULL,
    machine TEXT NOT NULL,
    pid BIGINT NOT NULL,
    started TEXT NOT NULL, -- when the process began, as in `owners`
    lease_until DOUBLE PRECISION NOT NULL
);

CREATE INDEX places_of_host ON places (host, account);
