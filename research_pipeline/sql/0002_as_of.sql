-- What was known at a moment, the answers with the quote they stand in, vendors beside each other; and an id for what a person reviews.

ALTER TABLE reviews ADD COLUMN review_id VARCHAR DEFAULT '';
-- The report that was written in the same moment has had the id of each of its reviews from the first.
UPDATE reviews SET review_id = coalesce(
    (
        SELECT json_extract_string(r.report, '$.reviews[' || (reviews.position - 1) || '].id') FROM reports r
        WHERE r.study = reviews.study AND r.cycle = reviews.cycle AND r.recorded_at = reviews.recorded_at
    ),
    ''
);
COMMENT ON COLUMN reviews.review_id IS 'Hash of sub-question, kind and evidence: the same in every run, and another as soon as the evidence is';

CREATE OR REPLACE VIEW latest_reviews AS
    SELECT t.* FROM reviews t SEMI JOIN (FROM latest_revisions WHERE table_name = 'reviews') USING (study, cycle, sub_question_id, revision);
COMMENT ON VIEW latest_reviews IS 'reviews, newest revision within each cycle';

CREATE MACRO findings_as_of(moment) AS TABLE
    WITH asked AS (
        SELECT study, unnest(sub_question_ids) AS sub_question_id
        FROM (
            SELECT study, json_extract_string(plan, '$.sub_questions[*].id') AS sub_question_ids FROM plans
            WHERE recorded_at <= moment::TIMESTAMPTZ
            QUALIFY row_number() OVER (PARTITION BY study ORDER BY cycle DESC, revision DESC) = 1
        )
    )
    SELECT f.* FROM findings f SEMI JOIN asked USING (study, sub_question_id)
    WHERE f.recorded_at <= moment::TIMESTAMPTZ
    QUALIFY row_number() OVER (PARTITION BY study, sub_question_id ORDER BY cycle DESC, revision DESC) = 1;
COMMENT ON MACRO TABLE findings_as_of IS 'The newest finding of each sub-question that had been written by a moment, as far as the plan of that time asked it';

CREATE MACRO answers_as_of(moment) AS TABLE
    WITH known AS (FROM findings_as_of(moment)),
    cited AS (
        SELECT e.study, e.cycle, e.sub_question_id, e.evidence_id, e.quote, e.url, e.authority, e.page_updated, e.retrieved_at
        FROM evidence e JOIN known k USING (study, cycle, sub_question_id)
        WHERE e.evidence_id = k.evidence_ids[1] AND e.recorded_at <= k.recorded_at
        QUALIFY row_number() OVER (PARTITION BY study, cycle, sub_question_id ORDER BY e.revision DESC) = 1
    )
    SELECT k.study, k.vendor, k.sub_question_id, k.text AS question, k.status, k.gap_kind, k.answer,
        c.quote, c.url, c.authority, c.page_updated, c.retrieved_at, c.evidence_id, len(k.evidence_ids) AS evidence_count,
        k.stop_reason, k.note, k.cycle, k.run_id, k.recorded_at
    FROM known k LEFT JOIN cited c USING (study, cycle, sub_question_id)
    ORDER BY k.study, k.sub_question_id;
COMMENT ON MACRO TABLE answers_as_of IS 'findings_as_of with the first quote of each: that of the preferred side where there are several';

CREATE MACRO matrix_as_of(moment) AS TABLE
    SELECT study, substr(sub_question_id, length(vendor) + 2) AS topic, vendor,
        coalesce(answer, '(' || coalesce(gap_kind, status) || ')') AS answer, status, sub_question_id, evidence_id
    FROM answers_as_of(moment) ORDER BY study, topic, vendor;
COMMENT ON MACRO TABLE matrix_as_of IS 'Vendors beside each other, by topic: a sub-question id without its vendor';

CREATE VIEW answers AS FROM answers_as_of('infinity');
COMMENT ON VIEW answers IS 'What is known now: the newest answer of each sub-question that the newest plan of its study asks, with its quote';
CREATE VIEW matrix AS FROM matrix_as_of('infinity');
COMMENT ON VIEW matrix IS 'What is known now, vendors beside each other; PIVOT matrix ON vendor USING first(answer) GROUP BY topic makes columns of them';
