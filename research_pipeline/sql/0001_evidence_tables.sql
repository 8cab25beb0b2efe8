-- Evidence tables. Every row says what it is about (study, cycle, sub_question_id), which writing of that it belongs to (revision),
-- and who wrote it when (run_id, recorded_at). Nothing is ever updated or deleted: a stage that runs again writes a whole new revision.
--
-- No primary keys and no foreign keys: every write is one transaction under one lock, and the same tables must exist where DuckDB merely
-- attaches them (DuckLake has no keys). Nested values are lists of strings, or JSON, for the same reason.

CREATE TABLE revisions (
    table_name VARCHAR NOT NULL,
    study VARCHAR NOT NULL,
    cycle VARCHAR NOT NULL,
    sub_question_id VARCHAR NOT NULL,
    revision INTEGER NOT NULL,
    round INTEGER NOT NULL,
    row_count INTEGER NOT NULL,
    run_id VARCHAR NOT NULL,
    recorded_at TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE revisions IS 'One row per writing of a stage: what was written when, also where it came to no rows at all';
COMMENT ON COLUMN revisions.table_name IS 'The table that the rows are in';
COMMENT ON COLUMN revisions.study IS 'Name of the study: the stem of its file';
COMMENT ON COLUMN revisions.cycle IS 'Id of the cycle: UTC time it began at, and a suffix; ids sort by time';
COMMENT ON COLUMN revisions.sub_question_id IS 'What the rows are about; empty for what concerns the study as a whole';
COMMENT ON COLUMN revisions.revision IS 'Counts the writings of one table for one study, cycle and sub-question, from 1';
COMMENT ON COLUMN revisions.round IS 'Round of the loop that wrote it; 0 outside rounds';
COMMENT ON COLUMN revisions.row_count IS 'Rows of this revision; 0 says that the stage ran and found nothing';
COMMENT ON COLUMN revisions.run_id IS 'Dagster run that wrote it';
COMMENT ON COLUMN revisions.recorded_at IS 'When it was written; never earlier than any writing before it';

CREATE TABLE plans (
    study VARCHAR NOT NULL,
    cycle VARCHAR NOT NULL,
    sub_question_id VARCHAR NOT NULL,
    revision INTEGER NOT NULL,
    position INTEGER NOT NULL,
    round INTEGER NOT NULL,
    run_id VARCHAR NOT NULL,
    recorded_at TIMESTAMPTZ NOT NULL,
    plan_id VARCHAR NOT NULL,
    plan JSON NOT NULL
);
COMMENT ON TABLE plans IS 'The plan that a cycle follows: sub-questions, sources, limits';
COMMENT ON COLUMN plans.plan_id IS 'Hash of the plan: what an approval is given to';
COMMENT ON COLUMN plans.plan IS 'The whole plan';

CREATE TABLE discovered_urls (
    study VARCHAR NOT NULL,
    cycle VARCHAR NOT NULL,
    sub_question_id VARCHAR NOT NULL,
    revision INTEGER NOT NULL,
    position INTEGER NOT NULL,
    round INTEGER NOT NULL,
    run_id VARCHAR NOT NULL,
    recorded_at TIMESTAMPTZ NOT NULL,
    source_id VARCHAR NOT NULL,
    url VARCHAR NOT NULL,
    canonical_url VARCHAR NOT NULL,
    rank INTEGER NOT NULL,
    score DOUBLE NOT NULL,
    why VARCHAR NOT NULL
);
COMMENT ON TABLE discovered_urls IS 'Pages that may answer a sub-question, ranked';
COMMENT ON COLUMN discovered_urls.source_id IS 'Source of the plan on which it was found';
COMMENT ON COLUMN discovered_urls.canonical_url IS 'One spelling per page, for telling pages apart';
COMMENT ON COLUMN discovered_urls.rank IS 'Order in which candidates are read, from 1';
COMMENT ON COLUMN discovered_urls.why IS 'The words it was found by';

CREATE TABLE pages (
    study VARCHAR NOT NULL,
    cycle VARCHAR NOT NULL,
    sub_question_id VARCHAR NOT NULL,
    revision INTEGER NOT NULL,
    position INTEGER NOT NULL,
    round INTEGER NOT NULL,
    run_id VARCHAR NOT NULL,
    recorded_at TIMESTAMPTZ NOT NULL,
    page_id VARCHAR NOT NULL,
    source_id VARCHAR NOT NULL,
    url VARCHAR NOT NULL,
    final_url VARCHAR NOT NULL,
    canonical_url VARCHAR NOT NULL,
    status VARCHAR NOT NULL,
    reason VARCHAR NOT NULL,
    body_hash VARCHAR NOT NULL,
    content_type VARCHAR NOT NULL,
    target_status INTEGER,
    headers JSON NOT NULL,
    retrieved_at TIMESTAMPTZ,
    title VARCHAR NOT NULL,
    updated JSON,
    language VARCHAR NOT NULL,
    truncated BOOLEAN NOT NULL,
    hop_unproven BOOLEAN NOT NULL,
    call_key VARCHAR NOT NULL,
    tokens INTEGER NOT NULL
);
COMMENT ON TABLE pages IS 'Pages asked for on behalf of a sub-question, with why each is or is not usable';
COMMENT ON COLUMN pages.url IS 'Address that was asked for';
COMMENT ON COLUMN pages.final_url IS 'Address at which the redirects ended';
COMMENT ON COLUMN pages.status IS 'usable, or what is wrong with it';
COMMENT ON COLUMN pages.body_hash IS 'SHA-256 of the body: its name in the folder pages/; empty where there is none';
COMMENT ON COLUMN pages.target_status IS 'HTTP status with which the site itself answered';
COMMENT ON COLUMN pages.headers IS 'Response headers that matter, by name';
COMMENT ON COLUMN pages.updated IS 'Date that the page gives itself: iso, source, verbatim';
COMMENT ON COLUMN pages.hop_unproven IS 'The service did not say where the redirects ended; the address that the page claims was checked instead';
COMMENT ON COLUMN pages.call_key IS 'The call that brought it: calls.call_key';
COMMENT ON COLUMN pages.tokens IS 'What that call cost';

CREATE TABLE evidence (
    study VARCHAR NOT NULL,
    cycle VARCHAR NOT NULL,
    sub_question_id VARCHAR NOT NULL,
    revision INTEGER NOT NULL,
    position INTEGER NOT NULL,
    round INTEGER NOT NULL,
    run_id VARCHAR NOT NULL,
    recorded_at TIMESTAMPTZ NOT NULL,
    evidence_id VARCHAR NOT NULL,
    page_id VARCHAR NOT NULL,
    source_id VARCHAR NOT NULL,
    authority VARCHAR NOT NULL,
    url VARCHAR NOT NULL,
    canonical_url VARCHAR NOT NULL,
    body_hash VARCHAR NOT NULL,
    value VARCHAR NOT NULL,
    typed JSON,
    quote VARCHAR NOT NULL,
    start_offset INTEGER NOT NULL,
    end_offset INTEGER NOT NULL,
    verdict VARCHAR NOT NULL,
    diagnosis VARCHAR NOT NULL,
    headers VARCHAR[] NOT NULL,
    cue VARCHAR NOT NULL,
    claim VARCHAR NOT NULL,
    title VARCHAR NOT NULL,
    anchor VARCHAR NOT NULL,
    page_number INTEGER,
    region VARCHAR NOT NULL,
    page_updated VARCHAR,
    retrieved_at TIMESTAMPTZ,
    extractor VARCHAR NOT NULL,
    score DOUBLE NOT NULL,
    scope VARCHAR[] NOT NULL
);
COMMENT ON TABLE evidence IS 'Values with the quotes they stand in; only those whose verdict is verified may answer';
COMMENT ON COLUMN evidence.evidence_id IS 'Hash of sub-question, address, quote and value: the same evidence has the same id in every run';
COMMENT ON COLUMN evidence.page_id IS 'Page that the quote stands on: pages.page_id of the same study, cycle and sub-question';
COMMENT ON COLUMN evidence.authority IS 'official, or secondary';
COMMENT ON COLUMN evidence.body_hash IS 'SHA-256 of the archived body that the quote was verified against';
COMMENT ON COLUMN evidence.value IS 'The value as the quote writes it';
COMMENT ON COLUMN evidence.typed IS 'The value in comparable form: type, amount, dimension, upper, per, bound, unlimited';
COMMENT ON COLUMN evidence.quote IS 'The page''s own characters from start_offset to end_offset of its text';
COMMENT ON COLUMN evidence.start_offset IS 'Where the quote begins in the page''s text, in characters; negative where it stands nowhere';
COMMENT ON COLUMN evidence.verdict IS 'What verification said of it';
COMMENT ON COLUMN evidence.diagnosis IS 'Why it was not verified, with the nearest text on the page';
COMMENT ON COLUMN evidence.headers IS 'Heading path, row and column headers that govern the quote, outermost first';
COMMENT ON COLUMN evidence.cue IS 'What a yes or no rests on';
COMMENT ON COLUMN evidence.page_updated IS 'Date that the page gives itself, as precise as the page is';
COMMENT ON COLUMN evidence.scope IS 'Plans or editions that the value is bound to';

CREATE TABLE findings (
    study VARCHAR NOT NULL,
    cycle VARCHAR NOT NULL,
    sub_question_id VARCHAR NOT NULL,
    revision INTEGER NOT NULL,
    position INTEGER NOT NULL,
    round INTEGER NOT NULL,
    run_id VARCHAR NOT NULL,
    recorded_at TIMESTAMPTZ NOT NULL,
    vendor VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    status VARCHAR NOT NULL,
    gap_kind VARCHAR,
    answer VARCHAR,
    typed JSON,
    evidence_ids VARCHAR[] NOT NULL,
    comparable BOOLEAN NOT NULL,
    independent_sources INTEGER NOT NULL,
    preferred_by VARCHAR NOT NULL,
    stop_reason VARCHAR,
    note VARCHAR NOT NULL
);
COMMENT ON TABLE findings IS 'The answer of each sub-question: agreed, conflict, unresolved or gap';
COMMENT ON COLUMN findings.text IS 'The question in words';
COMMENT ON COLUMN findings.gap_kind IS 'Why there is no answer';
COMMENT ON COLUMN findings.answer IS 'The answer as its evidence writes it';
COMMENT ON COLUMN findings.typed IS 'The answer in comparable form';
COMMENT ON COLUMN findings.evidence_ids IS 'Accepted evidence of all sides, the preferred side first: evidence.evidence_id';
COMMENT ON COLUMN findings.comparable IS 'The sides differ by so little that they may mean the same; they were not merged';
COMMENT ON COLUMN findings.preferred_by IS 'The rule that chose among the sides';
COMMENT ON COLUMN findings.stop_reason IS 'The rule that ended the sub-question';

CREATE TABLE conclusions (
    study VARCHAR NOT NULL,
    cycle VARCHAR NOT NULL,
    sub_question_id VARCHAR NOT NULL,
    revision INTEGER NOT NULL,
    position INTEGER NOT NULL,
    round INTEGER NOT NULL,
    run_id VARCHAR NOT NULL,
    recorded_at TIMESTAMPTZ NOT NULL,
    text VARCHAR NOT NULL,
    verdict VARCHAR NOT NULL,
    reason VARCHAR NOT NULL,
    sub_question_ids VARCHAR[] NOT NULL,
    evidence_ids VARCHAR[] NOT NULL
);
COMMENT ON TABLE conclusions IS 'Sentences of the report that speak about several findings';
COMMENT ON COLUMN conclusions.verdict IS 'supported, disputed or rejected';
COMMENT ON COLUMN conclusions.reason IS 'Why it was disputed or rejected';
COMMENT ON COLUMN conclusions.sub_question_ids IS 'What the sentence speaks about';
COMMENT ON COLUMN conclusions.evidence_ids IS 'What the sentence cites';

CREATE TABLE reports (
    study VARCHAR NOT NULL,
    cycle VARCHAR NOT NULL,
    sub_question_id VARCHAR NOT NULL,
    revision INTEGER NOT NULL,
    position INTEGER NOT NULL,
    round INTEGER NOT NULL,
    run_id VARCHAR NOT NULL,
    recorded_at TIMESTAMPTZ NOT NULL,
    state VARCHAR NOT NULL,
    stop_reason VARCHAR,
    report JSON NOT NULL
);
COMMENT ON TABLE reports IS 'Reports as they were written';
COMMENT ON COLUMN reports.state IS 'DONE, or STOPPED by a rule';
COMMENT ON COLUMN reports.stop_reason IS 'The rule that stopped the cycle';
COMMENT ON COLUMN reports.report IS 'The whole report: what report.json holds';

CREATE TABLE reviews (
    study VARCHAR NOT NULL,
    cycle VARCHAR NOT NULL,
    sub_question_id VARCHAR NOT NULL,
    revision INTEGER NOT NULL,
    position INTEGER NOT NULL,
    round INTEGER NOT NULL,
    run_id VARCHAR NOT NULL,
    recorded_at TIMESTAMPTZ NOT NULL,
    kind VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    reason VARCHAR NOT NULL,
    sub_question_ids VARCHAR[] NOT NULL,
    evidence_ids VARCHAR[] NOT NULL
);
COMMENT ON TABLE reviews IS 'What a person should look at: disputed and open items';
COMMENT ON COLUMN reviews.kind IS 'What kind of item it is';
COMMENT ON COLUMN reviews.reason IS 'Why a person is needed';

-- Copies of the operational store. Each row has its own identity there; a row that changed since it was copied is copied again.

CREATE TABLE calls (
    study VARCHAR NOT NULL,
    cycle VARCHAR NOT NULL,
    sub_question_id VARCHAR NOT NULL,
    revision INTEGER NOT NULL,
    round INTEGER NOT NULL,
    run_id VARCHAR NOT NULL,
    recorded_at TIMESTAMPTZ NOT NULL,
    call_key VARCHAR NOT NULL,
    attempt INTEGER NOT NULL,
    tool VARCHAR NOT NULL,
    url VARCHAR NOT NULL,
    arguments JSON,
    state VARCHAR NOT NULL,
    http_status INTEGER,
    error_class VARCHAR,
    error VARCHAR,
    body_hash VARCHAR,
    tokens_reserved INTEGER NOT NULL,
    tokens_spent INTEGER,
    usd_reserved DOUBLE,
    usd_spent DOUBLE,
    requested_at TIMESTAMPTZ,
    settled_at TIMESTAMPTZ
);
COMMENT ON TABLE calls IS 'Attempts at paid calls, copied from the ledger';
COMMENT ON COLUMN calls.call_key IS 'Hash of cycle, tool and arguments: what is never paid twice';
COMMENT ON COLUMN calls.url IS 'What was asked about; empty for a model';
COMMENT ON COLUMN calls.body_hash IS 'The body in the archive of pages; absent where the reply brought none';
COMMENT ON COLUMN calls.attempt IS 'Counts the attempts under one key, from 1';
COMMENT ON COLUMN calls.state IS 'How the attempt stands';
COMMENT ON COLUMN calls.tokens_spent IS 'What the service charged; absent where that is unknown';

CREATE TABLE approvals (
    study VARCHAR NOT NULL,
    cycle VARCHAR NOT NULL,
    sub_question_id VARCHAR NOT NULL,
    revision INTEGER NOT NULL,
    run_id VARCHAR NOT NULL,
    recorded_at TIMESTAMPTZ NOT NULL,
    approval_id VARCHAR NOT NULL,
    plan_id VARCHAR NOT NULL,
    approved BOOLEAN NOT NULL,
    approved_by VARCHAR NOT NULL,
    note VARCHAR NOT NULL,
    approved_at TIMESTAMPTZ NOT NULL,
    automatic BOOLEAN NOT NULL,
    rounds_granted INTEGER NOT NULL,
    budget JSON
);
COMMENT ON TABLE approvals IS 'Who approved which plan, copied from the operational store; cycle is empty, since an approval holds for every cycle of its plan';
COMMENT ON COLUMN approvals.plan_id IS 'The plan that was approved: plans.plan_id';
COMMENT ON COLUMN approvals.approved IS 'false where a person refused';
COMMENT ON COLUMN approvals.automatic IS 'The study file says that no person is needed';
COMMENT ON COLUMN approvals.rounds_granted IS 'Rounds that a person allowed beyond what the study file may ask for';
COMMENT ON COLUMN approvals.budget IS 'The limits that were approved';

CREATE TABLE loop_steps (
    study VARCHAR NOT NULL,
    cycle VARCHAR NOT NULL,
    sub_question_id VARCHAR NOT NULL,
    revision INTEGER NOT NULL,
    run_id VARCHAR NOT NULL,
    recorded_at TIMESTAMPTZ NOT NULL,
    step INTEGER NOT NULL,
    round INTEGER NOT NULL,
    state VARCHAR NOT NULL,
    next_state VARCHAR NOT NULL,
    rule VARCHAR NOT NULL,
    spent JSON,
    happened_at TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE loop_steps IS 'Transitions of the loop, copied from the operational store';
COMMENT ON COLUMN loop_steps.step IS 'Orders the steps of a cycle';
COMMENT ON COLUMN loop_steps.rule IS 'The rule that decided the transition';
COMMENT ON COLUMN loop_steps.spent IS 'What the cycle had spent by then';

CREATE VIEW latest_revisions AS
    SELECT table_name, study, cycle, sub_question_id, max(revision) AS revision FROM revisions GROUP BY ALL;

CREATE VIEW latest_plans AS
    SELECT t.* FROM plans t SEMI JOIN (FROM latest_revisions WHERE table_name = 'plans') USING (study, cycle, sub_question_id, revision);
CREATE VIEW latest_discovered_urls AS
    SELECT t.* FROM discovered_urls t SEMI JOIN (FROM latest_revisions WHERE table_name = 'discovered_urls') USING (study, cycle, sub_question_id, revision);
CREATE VIEW latest_pages AS
    SELECT t.* FROM pages t SEMI JOIN (FROM latest_revisions WHERE table_name = 'pages') USING (study, cycle, sub_question_id, revision);
CREATE VIEW latest_evidence AS
    SELECT t.* FROM evidence t SEMI JOIN (FROM latest_revisions WHERE table_name = 'evidence') USING (study, cycle, sub_question_id, revision);
CREATE VIEW latest_findings AS
    SELECT t.* FROM findings t SEMI JOIN (FROM latest_revisions WHERE table_name = 'findings') USING (study, cycle, sub_question_id, revision);
CREATE VIEW latest_conclusions AS
    SELECT t.* FROM conclusions t SEMI JOIN (FROM latest_revisions WHERE table_name = 'conclusions') USING (study, cycle, sub_question_id, revision);
CREATE VIEW latest_reports AS
    SELECT t.* FROM reports t SEMI JOIN (FROM latest_revisions WHERE table_name = 'reports') USING (study, cycle, sub_question_id, revision);
CREATE VIEW latest_reviews AS
    SELECT t.* FROM reviews t SEMI JOIN (FROM latest_revisions WHERE table_name = 'reviews') USING (study, cycle, sub_question_id, revision);
CREATE VIEW latest_calls AS
    SELECT * FROM calls QUALIFY revision = max(revision) OVER (PARTITION BY study, cycle, call_key, attempt);
CREATE VIEW latest_approvals AS
    SELECT * FROM approvals QUALIFY revision = max(revision) OVER (PARTITION BY study, approval_id);
CREATE VIEW latest_loop_steps AS
    SELECT * FROM loop_steps QUALIFY revision = max(revision) OVER (PARTITION BY study, cycle, step);

CREATE VIEW current_findings AS
    SELECT f.* FROM latest_findings f SEMI JOIN (SELECT study, max(cycle) AS cycle FROM latest_findings GROUP BY study) USING (study, cycle);

COMMENT ON VIEW latest_revisions IS 'The newest revision of each table, study, cycle and sub-question';
COMMENT ON VIEW latest_plans IS 'plans, newest revision within each cycle';
COMMENT ON VIEW latest_discovered_urls IS 'discovered_urls, newest revision within each cycle';
COMMENT ON VIEW latest_pages IS 'pages, newest revision within each cycle';
COMMENT ON VIEW latest_evidence IS 'evidence, newest revision within each cycle';
COMMENT ON VIEW latest_findings IS 'findings, newest revision within each cycle';
COMMENT ON VIEW latest_conclusions IS 'conclusions, newest revision within each cycle';
COMMENT ON VIEW latest_reports IS 'reports, newest revision within each cycle';
COMMENT ON VIEW latest_reviews IS 'reviews, newest revision within each cycle';
COMMENT ON VIEW latest_calls IS 'calls as they stood when last copied';
COMMENT ON VIEW latest_approvals IS 'approvals as they stood when last copied';
COMMENT ON VIEW latest_loop_steps IS 'loop_steps as they stood when last copied';
COMMENT ON VIEW current_findings IS 'What is known now: the findings of the newest cycle of each study that has any';
