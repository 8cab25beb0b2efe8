"""The normaliser: one folded text for both sides of a quote check, and the exact way back."""

from __future__ import annotations

import random

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from research_pipeline.normalising import find_all, fold, normalise

LETTERS = "aZ 9éß½²'’“—\u00ad\u200b\u00a0\u202f\n\t…ﬁ①™´¨`\u0301\u3099カﾞ日가ㄳㅏ가％ｖ－👩\u200d👩İς\ufdfa"
TEXTS = st.text(alphabet=st.one_of(st.sampled_from(LETTERS), st.characters(exclude_categories=["Cs"])), max_size=40)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("It’s “so” `good` ´here´", "it's 'so' 'good' 'here'"),
        ("30–day — non‑free −5", "30-day - non-free -5"),
        ("soft\u00adhyphen zero\u200bwidth\ufeff", "softhyphen zerowidth"),
        ("30\u202f000 \u00a0\n\t par", "30 000 par"),
        ("ＴＬＳ　１．２", "tls 1.2"),
        ("ﬁve… STRASSE straße", "five... strasse strasse"),
        ("90 days² 1½ ① Names™", "90 days² 1½ ① names™"),
        ("e\u00ad\u0301 が が", "é が が"),
    ],
)
def test_spellings_of_the_same_text_fold_alike(text, folded):
    assert fold(text) == folded


@given(TEXTS)
def test_folding_with_and_without_the_way_back_agree_and_folding_twice_changes_nothing(text):
    assert normalise(text).text == fold(text)
    assert fold(fold(text)) == fold(text)


@given(TEXTS)
def test_folded_text_has_single_spaces_and_nothing_invisible(text):
    folded = fold(text)

    assert "  " not in folded
    assert not regex.search(r"[^\S ]|[\u00ad\u200b-\u200f\u2060\ufeff]", folded)


@given(TEXTS, TEXTS)
def test_parts_cut_at_a_plain_word_fold_to_the_parts_of_the_whole(before, after):
    assert fold(before + " cut " + after).split(" cut ")[0] == fold(before + " cut ").split(" cut ")[0]
    assert fold(before + "|" + "x " + after).endswith(fold("x " + after))


@given(TEXTS)
def test_every_folded_character_leads_back_to_characters_that_fold_to_it(text):
    page = normalise(text)
    last = (0, 0)
    for position, character in enumerate(page.text):
        start, end = page.span(position, position + 1)
        assert last <= (start, end)
        assert start < end
        assert character in fold(text[start:end])
        last = (start, end)


@given(TEXTS, st.data())
def test_the_original_of_a_span_folds_to_the_text_of_the_span_where_it_cuts_no_cluster(text, data):
    page = normalise(text)
    start = data.draw(st.integers(0, len(page.text)))
    end = data.draw(st.integers(start, len(page.text)))
    original = text[slice(*page.span(start, end))]

    assert page.text[start:end] in fold(original)


def test_a_span_outside_the_text_is_refused():
    with pytest.raises(ValueError, match="outside"):
        normalise("abc").span(2, 9)


@pytest.mark.parametrize(
    ("quote", "page"),
    [
        ("180", "kept for 1,800 days"),
        ("180", "kept for 180.5 days"),
        ("180", "kept for 1180 days"),
        ("800", "kept for 1,800 days"),
        ("10 days", "2010 days"),
        ("0 days", "180 days"),
        ("$9", "costs $99"),
        ("$9.", "costs $9.99"),
        (",000 days", "1,000 days"),
        ("5", "at -5 degrees"),
        ("30", "limite de 30 000 par semaine"),
        ("000 par semaine", "limite de 30\u202f000 par semaine"),
        ("1", "1½ GB"),
        ("Pro", "your Provider"),
        ("Pro", "pro-rated"),
        ("free", "non-free"),
        ("day", "30 days"),
        ("3", "x3 and 43"),
        ("五天", "十五天"),
        ("cafe", "cafe\u0301s"),
        ("", "anything"),
        (" \u200b", "any thing"),
    ],
)
def test_a_string_inside_a_longer_token_is_not_found(quote, page):
    assert find_all(quote, normalise(page)) == []


@pytest.mark.parametrize(
    ("quote", "page", "found"),
    [
        ("it's kept", "“It’s  kept” here", ["It’s  kept"]),
        ("audit log", "the au\u00addit log, AUDIT LOG", ["au\u00addit log", "AUDIT LOG"]),
        ("180", "180, 180. 180-day (180)", ["180"] * 4),
        ("3", "API v3", ["3"]),
        ("10 days", "5-10 days", ["10 days"]),
        ("Pro", "Pro—the best, Pro plan, “Pro”", ["Pro"] * 3),
        ("100", "最大100件まで", ["100"]),
        ("ドメイン名", "100ドメイン名を", ["ドメイン名"]),
        ("Enterprise", "Enterprise+", ["Enterprise"]),
        ("90 days", "90 days²", ["90 days"]),
        ("five", "ﬁve", ["ﬁve"]),
    ],
)
def test_a_string_at_token_boundaries_is_found_in_the_pages_own_characters(quote, page, found):
    assert [page[start:end] for start, end in find_all(quote, normalise(page))] == found


@given(
    st.lists(st.sampled_from(["v3", "v", "3", "30 000", "day-", "days", "pro", "é", "日本", "½", "-5", ",", "\n", "x3"]), max_size=30),
    st.data(),
)
def test_the_index_that_many_searches_build_finds_what_a_scan_finds(words, data):
    text = data.draw(st.sampled_from([" ", ""])).join(words)
    start = data.draw(st.integers(0, len(text)))
    quote = text[start : data.draw(st.integers(start, len(text)))]
    page, busy = normalise(text), normalise(text)
    busy._searches = 1000

    assert find_all(quote, busy) == find_all(quote, page)


def test_a_page_that_repeats_itself_gives_the_same_places_by_pairs_of_words():
    dice = random.Random(1)
    vocabulary = ("logs", "are", "kept", "30", "v30", "days", "größe", "x_y", "日本", "|", ",")
    text = " ".join(dice.choices(vocabulary, k=2000))  # each word stands there oftener than an index of words alone is good for
    quotes = [" ".join(dice.choices(vocabulary, k=dice.randint(1, 6))) for _ in range(100)]
    page, busy = normalise(text), normalise(text)
    busy._searches = 1000

    found = [find_all(quote, busy) for quote in quotes]
    assert found == [find_all(quote, page) for quote in quotes]
    assert sum(map(bool, found)) > 20
    assert not all(found)
