"""Cue words of French."""

from __future__ import annotations

from research_pipeline.extraction.languages.table import Language

FRENCH = Language(
    negation=(
        "pas | jamais | aucun(?:e|es|s)? | ni | rien | nullement"
        " | plus(?= (?:pris|disponible|inclus|support|propos|conserv|valable|possible))"
    ),
    deprivation="sans",
    harmless=(
        "pas seulement | non seulement | pas uniquement | sans (?:aucune )?limite | sans limitation"
        r" | aucun (?:problème|frais|coût) | pas (?:modifi\w+|chang\w+|augment\w+|configurable)"
    ),
    exclusion=(
        "sauf | excepté | à l'exception (?:de|du|des) | hormis | à part | autres? que | contrairement (?:à|au|aux)"
        " | au lieu (?:de|du|des) | hors | plutôt que"
    ),
    beyond="au-dessus d(?:e|u|es) | plus que",
    bound=(
        r"plus (?:de|longtemps que|d'une?|que) | au-delà (?:de|des|du|d') | dépass\w+ | excéd\w+ | supérieur\w* (?:à|aux?)"
        r" | après | avant | jusqu'(?:à|au|en) | moins de | ancien\w* (?:de|que) | ne\b[^.;]*\bque | n'[^.;]*\bque"
    ),
    ending=r"supprim\w+ | effac\w+ | factur\w+ | perdu\w* | débit\w+",
    absence=(
        r"disponibles? | inclus(?:es?)? | pris(?:es?)? en charge | proposé\w* | conservé\w* | possibles? | autorisé\w*"
        r" | compris(?:es?)? | offert\w* | garanti\w* | valables? | supporté\w* | suffisant\w* | stocké\w*"
    ),
    turn=(
        "mais | cependant | tandis que | alors que | bien que | car | parce que | sinon | toutefois | en revanche"
        " | et (?:est|sont|sera|peut|il|ils|elle|nous|vous)"
    ),
    condition=(
        "si | s'il | lorsque | quand | à condition (?:que|de) | tant que | sauf(?: si)? | excepté | à l'exception | hormis | sous réserve"
    ),
    relative=r"qui | dont | lesquel\w+",
    verb=(
        "est | sont | était | étaient | sera | seront | peut | peuvent | ont | doit | doivent | permet | offre | offrent"
        " | inclut | conserve | conservons | propose | coûte | dure | expire | comprend | bénéficient? | reçoivent"
    ),
    auxiliary="n(?=') | est | sont | sera | peut | peuvent | ne",
    conjunction="et | ou | mais | tandis",
    joining="et | ou",
    alternative="ou | ni",
    determiner="une? | la | le | les | du | des",
    preposition="sur | pour | dans | en | avec | chez",
    lasting="pendant | avant | durant",
    pronoun="ceci | cela | est | sont | tous",
    generic="prise en charge | fonctionnalités? | intégration",
    settled="de | à | fixée? à | limitée? à",
    present=(
        "disponibles? | inclus(?:es?)? | pris(?:es?)? en charge | prend en charge | prennent en charge | inclut | incluent"
        r" | propose | proposons | offre | permet | possibles? | autorisé\w* | pouvez | peuvent | comprend | supporte | activé\w*"
    ),
    missing=r"indisponibles? | exclu(?:e|s|es)? | impossible | interdit\w* | manque",
    hedge=(
        "bientôt | prochainement | à venir | prévu(?:e|s|es)? | pas encore | à l'avenir"
        r" | en cours de (?:développement|déploiement) | envisag\w+ | sera (?:bientôt|prochainement|disponible)"
        " | seront (?:bientôt|disponibles) | sur la feuille de route"
    ),
    contact="contactez(?:-nous| le service commercial| notre équipe) | nous contacter | sur devis | sur demande",
    example=r"par exemple | p\. ?ex\.?,? | ex\. ?: | tel(?:le)?s? que | comme par exemple | exemple(?= ?[:-]) | supposons | imaginons",
    former=(
        "auparavant | précédemment | anciennement | autrefois | jadis | ancien(?:ne)?(?= (?:limite|tarif|prix|valeur))"
        " | à l'origine | initialement | obsolète | n'[^.;,]{0,20}plus(?! d| que| longtemps)"
    ),
    past="était | étaient",
    starts="à partir (?:de|du|d') | dès | à compter (?:de|du)",
    ends="jusqu'(?:en|au|à) | avant | avant le",
    now="désormais | maintenant | aujourd'hui | actuellement | à présent | dorénavant | nouvelle? | depuis",
    change=r"augment\w+ | rédui\w+ | pass(?:e|é|ée|er|ent) | port(?:é|ée|er) | chang\w+ | abaiss\w+ | prolong\w+",
    source="de",
    target="à",
    question="combien | quel(?:le)?s? | est-ce que | comment | pourquoi | quand | où | peut-on | proposez-vous",
    universal=r"tou(?:s|tes) (?:les|nos) (?:\w+ )?(?:forfaits?|offres?|plans?|formules?|clients?|utilisateurs?|éditions?)",
    obsolete=r"(?:ancien(?:ne)?s?|obsolètes?|précédente?s?)(?: [\w-]+){0,2} | avant",
    pending="bientôt(?: disponible)? | à venir | prochainement | prévue?s? | pas encore(?: disponible)? | feuille de route",
    sample="exemples?(?:[ :].*)?",
    announce="suivante?s? | ci-dessous",
    yes="oui | inclus(?:e|es)? | disponible | pris en charge",
    no="non | aucun(?:e)? | non (?:disponible|inclus|pris en charge|inclus(?:e|es)?) | pas (?:disponible|inclus)",
)
