-- Run once, when the volume is new: Dagster has the database that the image makes, the ledger one of its own.
CREATE DATABASE research OWNER research;
