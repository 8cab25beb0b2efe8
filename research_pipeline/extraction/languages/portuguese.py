"""Cue words of Portuguese."""

from __future__ import annotations

from research_pipeline.extraction.languages.table import Language

PORTUGUESE = Language(
    negation="não | nunca | nenhum(?:a)? | nem | jamais",
    deprivation="sem",
    exclusion="exceto | salvo | com exceção de | em vez de | ao contrário do?",
    bound=r"mais (?:de|que|do que) | exced\w+ | ultrapass\w+ | após | antes d[eo]s? | até | superior(?:es)? a",
    absence="disponível | incluíd[oa]s? | suportad[oa]s? | compatível",
    turn="mas | porém | enquanto | embora",
    condition="quando | exceto | a menos que | desde que",
    verb="é | são | está | estão | será | pode | podem | tem | inclui | oferece | permite",
    conjunction=r"e(?!\.) | ou | mas",
    joining=r"e(?!\.) | ou",
    alternative="ou | nem",
    determiner="os? | as? | uma? | do | da",
    preposition="em | no | na | para | com",
    lasting="durante | antes | até",
    settled="de",
    present="disponível | incluíd[oa]s? | suportad[oa]s? | suporta | oferece | inclui | permite",
    hedge="em breve | planejad[oa] | previst[oa] | ainda não | no futuro",
    example=r"por exemplo | p\. ?ex\.?",
    former="anteriormente | antigamente | não mais",
    past="era | eram",
    starts="a partir de | desde",
    ends="até | antes de",
    now="agora | atualmente | hoje",
    yes="sim",
    no="não",
)
