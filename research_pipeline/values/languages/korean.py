"""The Korean row."""

from __future__ import annotations

from research_pipeline.values.languages.row import Language

KOREAN = Language(
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
    window_units={"month": "월"},
    window_marks=("매", "당"),
    bounds={"up to": "최대", "at least": "최소"},
    bounds_after={"at least": "이상", "up to": "이내 이하 까지", "less than": "미만", "more than": "초과"},
    ago_after="전",
    percent="퍼센트",
    currencies={"KRW": "원", "USD": "달러"},
    version="버전",
    unlimited="무제한",
    yes="예 네",
    no="아니요 아니오",
    comma_decimals=False,
)
