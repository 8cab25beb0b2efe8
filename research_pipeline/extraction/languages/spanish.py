"""Cue words of Spanish."""

from __future__ import annotations

from research_pipeline.extraction.languages.table import Language

SPANISH = Language(
    negation="nunca | jamás | ningún | ninguna? | ni | tampoco",
    deprivation="sin",
    harmless=(
        r"no (?:solo|sólo|solamente|únicamente) | sin (?:ningún )?límites? | no se (?:modifica|cambia)\w*"
        " | sin (?:coste|costo|cargo)s?"
    ),
    exclusion=(
        "excepto | salvo | a excepción de | menos(?= (?:en )?(?:el|los|la|las) plan) | a diferencia del? | en lugar del?"
        " | en vez de | aparte de"
    ),
    beyond="por encima de(?:l)? | más que",
    bound=(
        r"más (?:de|que|tiempo que|tarde que) | supera\w* | superar | exced\w+ | mayor(?:es)? (?:de|que|a) | después de"
        r" | antes de | hasta | más allá de | menos de | antigu\w+ (?:de|que) | superior(?:es)? a"
    ),
    ending=r"elimina\w* | borra\w* | cobra\w* | pierde\w* | factura\w*",
    absence=(
        r"disponibles? | incluid\w+ | incluye\w* | compatibles? | ofrec\w+ | posibles? | permitid\w+ | conserva\w* | almacena\w*"
        r" | admitid\w+ | garantiza\w* | válid\w+ | suficientes?"
    ),
    turn="pero | sino | sin embargo | mientras(?: que)? | aunque | porque | en cambio | y (?:es|son|está|están|se|puede|tiene)",
    condition="si | cuando | siempre que | a menos que | salvo(?: que)? | excepto | a excepción de | en caso de",
    relative=r"que | quienes? | cuy\w+",
    verb=(
        "es | son | está | están | era | eran | será | serán | puede | pueden | tiene | tienen | debe | permite | ofrece"
        " | ofrecen | incluye | incluyen | conserva | conservan | cuesta | dura | caduca | recibe | reciben"
    ),
    auxiliary="es | son | está | están | puede | pueden",
    conjunction="y | o | pero | sino | mientras",
    joining="y | o",
    alternative="o | ni",
    determiner="el | los | las | una? | del",
    preposition="en | para | con | bajo",
    lasting="durante | antes | hasta",
    pronoun="esto | es | son | todos",
    generic="compatibilidad | función | funciones | integración",
    settled="de | en | solo",
    present=(
        r"disponibles? | incluid\w+ | incluye\w* | ofrece\w* | admite\w* | permite\w* | posibles? | permitid\w+ | puede | pueden"
        r" | compatible con | es compatible | soporta\w* | habilitad\w+"
    ),
    missing=r"indisponibles? | excluid\w+ | imposible | prohibid\w+ | carece\w*",
    hedge=(
        r"próximamente | pronto | previst\w+ | planificad\w+ | todavía no | aún no | en el futuro | en desarrollo"
        r" | estará (?:disponible|pronto) | en la hoja de ruta | está planead\w+"
    ),
    contact="contact[ae](?: con)? (?:nosotros|ventas|con ventas) | póngase en contacto | a consultar",
    example=r"por ejemplo | p\. ?ej\.?,? | tales? como | ejemplo(?= ?[:-]) | supongamos | imagin[ae]",
    former=(
        "anteriormente | antes(?! de) | antiguamente | previamente | ya no | antigu[oa](?= (?:límite|precio|valor))"
        r" | originalmente | obsolet\w+"
    ),
    past="era | eran | fue | fueron",
    starts="a partir de(?:l)? | desde(?: el)?",
    ends="hasta(?: el)? | antes de(?:l)?",
    now="ahora | hoy | actualmente | actual | nuev[oa] | desde",
    change=r"aument\w+ | redu\w+ | cambi\w+ | pas(?:a|ó|ado) | subi\w+ | baj\w+ | ampli\w+",
    source="de",
    target="a",
    question="¿.* | cuánt[oa]s? | cuál(?:es)? | cómo | dónde",
    universal="tod[oa]s (?:los|las|nuestros) (?:planes|usuarios|clientes|ediciones)",
    obsolete=r"(?:antigu[oa]s?|obsolet[oa]s?|anterior(?:es)?)(?: [\w-]+){0,2} | antes",
    pending="próximamente | pronto | previsto | planificado | en desarrollo | todavía no(?: disponible)?",
    sample="ejemplos?(?:[ :].*)?",
    announce="siguientes? | a continuación",
    yes="sí | si | incluido | disponible",
    no="no (?:disponible|incluido|compatible) | ningun[oa]",
)
