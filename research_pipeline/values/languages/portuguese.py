"""The Portuguese row."""

from __future__ import annotations

from research_pipeline.values.languages.row import Language

PORTUGUESE = Language(
    code="pt",
    small="um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete dezoito dezenove",
    tens="vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
    joined=("{ten} e {unit}",),
    numbers={"1/2": "meia", "2": "duas", "100": "cem"},
    scales={"6": "milhão milhões", "9": "bilhão bilhões"},
    articles="um uma",
    time_units={
        "second": "segundo segundos",
        "minute": "minuto minutos",
        "hour": "hora horas",
        "day": "dia dias dias_corridos",
        "week": "semana semanas",
        "month": "mês meses",
        "year": "ano anos",
        "business day": "dia_útil dias_úteis",
    },
    months="janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    short_months="jan fev mar abr mai jun jul ago set out nov dez",
    per="por",
    every="cada a_cada",
    period_before="período_de",
    per_time="ao à",
    adverbs={"month": "mensais mensal", "year": "anuais anual"},
    bounds={
        "up to": "até no_máximo máximo_de não_mais_de",
        "at least": "pelo_menos no_mínimo mínimo_de",
        "more than": "mais_de acima_de",
        "less than": "menos_de abaixo_de",
    },
    bounds_after={"at least": "ou_mais", "up to": "ou_menos"},
    lasting="durante após por até em dentro_de",
    ago_before="há",
    ago_after="atrás",
    range_joints="a até",
    range_pairs=("entre", "e"),
    alternatives="ou",
    percent="por_cento",
    currencies={"BRL": "reais real", "USD": "dólares"},
    version="versão",
    and_a_half="e_meio e_meia",
    unlimited="ilimitado ilimitada ilimitados ilimitadas sem_limite",
    forever="indefinidamente para_sempre",
    yes="sim verdadeiro",
    no="não falso",
    function_words="os as e por para com dos uma não semana dias",
)
