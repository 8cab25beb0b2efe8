"""The Dutch row."""

from __future__ import annotations

from research_pipeline.values.languages.row import Language

DUTCH = Language(
    code="nl",
    small="één twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien",
    tens="twintig dertig veertig vijftig zestig zeventig tachtig negentig",
    joined=("{unit}en{ten}", "{unit}ën{ten}"),
    numbers={"1/2": "een_half halve half", "3/2": "anderhalf", "100": "honderd"},
    scales={"3": "duizend", "6": "miljoen", "9": "miljard"},
    articles="een één",
    time_units={
        "second": "seconde seconden",
        "minute": "minuut minuten",
        "hour": "uur uren",
        "day": "dag dagen kalenderdagen",
        "week": "week weken",
        "month": "maand maanden",
        "quarter": "kwartaal kwartalen",
        "year": "jaar jaren",
        "business day": "werkdag werkdagen",
    },
    months="januari februari maart april mei juni juli augustus september oktober november december",
    short_months="jan feb mrt apr mei jun jul aug sep okt nov dec",
    per="per",
    every="elke iedere",
    period_before="periode_van",
    per_time="binnen",
    adverbs={"month": "maandelijks", "week": "wekelijks", "day": "dagelijks", "year": "jaarlijks"},
    bounds={
        "up to": "tot maximaal hoogstens niet_meer_dan binnen",
        "at least": "minstens minimaal ten_minste tenminste",
        "more than": "meer_dan langer_dan",
        "less than": "minder_dan korter_dan",
    },
    bounds_after={"at least": "of_meer", "up to": "of_minder"},
    lasting="na binnen tot gedurende voor",
    ago_after="geleden",
    range_joints="tot t/m",
    range_pairs=("tussen", "en"),
    percent="procent",
    version="versie",
    unlimited="onbeperkt onbeperkte onbegrensd",
    forever="voor_altijd",
    yes="ja waar",
    no="nee onwaar",
    function_words="het een van voor met niet zijn dagen",
)
