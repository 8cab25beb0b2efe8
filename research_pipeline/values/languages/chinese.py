"""The Chinese row."""

from __future__ import annotations

from research_pipeline.values.languages.row import Language

CHINESE = Language(
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
    window_units={"hour": "时 時", "day": "日", "month": "月"},
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
    version="版本",
    unlimited="无限制 无限 無限制 無限 不限",
    forever="永久 无限期 無限期",
    yes="是 有 支持",
    no="否 无 不支持",
    comma_decimals=False,
)
