"""The Japanese row."""

from __future__ import annotations

from research_pipeline.values.languages.row import Language

JAPANESE = Language(
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
    per="あたり",
    window_units={"hour": "時", "month": "月"},
    window_marks=("毎", "に あたり につき ごとに あたり最大 に最大 につき最大"),
    bounds={"up to": "最大 最大で 最長 最長で 上限", "at least": "最低 最低でも 最短", "more than": "超"},
    bounds_after={"at least": "以上", "up to": "以内 以下 まで", "less than": "未満", "more than": "超"},
    ago_after="前に作成 前の 前から",
    range_joints="から",
    alternatives="または か",
    percent="パーセント",
    currencies={"JPY": "円", "USD": "ドル 米ドル", "EUR": "ユーロ"},
    version="バージョン",
    unlimited="無制限 無限",
    forever="無期限 永久",
    yes="はい あり 対応",
    no="いいえ なし 非対応",
    comma_decimals=False,
)
