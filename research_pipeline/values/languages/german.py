"""The German row."""

from __future__ import annotations

from research_pipeline.values.languages.row import Language

GERMAN = Language(
    code="de",
    small="eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn",
    tens="zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
    joined=("{unit}und{ten}",),
    numbers={
        "1/2": "ein_halbes eine_halbe halbe halbes",
        "3/2": "anderthalb eineinhalb",
        "100": "hundert einhundert",
        "21": "einundzwanzig",
    },
    scales={"3": "tausend", "6": "million millionen mio.", "9": "milliarde milliarden mrd mrd."},
    articles="ein eine einen einem einer eines",
    time_units={
        "millisecond": "millisekunde millisekunden",
        "second": "sekunde sekunden sek",
        "minute": "minute minuten minütig minütige",
        "hour": "stunde stunden std stündig stündige",
        "day": "tag tage tagen kalendertage kalendertagen tägig tägige tägigen tägiger tägiges",
        "week": "woche wochen wöchig wöchige",
        "month": "monat monate monaten monats",
        "quarter": "quartal quartale quartalen",
        "year": "jahr jahre jahren jahres",
        "business day": "werktag werktage werktagen arbeitstag arbeitstage arbeitstagen",
    },
    months="januar februar märz april mai juni juli august september oktober november dezember",
    per="pro je jede jeden jedes jeder alle",
    per_time="im in_der am innerhalb_von",
    adverbs={"hour": "stündlich", "day": "täglich", "week": "wöchentlich", "month": "monatlich", "year": "jährlich"},
    bounds={
        "up to": "bis_zu höchstens maximal max max. nicht_mehr_als binnen innerhalb_von längstens",
        "at least": "mindestens minimal wenigstens nicht_weniger_als",
        "more than": "mehr_als über länger_als größer_als älter_als",
        "less than": "weniger_als unter kürzer_als kleiner_als",
    },
    bounds_after={"at least": "oder_mehr oder_höher oder_neuer", "up to": "oder_weniger"},
    lasting="für nach innerhalb innerhalb_von binnen bis_zu über in vor spätestens mindestens höchstens",
    ago_before="vor",
    range_joints="bis",
    range_pairs=("zwischen", "und"),
    alternatives="oder",
    changes="erhöht gesenkt verlängert verkürzt geändert angehoben",
    percent="prozent",
    currencies={"EUR": "euro", "CHF": "franken", "USD": "us-dollar"},
    unlimited="unbegrenzt unbegrenzte unbegrenzter unbegrenztes unbegrenzten unlimitiert unbefristet für_immer unbeschränkt dauerhaft",
    yes="ja",
    no="nein",
    function_words="der die das und nicht oder für mit von ist ein pro woche tage tagen monat",
)
