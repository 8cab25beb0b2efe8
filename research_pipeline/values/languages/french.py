"""The French row."""

from __future__ import annotations

from research_pipeline.values.languages.row import Language

FRENCH = Language(
    code="fr",
    small="un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix_sept dix_huit dix_neuf",
    tens="vingt trente quarante cinquante soixante soixante_dix quatre_vingt quatre_vingt_dix",
    joined=("{ten} {unit}", "{ten} et {unit}"),
    numbers={"1/2": "demi une_demi", "72": "soixante_douze", "80": "quatre_vingts", "100": "cent"},
    scales={"3": "mille", "6": "millions", "9": "milliard milliards"},
    articles="un une",
    time_units={
        "millisecond": "milliseconde millisecondes",
        "second": "seconde secondes",
        "minute": "minute minutes",
        "hour": "heure heures",
        "day": "jour jours j! jours_calendaires jours_consécutifs",
        "week": "semaine semaines",
        "month": "mois",
        "quarter": "trimestre trimestres",
        "year": "an ans année années",
        "business day": "jour_ouvré jours_ouvrés jour_ouvrable jours_ouvrables",
    },
    months="janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    short_months="janv févr mars avr mai juin juil août sept oct nov déc",
    per="par",
    every="chaque toutes_les tous_les",
    period_before="période_de tranche_de intervalle_de",
    per_time="à_l' en",
    adverbs={"month": "mensuel mensuels mensuelle mensuellement", "year": "annuel annuellement"},
    bounds={
        "up to": "jusqu'à jusqu'a au_maximum au_plus maximum_de un_maximum_de pas_plus_de limité_à dans_les sous",
        "at least": "au_moins au_minimum minimum_de un_minimum_de pas_moins_de à_partir_de",
        "more than": "plus_de supérieur_à supérieure_à au-delà_de",
        "less than": "moins_de inférieur_à inférieure_à",
    },
    bounds_after={"at least": "ou_plus ou_supérieur minimum", "up to": "ou_moins maximum"},
    lasting="pour pendant après dans sous jusqu'à durant en d'",
    ago_before="il_y_a",
    range_joints="à",
    range_pairs=("entre", "et"),
    alternatives="ou",
    percent="pour_cent pourcent pourcents",
    currencies={"EUR": "euros"},
    and_a_half="et_demi et_demie",
    unlimited="illimité illimitée illimités illimitées sans_limite",
    forever="indéfiniment pour_toujours",
    yes="oui vrai",
    no="non faux",
    function_words="le la les des et par est un une du pour avec semaine jours",
)
