"""Cue words of German."""

from __future__ import annotations

from research_pipeline.extraction.languages.table import Language

GERMAN = Language(
    negation=r"nicht | kein(?:e|en|em|er|es)? | nie(?:mals)? | weder | noch(?= (?:30|\d)) | keinesfalls | keineswegs",
    deprivation="ohne",
    late="nicht | kein(?:e|en|em|er|es)?",
    harmless=(
        "nicht nur | nicht zuletzt | ohne (?:jede )?(?:begrenzung|limit|beschränkung) | ob oder nicht | kein problem"
        r" | keine (?:\w+ )?(?:kosten|gebühren?) | nicht (?:geändert|verändert|erhöht|verlängert|angepasst|konfigurierbar)"
    ),
    exclusion=(
        "außer | ausser | ausgenommen | mit ausnahme (?:von|des|der) | anders als | statt | anstatt | anstelle von"
        " | im gegensatz zu(?:r|m)?"
    ),
    beyond="über | oberhalb | mehr als | höher als",
    bound=(
        r"(?:mehr|länger|größer|grösser|höher|älter|später|früher|weniger|kürzer) als | überschreit\w* | übersteig\w* | über"
        " | nach | vor | bis | erst nach | nicht vor"
    ),
    trailing_bound=r"überschreit\w* | übersteig\w* | hinaus | überschritten | nicht überschreiten",
    ending="gelöscht | entfernt | berechnet | verloren | abgerechnet | löschen | überschrieben",
    absence=(
        "verfügbar | enthalten | unterstützt | inbegriffen | angeboten | möglich | erlaubt | gespeichert | aufbewahrt"
        " | vorhanden | gültig | garantiert | ausreichend | erhältlich | inkludiert | vorgesehen"
    ),
    turn=(
        "aber | sondern | jedoch | während | wohingegen | obwohl | weil | sonst | ansonsten | dagegen"
        " | und (?:ist|sind|wird|werden|kann|hat|es|sie|wir)"
    ),
    condition="wenn | falls | sofern | solange | sobald | vorausgesetzt | außer | ausser | ausgenommen | es sei denn | mit ausnahme",
    relative="welche[rsnm]? | deren | dessen",
    verb=(
        "ist | sind | war | waren | wird | werden | kann | können | hat | haben | muss | darf | dürfen | bietet | bieten"
        " | enthält | enthalten | unterstützt | behält | speichert | speichern | gilt | gelten | beträgt | läuft | bekommt"
        " | erhält | erhalten"
    ),
    auxiliary="ist | sind | wird | werden | kann | können",
    conjunction="und | oder | aber | sondern | während",
    joining="und | oder",
    alternative="oder | noch",
    determiner="der | die | das | dem | den | einen? | eine[rsm]?",
    preposition="auf | bei | im | in | für | mit | unter",
    lasting="lang | vor | bis | während",
    pronoun="dies | das | ist | sind | es | alle",
    generic="unterstützung | funktion(?:en)? | integration | option | leider",
    settled="bei | auf | nur",
    present=(
        "verfügbar | enthalten | enthält | unterstützt | unterstützen | inbegriffen | bietet | bieten | möglich | erlaubt"
        " | vorhanden | können | kann | aktiviert | gibt es | umfasst | beinhaltet | erhältlich"
    ),
    missing="nicht mehr verfügbar | ausgeschlossen | fehlt | fehlen | unmöglich | entfällt | eingestellt",
    hedge=(
        "demnächst | bald | in kürze | geplant | in planung | noch nicht | in zukunft | zukünftig | künftig | in arbeit"
        " | in entwicklung | wird (?:bald|demnächst|voraussichtlich) | voraussichtlich | vorgesehen für"
    ),
    contact="(?:kontaktieren sie|kontaktiere) (?:uns|den vertrieb) | auf anfrage | vertrieb kontaktieren",
    example=r"zum beispiel | z\. ?b\.?,? | beispielsweise | angenommen | beispiel(?= ?[:-])",
    former=(
        "früher(?! als) | bisher(?:ige[rsn]?)? | vormals | ehemals | zuvor | vorher | ursprünglich | einst | nicht mehr(?! als)"
        " | veraltet | alte[rsn]?(?= (?:grenze|limit|wert|preis))"
    ),
    past="war | waren | betrug | wurden | lag",
    starts="ab(?: dem)? | vom | seit | beginnend",
    ends="bis(?: zum| einschließlich)? | vor(?: dem)?",
    now="jetzt | nun | heute | aktuell | derzeit | inzwischen | mittlerweile | neu | seit | nunmehr",
    change="erhöht | gesenkt | reduziert | geändert | angehoben | verlängert | verkürzt | gestiegen | steigt | ändert",
    source="von",
    target="auf",
    question=(
        "wie (?:lange|viele?|oft|groß|hoch) | welche[rsnm]? | (?:wann|wo|warum|wer|was) | gibt es"
        " | (?:kann|können|bieten|haben) (?:ich|sie|wir)"
    ),
    universal=r"(?:allen?|jede[rsmn]?) (?:\w+ )?(?:plänen?|pläne|tarifen?|tarife?|kunden|nutzer|editionen)",
    obsolete=r"(?:alte[rsn]?|frühere[rsn]?|bisherige[rsn]?|veraltet|ehemalige[rsn]?)(?: [\w-]+){0,2} | vorher | bisher",
    pending="demnächst(?: .*)? | geplant(?:e .*)? | in planung | bald(?: verfügbar)? | in entwicklung | noch nicht(?: verfügbar)?",
    sample="beispiele?(?:[ :].*)? | .{1,40} beispiele?",
    announce=r"folgende\w* | nachstehend\w*",
    yes="ja | enthalten | inklusive | verfügbar | inbegriffen | unterstützt",
    no="nein | kein(?:e|er|s)? | nicht (?:enthalten|verfügbar|unterstützt|inbegriffen|möglich)",
)
