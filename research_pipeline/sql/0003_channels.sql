-- Which channel found a candidate, and what it says of it.

ALTER TABLE discovered_urls ADD COLUMN channel VARCHAR DEFAULT 'site';
ALTER TABLE discovered_urls ADD COLUMN title VARCHAR DEFAULT '';
ALTER TABLE discovered_urls ADD COLUMN published VARCHAR DEFAULT '';
COMMENT ON COLUMN discovered_urls.channel IS 'How it was found: site for the map of a site, else the channel that was asked';
COMMENT ON COLUMN discovered_urls.title IS 'The title that the channel gives it; empty where its site was mapped';
COMMENT ON COLUMN discovered_urls.published IS 'The date that the channel states, ISO; empty where it states none';

CREATE OR REPLACE VIEW latest_discovered_urls AS
    SELECT t.* FROM discovered_urls t SEMI JOIN (FROM latest_revisions WHERE table_name = 'discovered_urls') USING (study, cycle, sub_question_id, revision);
COMMENT ON VIEW latest_discovered_urls IS 'discovered_urls, newest revision within each cycle';
