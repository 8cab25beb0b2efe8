"""Values as other languages write them, and the small traps of English prose."""

from __future__ import annotations

import pytest

from research_pipeline.study import AnswerType
from research_pipeline.values import mentions

DAY = 86400
CASES = [
    # numbers
    ("rate", "Es sind 1.500 Anfragen pro Minute erlaubt", "1.500 Anfragen pro Minute", 1500, "minute"),
    ("rate", "hasta 1.500 solicitudes por minuto", "1.500 solicitudes por minuto", 1500, "minute"),
    ("size", "a factor of 1.500 GB", "1.500 GB", 1500000000, ""),
    ("count", "hasta 5.000 usuarios", "5.000 usuarios", 5000, ""),
    ("money", "1 500 000 €", "1 500 000 €", 1500000, ""),
    ("money", "CHF 1’000.50", "CHF 1’000.50", "2001/2", ""),
    ("count", "1,00,000 rows", "1,00,000 rows", 100000, ""),
    ("count", "5万 リクエスト", "5万 リクエスト", 50000, ""),
    ("count", "5 (five) users", "5 (five) users", 5, ""),
    # lengths of time
    ("duration", "pendant au moins quatre-vingt-dix jours", "quatre-vingt-dix jours", 90 * DAY, ""),
    ("duration", "durante treinta y cinco días", "treinta y cinco días", 35 * DAY, ""),
    ("duration", "für vierzehn Tage", "vierzehn Tage", 14 * DAY, ""),
    ("duration", "14-tägige Testphase", "14-tägige", 14 * DAY, ""),
    ("duration", "per trenta giorni", "trenta giorni", 30 * DAY, ""),
    ("duration", "por noventa dias", "noventa dias", 90 * DAY, ""),
    ("duration", "gedurende negentig dagen", "negentig dagen", 90 * DAY, ""),
    ("duration", "une demi-heure", "une demi-heure", 1800, ""),
    ("duration", "media hora", "media hora", 1800, ""),
    ("duration", "anderthalb Jahre", "anderthalb Jahre", 18, ""),
    ("duration", "保存期間は1年間です", "1年間", 12, ""),
    ("duration", "数据保留两周", "两周", 14 * DAY, ""),
    ("duration", "30일 동안 보관", "30일", 30 * DAY, ""),
    ("duration", "a grace period of two (2) weeks", "two (2) weeks", 14 * DAY, ""),
    ("duration", "over a year and a half", "a year and a half", 18, ""),
    ("duration", "every 24 hours", "24 hours", DAY, ""),
    # rates
    ("rate", "50 certificats par domaine par semaine", "50 certificats par domaine par semaine", 50, "domaine week"),
    ("rate", "50 comptes par période de 3 heures", "50 comptes par période de 3 heures", 50, "3-hour"),
    ("rate", "100 richieste al minuto", "100 richieste al minuto", 100, "minute"),
    ("rate", "100 verzoeken per minuut", "100 verzoeken per minuut", 100, "minute"),
    ("rate", "1日あたり最大1,000回", "1日あたり最大1,000回", 1000, "day"),
    ("rate", "每天 1,000 次", "每天 1,000 次", 1000, "day"),
    ("rate", "분당 60회", "분당 60회", 60, "minute"),
    ("rate", "60 requests/min/IP", "60 requests/min/IP", 60, "ip minute"),
    ("rate", "1 request per guild per bot every 30 seconds", "1 request per guild per bot every 30 seconds", 1, "bot guild 30-second"),
    ("rate", "50 accounts per 3 hour period per IP", "50 accounts per 3 hour period per IP", 50, "ip 3-hour"),
    ("rate", "600 requests in any 10 minute window", "600 requests in any 10 minute window", 600, "10-minute"),
    ("rate", "100 calls per rolling 60-second window", "100 calls per rolling 60-second window", 100, "minute"),
    # prices and sizes
    ("money", "49,90 € pro Nutzer und Monat", "49,90 € pro Nutzer und Monat", "499/10", "nutzer month"),
    ("money", "49 € par utilisateur et par mois", "49 € par utilisateur et par mois", 49, "utilisateur month"),
    ("money", "每月 10 美元", "每月 10 美元", 10, "month"),
    ("money", "$20/vCPU-month", "$20/vCPU-month", 20, "vcpu month"),
    ("money", "$50 per GB of memory per month", "$50 per GB of memory per month", 50, "gb month"),
    ("money", "$0.20 per 1M requests", "$0.20 per 1M requests", "1/5", "1000000-requests"),
    ("money", "$3 per million tokens", "$3 per million tokens", 3, "1000000-tokens"),
    ("money", "$.50 per GB", "$.50 per GB", "1/2", "gb"),
    ("size", "毎月 100 GB", "毎月 100 GB", 100 * 10**9, "month"),
    # dates and versions
    ("date", "23 avr. 2020", "23 avr. 2020", "2020-04-23", ""),
    ("date", "3 de enero de 2024", "3 de enero de 2024", "2024-01-03", ""),
    ("date", "Januar 2024", "Januar 2024", "2024-01", ""),
    ("version", "バージョン 3.2", "バージョン 3.2", "3.2", ""),
]
NOTHING = [
    ("duration", "once an hour, once a week"),
    ("duration", "you need at least one tag, 20 characters per tag"),
    ("duration", "paying for a second machine"),
    ("duration", "06 09 2a 86 48 0d 01 2d 6d"),
    ("duration", "you may encounter 429s"),
    ("duration", "十分に安全"),
    ("duration", "50 requests per 10 minutes"),
    ("rate", "月曜日に 25 個"),
    ("rate", "kept indefinitely"),
    ("rate", "20 characters per tag"),
    ("percent", "rate limit key 21 % 16"),
    ("size", "8F 9D DB A2 23 0B"),
    ("size", "3B:53:77:75:3E:2D"),
    ("count", "returns 204, a 404 page, 400 Bad Request"),
    ("count", "1" * 5000),
    ("date", "rolled out 2020, 3 days ago, 2026"),
    ("version", "HTTP-01, section 4.2.1, 08.12.2020, 192.168.0.1"),
]


@pytest.mark.parametrize(("name", "text", "verbatim", "amount", "per"), CASES)
def test_a_value_is_read_as_its_language_writes_it(name, text, verbatim, amount, per):
    [mention] = mentions(text, AnswerType(name))

    assert (mention.verbatim, mention.value.amount, mention.value.per) == (verbatim, str(amount), per)


@pytest.mark.parametrize(("name", "text"), NOTHING)
def test_what_only_looks_like_a_value_is_none(name, text):
    assert mentions(text, AnswerType(name)) == []


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("up to 90 days", "up to"),
        ("a maximum of 90 days", "up to"),
        ("must not exceed 90 days", "up to"),
        ("90 days or less", "up to"),
        ("jusqu’à 90 jours", "up to"),
        ("bis zu 90 Tage", "up to"),
        ("最大 90日", "up to"),
        ("90日以内", "up to"),
        ("at least 90 days", "at least"),
        ("90+ days", "at least"),
        ("90 days or more", "at least"),
        ("≥ 90 days", "at least"),
        ("90日以上", "at least"),
        ("more than 90 days", "more than"),
        ("über 90 Tage", "more than"),
        ("> 90 days", "more than"),
        ("under 90 days", "less than"),
        ("90日未満", "less than"),
        ("90 days", ""),
        ("=> 90 days", ""),
    ],
)
def test_the_words_around_a_value_bound_it(text, bound):
    [mention] = mentions(text, AnswerType.DURATION)

    assert mention.value.bound == bound
