"""The Italian row."""

from __future__ import annotations

from research_pipeline.values.languages.row import Language

ITALIAN = Language(
    code="it",
    small="uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici "
    "diciassette diciotto diciannove",
    tens="venti trenta quaranta cinquanta sessanta settanta ottanta novanta",
    joined=("{ten}{unit}",),
    numbers={"1/2": "mezza mezzo", "21": "ventuno", "28": "ventotto", "100": "cento"},
    scales={"3": "mila", "6": "milione milioni", "9": "miliardo miliardi"},
    articles="un una uno un'",
    time_units={
        "second": "secondo secondi",
        "minute": "minuto minuti",
        "hour": "ora ore",
        "day": "giorno giorni",
        "week": "settimana settimane",
        "month": "mese mesi",
        "year": "anno anni",
        "business day": "giorno_lavorativo giorni_lavorativi",
    },
    months="gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    short_months="gen feb mar apr mag giu lug ago set ott nov dic",
    per="per",
    every="ogni",
    period_before="periodo_di",
    per_time="a al alla all'",
    adverbs={"month": "mensili mensile", "year": "annui annuali"},
    bounds={
        "up to": "fino_a al_massimo massimo un_massimo_di non_più_di entro",
        "at least": "almeno minimo un_minimo_di",
        "more than": "più_di oltre superiore_a",
        "less than": "meno_di inferiore_a",
    },
    bounds_after={"at least": "o_più", "up to": "o_meno al_massimo"},
    lasting="per dopo entro fino_a in durante",
    ago_after="fa",
    range_joints="a",
    range_pairs=("tra", "e"),
    alternatives="o",
    percent="per_cento",
    currencies={"USD": "dollari"},
    version="versione",
    and_a_half="e_mezzo e_mezza",
    unlimited="illimitato illimitata illimitati illimitate senza_limiti",
    forever="per_sempre a_tempo_indeterminato",
    yes="sì vero",
    no="no falso",
    function_words="il di che per con del della una non settimana giorni",
)
