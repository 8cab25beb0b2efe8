"""What the grammars know of each language, one row a language: adding a language is adding a row to `LANGUAGES`.

Cells are lists of words parted by spaces; `_` is a space inside a phrase. Every reading looks through all rows at once, since a page
quotes terms of other languages; where a spelling means different things, the earlier row wins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

Cells = Mapping[str, str]


def _cells() -> dict[str, str]:
    return {}


@dataclass(frozen=True, slots=True)
class Language:
    """One row. Numbers: `small` counts from one to nineteen, `tens` from twenty, `joined` are the forms of what lies between."""

    code: str
    small: str = ""
    tens: str = ""
    joined: tuple[str, ...] = ()
    numbers: Cells = field(default_factory=_cells)  # further numbers, value → spellings
    scales: Cells = field(default_factory=_cells)  # power of ten → spellings
    articles: str = ""  # `a` in `for a week`
    time_units: Cells = field(default_factory=_cells)  # a trailing `!` marks what stands only directly after digits: `24h`
    months: str = ""
    per: str = ""  # before any denominator
    per_time: str = ""  # before a unit of time only
    adverbs: Cells = field(default_factory=_cells)  # window → `monthly`
    window_marks: tuple[str, str] = ("", "")  # what stands before and after a window that leads: 毎分60回, 週に5
    bounds: Cells = field(default_factory=_cells)  # before the value
    bounds_after: Cells = field(default_factory=_cells)
    lasting: str = ""  # what makes `a week` a length of time
    ago_before: str = ""
    ago_after: str = ""
    range_joints: str = ""
    range_pairs: tuple[str, str] = ("", "")  # between … and …
    alternatives: str = ""
    changes: str = ""  # `raised from 30 to 90 days` is no range
    percent: str = ""
    currencies: Cells = field(default_factory=_cells)
    unlimited: str = ""
    yes: str = ""
    no: str = ""
    function_words: str = ""  # tell the language where a number's form is ambiguous
    comma_decimals: bool = True


LANGUAGES: tuple[Language, ...] = (
    Language(
        code="en",
        small="one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
        tens="twenty thirty forty fifty sixty seventy eighty ninety",
        joined=("{ten} {unit}",),
        numbers={"1/2": "half half_a half_an one_half", "3/2": "one_and_a_half", "5/2": "two_and_a_half", "100": "hundred"},
        scales={"3": "thousand", "6": "million mn mio", "9": "billion bn", "12": "trillion"},
        articles="a an",
        time_units={
            "millisecond": "millisecond milliseconds ms msec",
            "second": "second seconds sec secs s!",
            "minute": "minute minutes min mins",
            "hour": "hour hours hr hrs h!",
            "day": "day days d! calendar_day calendar_days consecutive_days full_days",
            "week": "week weeks wk wks w!",
            "month": "month months mo! mos! mth mths calendar_month calendar_months",
            "quarter": "quarters",
            "year": "year years yr yrs y! calendar_year calendar_years",
            "business day": "business_day business_days working_day working_days workday workdays weekdays",
            "business hour": "business_hour business_hours working_hours",
        },
        months="january february march april may june july august september october november december",
        per="per each every",
        per_time="a an in in_the within in_any in_a any within_a",
        adverbs={"hour": "hourly", "day": "daily", "week": "weekly", "month": "monthly", "year": "yearly annually per_annum p.a."},
        bounds={
            "up to": "up_to at_most no_more_than not_more_than maximum maximum_of a_maximum_of max maximum_is limit_of limited_to not_exceed "
            "within no_longer_than not_exceeding as_much_as as_many_as",
            "at least": "at_least no_less_than not_less_than minimum minimum_of a_minimum_of min starting_at starts_at no_fewer_than as_little_as",
            "more than": "more_than over above greater_than longer_than exceeding older_than larger_than exceeds exceed beyond",
            "less than": "less_than under below fewer_than shorter_than younger_than smaller_than",
        },
        bounds_after={
            "at least": "or_more or_above or_longer or_later or_higher or_newer and_above and_later and_higher and_up minimum",
            "up to": "or_less or_fewer or_below or_earlier max maximum",
        },
        lasting="for within after in up_to than at_least at_most about around under over lasts last takes take every next past first to",
        ago_after="ago",
        range_joints="to through",
        range_pairs=("between", "and"),
        alternatives="or",
        changes="increased increase raised reduced lowered extended changed shortened dropped grew went cut moved upgraded expanded",
        percent="percent per_cent pct",
        currencies={
            "USD": "dollar dollars us_dollars u.s._dollars",
            "EUR": "euro euros",
            "GBP": "pound pounds",
            "JPY": "yen",
            "INR": "rupees",
        },
        unlimited="unlimited indefinitely forever no_limit no_limits without_limit unmetered",
        yes="yes true",
        no="no false",
        function_words="the of and for is are with to your",
        comma_decimals=False,
    ),
    Language(
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
    ),
    Language(
        code="fr",
        small="un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix_sept dix_huit dix_neuf",
        tens="vingt trente quarante cinquante soixante soixante_dix quatre_vingt quatre_vingt_dix",
        joined=("{ten} {unit}", "{ten} et {unit}"),
        numbers={"1/2": "demi une_demi", "72": "soixante_douze", "80": "quatre_vingts", "100": "cent"},
        scales={"3": "mille", "6": "millions", "9": "milliard milliards"},
        articles="un une",
        time_units={
            "millisecond": "milliseconde millisecondes",
            "second": "seconde secondes",
            "minute": "minute minutes",
            "hour": "heure heures",
            "day": "jour jours j! jours_calendaires jours_consécutifs",
            "week": "semaine semaines",
            "month": "mois",
            "quarter": "trimestre trimestres",
            "year": "an ans année années",
            "business day": "jour_ouvré jours_ouvrés jour_ouvrable jours_ouvrables",
        },
        months="janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        per="par chaque toutes_les tous_les",
        per_time="à_l' en",
        adverbs={"month": "mensuel mensuels mensuelle mensuellement", "year": "annuel annuellement"},
        bounds={
            "up to": "jusqu'à jusqu'a au_maximum au_plus maximum_de un_maximum_de pas_plus_de limité_à dans_les sous",
            "at least": "au_moins au_minimum minimum_de un_minimum_de pas_moins_de à_partir_de",
            "more than": "plus_de supérieur_à supérieure_à au-delà_de",
            "less than": "moins_de inférieur_à inférieure_à",
        },
        bounds_after={"at least": "ou_plus ou_supérieur minimum", "up to": "ou_moins maximum"},
        lasting="pour pendant après dans sous jusqu'à durant en d'",
        ago_before="il_y_a",
        range_joints="à",
        range_pairs=("entre", "et"),
        alternatives="ou",
        percent="pour_cent pourcent pourcents",
        currencies={"EUR": "euros"},
        unlimited="illimité illimitée illimités illimitées indéfiniment pour_toujours sans_limite",
        yes="oui vrai",
        no="non faux",
        function_words="le la les des et par est un une du pour avec semaine jours",
    ),
    Language(
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
        per="por cada",
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
        unlimited="ilimitado ilimitada ilimitados ilimitadas indefinidamente para_siempre sin_límite",
        yes="sí si verdadero",
        no="no falso",
        function_words="el los las y por para con del una que semana días",
    ),
    Language(
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
        per="por cada",
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
        unlimited="ilimitado ilimitada ilimitados ilimitadas indefinidamente para_sempre sem_limite",
        yes="sim verdadeiro",
        no="não falso",
        function_words="os as e por para com dos uma não semana dias",
    ),
    Language(
        code="it",
        small="uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove",
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
        per="per ogni",
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
        unlimited="illimitato illimitata illimitati illimitate per_sempre a_tempo_indeterminato senza_limiti",
        yes="sì vero",
        no="no falso",
        function_words="il di che per con del della una non settimana giorni",
    ),
    Language(
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
        per="per elke iedere",
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
        alternatives="of",
        percent="procent",
        unlimited="onbeperkt onbeperkte voor_altijd onbegrensd",
        yes="ja waar",
        no="nee onwaar",
        function_words="het een van voor met niet zijn dagen",
    ),
    Language(
        code="ja",
        time_units={
            "millisecond": "ミリ秒",
            "second": "秒間 秒",
            "minute": "分間 分",
            "hour": "時間",
            "day": "日間 日",
            "week": "週間 週",
            "month": "か月間 ヶ月間 ケ月間 カ月間 ヵ月間 か月 ヶ月 ケ月 カ月 ヵ月 箇月",
            "year": "年間 年",
            "business day": "営業日",
        },
        per="/ あたり",
        window_marks=("毎", "に あたり につき ごとに あたり最大 に最大 につき最大"),
        bounds={"up to": "最大 最大で 最長 最長で 上限", "at least": "最低 最低でも 最短", "more than": "超"},
        bounds_after={"at least": "以上", "up to": "以内 以下 まで", "less than": "未満", "more than": "超"},
        ago_after="前に作成 前の 前から",
        range_joints="から",
        alternatives="または か",
        percent="パーセント",
        currencies={"JPY": "円", "USD": "ドル 米ドル", "EUR": "ユーロ"},
        unlimited="無制限 無期限 無限",
        yes="はい あり 対応",
        no="いいえ なし 非対応",
        comma_decimals=False,
    ),
    Language(
        code="zh",
        time_units={
            "millisecond": "毫秒",
            "second": "秒钟 秒鐘 秒",
            "minute": "分钟 分鐘",
            "hour": "个小时 個小時 小时 小時",
            "day": "天",
            "week": "个星期 個星期 个礼拜 星期 周 週",
            "month": "个月 個月",
            "quarter": "个季度 個季度",
            "year": "年",
            "business day": "个工作日 個工作日 工作日",
        },
        per="每",
        window_marks=("每", "内 內"),
        bounds={
            "up to": "最多 最长 最長 最大 至多 不超过 不超過 上限为 高达",
            "at least": "至少 最少 最短 不少于 不低于",
            "more than": "超过 超過 大于",
            "less than": "少于 不到 小于",
        },
        bounds_after={"at least": "以上 及以上", "up to": "以内 以內 之内 以下", "less than": "未满"},
        ago_after="前 之前",
        range_joints="至 到",
        alternatives="或 或者",
        currencies={"CNY": "元 人民币 块", "USD": "美元", "JPY": "日元", "EUR": "欧元"},
        unlimited="无限制 无限 無限制 無限 不限 永久 无限期",
        yes="是 有 支持",
        no="否 无 不支持",
        comma_decimals=False,
    ),
    Language(
        code="ko",
        time_units={
            "second": "초간 초",
            "minute": "분간 분",
            "hour": "시간",
            "day": "일간 일",
            "week": "주간 주일 주",
            "month": "개월간 개월",
            "year": "년간 년",
            "business day": "영업일",
        },
        window_marks=("매", "당"),
        bounds={"up to": "최대", "at least": "최소"},
        bounds_after={"at least": "이상", "up to": "이내 이하 까지", "less than": "미만", "more than": "초과"},
        ago_after="전",
        percent="퍼센트",
        currencies={"KRW": "원", "USD": "달러"},
        unlimited="무제한",
        yes="예 네",
        no="아니요 아니오",
        comma_decimals=False,
    ),
)


def words(cell: str) -> Iterator[str]:
    """The words and phrases of a cell, folded."""
    for word in cell.split():
        yield word.replace("_", " ").casefold()


def gathered(attribute: str) -> dict[str, str]:
    """Spelling → code of the language, over all rows, for a cell that lists words."""
    table: dict[str, str] = {}
    for language in LANGUAGES:
        for word in words(getattr(language, attribute)):
            table.setdefault(word, language.code)
    return table


def gathered_cells(attribute: str) -> dict[str, str]:
    """Spelling → the name it stands for, over all rows, for a cell that maps names to words."""
    table: dict[str, str] = {}
    for language in LANGUAGES:
        cells: Cells = getattr(language, attribute)
        for name, cell in cells.items():
            for word in words(cell):
                table.setdefault(word, name)
    return table
