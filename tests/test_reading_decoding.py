"""Bytes become text by what they declare, and no declaration breaks the reading."""

import pytest

from research_pipeline.reading import decode, is_misread


@pytest.mark.parametrize("name", ["rot13", "idna", "punycode", "no-such-charset", "hex"])
def test_a_declared_charset_that_is_none_falls_back_to_what_fits_the_bytes(name):
    body = f'<meta charset="{name}"><p>Größe: 30 Tage'.encode()

    assert "Größe: 30 Tage" in decode(body, content_type=f"text/html; charset={name}")


@pytest.mark.parametrize(("charset", "text"), [("shift_jis", "保存期間は30日です"), ("gbk", "保留30天"), ("cp1252", "– 30 days’ notice")])
def test_a_declared_charset_is_taken(charset, text):
    assert decode(text.encode(charset), content_type=f"text/html; charset={charset}") == text


def test_text_read_by_the_wrong_charset_is_noticed():
    assert is_misread("日本語のページです。".encode().decode("cp1252", "replace"))
    assert not is_misread("Plain words, a naïve café and 30 days.")
