"""The Spanish row."""

from __future__ import annotations

from research_pipeline.values.languages.row import Language

SPANISH = Language(
    code="es",
    small="uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve",
    tens="veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
    joined=("{ten} y {unit}",),
    numbers={"1/2": "medio media", "21": "veintiuno", "24": "veinticuatro", "25": "veinticinco", "28": "veintiocho", "100": "cien"},
    scales={"3": "mil", "6": "millón millones"},
    articles="un una",
    time_units={
        "millisecond": "milisegundo milisegundos",
        "second": "segundo segundos",
        "minute": "minuto minutos",
        "hour": "hora horas",
        "day": "día días dia dias días_naturales",
        "week": "semana semanas",
        "month": "mes meses",
        "quarter": "trimestres",
        "year": "año años",
        "business day": "día_hábil días_hábiles día_laborable días_laborables",
    },
    months="enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    per="por",
    every="cada por_cada",
    period_before="período_de periodo_de",
    per_time="al a_la a_el",
    adverbs={"month": "mensual mensuales mensualmente", "year": "anual anuales anualmente", "day": "diarios diarias"},
    bounds={
        "up to": "hasta como_máximo máximo un_máximo_de máximo_de no_más_de",
        "at least": "al_menos como_mínimo mínimo un_mínimo_de por_lo_menos",
        "more than": "más_de superior_a",
        "less than": "menos_de inferior_a",
    },
    bounds_after={"at least": "o_más", "up to": "o_menos como_máximo"},
    lasting="durante después_de dentro_de en hasta por tras",
    ago_before="hace",
    range_joints="a hasta",
    range_pairs=("entre", "y"),
    alternatives="o",
    percent="por_ciento",
    currencies={"USD": "dólares dólar", "EUR": "euros"},
    version="versión",
    and_a_half="y_medio y_media",
    unlimited="ilimitado ilimitada ilimitados ilimitadas sin_límite",
    forever="indefinidamente para_siempre",
    yes="sí si verdadero",
    no="no falso",
    function_words="el los las y por para con del una que semana días",
)
