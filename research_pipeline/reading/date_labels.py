"""The words that say that a date beside them is the one of a page's last change, in the languages that pages come in."""

from __future__ import annotations

import re

_LABELS = """
last updated, last modified, last revised, last changed, last edited, last update, last change, last modification, last edit, last revision
most recently updated, most recently modified, date modified, date updated, date of last update, date of last change, date of last revision
last update date, last revision date, last modification date, update date, revision date, modification date, last-modified, last-updated
zuletzt aktualisiert, zuletzt geändert, zuletzt bearbeitet, letzte aktualisierung, letzte änderung, letzte bearbeitung, geändert am
dernière mise à jour, dernière modification, dernière révision, modifié le, modifiée le
última actualización, última modificación, última revisión, última atualização, última modificação, última alteração, última revisão
ultimo aggiornamento, ultima modifica, laatst bijgewerkt, laatst gewijzigd, laatst aangepast, laatste update, laatste wijziging
senast uppdaterad, senast ändrad, sidst opdateret, sidst ændret, sist oppdatert, sist endret, viimeksi päivitetty, viimeksi muokattu
ostatnia aktualizacja, ostatnia zmiana, ostatnia modyfikacja, zaktualizowano, naposledy aktualizováno, naposledy upraveno
naposledy změněno, poslední aktualizace, poslední úprava, poslední změna, son güncelleme, son güncelleme tarihi
последнее обновление, последнее изменение, дата обновления, дата изменения, обновлено
最終更新, 最終更新日, 最終更新日時, 更新日, 更新日時, 最后更新, 最后更新时间, 最后更新日期, 最后更新于
最后修改, 最后修改时间, 最后修改于
最近更新, 最近更新时间, 更新时间, 更新日期, 更新于, 最後更新, 最後更新時間, 最後更新日期, 最後更新於, 最後修改, 更新時間, 更新於
마지막 업데이트, 마지막 수정, 마지막으로 업데이트, 마지막으로 수정됨, 마지막 수정일
최종 수정, 최종 수정일, 최종 업데이트, 업데이트 날짜, 수정일
"""
_LABELS_WITH_MARK = """
updated, page updated, aktualisiert, stand, mis à jour, mise à jour, actualizado, actualizada, atualizado, atualizada, aggiornato
aggiornata, bijgewerkt
"""
"""Words that label a date only where a colon, a preposition or the date itself follows."""

_SUBJECT = r"(?:(?:this\s+)?(?:page|article|document|policy|guide|content)\s+(?:was\s+)?)?"
_MARK = r"(?=\s*(?:[:：]|(?:on|at|am|le|el|em|il|op)\b|\d|[^\W\d]{3,9}\.?\s+\d))"


def _words(phrases: str) -> str:
    """Any of the phrases, the longest first."""
    found = sorted((phrase.strip() for phrase in re.split("[,\n]", phrases) if phrase.strip()), key=len, reverse=True)
    return "|".join(re.escape(phrase).replace(r"\ ", r"\s+") for phrase in found)


LABEL = re.compile(rf"(?<![^\W_]){_SUBJECT}(?:{_words(_LABELS)}|(?:{_words(_LABELS_WITH_MARK)}){_MARK})", re.IGNORECASE)

_WEEKDAY = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,?\s+)?"
_PREPOSITION = r"(?:on|at|in|am|vom|le|du|el|em|il|op|den|dnia|dne|the)"
_EDITOR = r"by\s+[^\W\d]+(?:\s+[^\W\d]+)?\s+on"
BETWEEN = re.compile(
    rf"\s*(?:(?:{_PREPOSITION}|{_EDITOR}|date|time)\b)?\s*[:：,·|–—-]?\s*(?:{_PREPOSITION}\s+)?{_WEEKDAY}[(\"“]?",
    re.IGNORECASE,
)
"""What may stand between a label and its date."""
