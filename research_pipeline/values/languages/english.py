"""The English row."""

from __future__ import annotations

from research_pipeline.values.languages.row import Language

ENGLISH = Language(
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
    short_months="jan feb mar apr may jun jul aug sep oct nov dec",
    per="per",
    every="each every",
    period_before="period_of rolling any",
    period_after="period periods window windows interval intervals",
    per_time="a an in in_the within in_any in_a any within_a over over_a over_any",
    adverbs={"hour": "hourly", "day": "daily", "week": "weekly", "month": "monthly", "year": "yearly annually per_annum p.a."},
    bounds={
        "up to": "up_to at_most no_more_than not_more_than maximum maximum_of a_maximum_of max maximum_is limit_of limited_to not_exceed "
        "within no_longer_than not_exceeding as_much_as as_many_as",
        "at least": "at_least no_less_than not_less_than minimum minimum_of a_minimum_of min starting_at starts_at no_fewer_than",
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
    version="version versions release ver ver.",
    and_a_half="and_a_half",
    unlimited="unlimited no_limit no_limits without_limit unmetered",
    forever="indefinitely forever indefinite",
    yes="yes true",
    no="no false",
    function_words="the of and for is are with to your per",
    comma_decimals=False,
)
