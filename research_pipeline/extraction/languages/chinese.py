"""Cue words of Chinese."""

from __future__ import annotations

from research_pipeline.extraction.languages.table import Language

CHINESE = Language(
    negation="不(?!仅|限|超过|得超过|少于|低于|同|断) | 没有 | 并非 | 尚未 | 未(?!来) | 无法",
    harmless="不仅 | 不限 | 不超过 | 不得超过 | 不能超过 | 不少于 | 不低于 | 不会超过",
    exclusion="除了 | 以外 | 除外",
    bound="超过 | 多于 | 大于 | 高于",
    trailing_bound="以上 | 以内 | 之后 | 后",
    absence="支持 | 提供 | 包括 | 包含 | 可用",
    turn="但 | 然而 | 而 | ， | 。",
    condition="如果 | 除非 | 若",
    present="支持 | 提供 | 包括 | 包含 | 可用 | 可以",
    missing="不支持 | 不可用 | 未提供",
    hedge="即将 | 计划 | 敬请期待 | 尚未 | 未来",
    example="例如 | 比如 | 譬如",
    former="以前 | 之前为 | 原先 | 旧",
    past="曾",
    now="现在 | 目前",
    yes="是 | 有 | 支持 | 包含 | 可",
    no="否 | 无 | 没有 | 不支持 | 不包含",
)
