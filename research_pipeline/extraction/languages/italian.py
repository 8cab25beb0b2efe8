"""Cue words of Italian."""

from __future__ import annotations

from research_pipeline.extraction.languages.table import Language

ITALIAN = Language(
    negation="non | mai | nessun[oa]? | né | neanche",
    deprivation="senza",
    exclusion="eccetto | tranne | ad eccezione di | invece di | a differenza di",
    bound=r"più (?:di|che) | superar\w* | supera | oltre | dopo | prima di | fino a | superiore a",
    absence="disponibil[ei] | inclus[oaie] | supportat[oaie] | compres[oaie]",
    turn="ma | però | mentre | sebbene",
    condition="quando | tranne | eccetto | a meno che",
    verb="è | sono | sarà | può | possono | ha | include | offre | supporta",
    conjunction=r"e(?!\.) | ma | oppure",
    joining=r"e(?!\.) | oppure",
    alternative="o | né",
    determiner="il | lo | gli | una? | del | della",
    preposition="in | nel | nella | per | con | su",
    lasting="durante | prima | fino",
    settled="di",
    present="disponibil[ei] | inclus[oaie] | supportat[oaie] | supporta | offre | include",
    hedge="prossimamente | presto | previst[oa] | non ancora | in futuro",
    example=r"per esempio | ad esempio | p\. ?es\.?",
    former="in precedenza | precedentemente | non più(?! di)",
    past="era | erano",
    starts="a partire (?:da|dal) | dal | da",
    ends="fino al? | prima del?",
    now="ora | adesso | attualmente | oggi",
    yes="sì | incluso",
    no="no | non (?:disponibile|incluso)",
)
