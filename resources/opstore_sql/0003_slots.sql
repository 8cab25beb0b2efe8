-- The slot of a schedule that a cycle was begun for: one cycle at most for each.

ALTER TABLE cycles ADD COLUMN slot TEXT NOT NULL DEFAULT '';

CREATE UNIQUE INDEX cycles_of_slot ON cycles (study, slot) WHERE slot <> '';
