"""From findings to a cited report: one report object, three renderings, archived pages with the quotes marked.

`building.build` makes the object, `report.to_json`, `markdown.to_markdown` and `html.to_html` render it,
`archived.archived_pages` renders the pages that its citations link to.
"""
