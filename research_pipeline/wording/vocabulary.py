"""The words that comparing needs to know, by language: stop words, endings, synonyms, phrases, and words that name no subject.

The tables stay small and general; no vendor, product or site is in them.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Plain words (no accents) that tell nothing of a subject.
STOP_WORDS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "en": _set(
            "a about after all also am an and any are aren as at be been before being both but by can could did do does doesn "
            "don done e each eg either else etc every far for from g get gets give given gives got had has have having he her here his "
            "how i if in into is isn it its itself just let long made make makes many may me might more most much must my no "
            "nor not of on once only or other our out over own per s same she should so some such t than that the their them "
            "then there these they this those through to too under until unless up upon us very was we were what when where which "
            "while who whom whose why will with within won would you your across against along among onto since toward towards via"
        ),
        "de": _set(
            "aber alle als am an auch auf aus bei bekommt bin bis da darf das dass dem den der des die dies diese diesem "
            "diesen dieser dieses doch du durch durfen ein eine einem einen einer eines er es euch fur gibt haben hat hier "
            "ich ihr im in ist ja je kann konnen lang lange man mehr mit muss mussen nach nicht noch nur oder pro sein seine "
            "sich sie sind so soll sollen sondern sowie uber um und uns unter viel viele vielen vom von vor wann warum was "
            "weil welche welchem welchen welcher welches wenn wer werden wie wieviel wir wird wo wofur zu zum zur"
        ),
        "fr": _set(
            "a afin ai au aux avec avez avons c ce ceci cela ces cet cette combien comme comment d dans de des donc dont du "
            "elle elles en est et etre eu il ils j je l la le les leur leurs lors lorsque m mais me meme mes mon n ne nos "
            "notre nous on ont ou par pas peut peuvent plus pour quand que quel quelle quelles quels qui s sa sans se ses si "
            "son sont sous sur t t-il ta te tes ton tous tout toute toutes un une vos votre vous y"
        ),
        "es": _set(
            "a al algo ante aqui asi como con cual cuales cuando cuanta cuantas cuanto cuantos de del desde donde dos e el "
            "ella ellas ellos en entre era es esa ese eso esta este esto estos fue ha han hay la las le les lo los mas me mi "
            "muy no nos o para pero por porque puede pueden que quien se ser si sin sobre son su sus te tiene tu un una uno "
            "unos y ya"
        ),
        "pt": _set(
            "a ao aos as ate com como da das de do dos e ela ele em entre era essa esse esta este eu foi ha isso isto ja la "
            "lhe mais mas me mesmo na nao nas no nos o os ou para pela pelo pelos pode podem por quais qual quando quantas "
            "quanto quantos que quem sao se sem ser seu sua um uma voce"
        ),
        "it": _set(
            "a ai al alla alle anche che chi ci come con cui da dal dalla dei del della delle di dove e ed essere gli ha "
            "hanno i il in io la le lo ma nei nel nella no non o ogni per piu possono puo quale quali quando quanta quante "
            "quanti quanto questa questo se si sono su sua suo tra un una uno"
        ),
        "nl": _set(
            "aan al als bij dan dat de der deze die dit door een en er het hij hoe hoelang hoeveel ik in is je kan kunnen "
            "maar met naar niet nog of om onze ook op over per te tot u uit van veel voor waar wanneer wat we welke wie wij "
            "worden wordt ze zich zijn zo"
        ),
    }
)

_UP_TO_TWELVE = "zero one two three four five six seven eight nine ten eleven twelve"
NUMBER_WORDS: Mapping[str, str] = MappingProxyType(
    {word: str(number) for number, word in enumerate(_UP_TO_TWELVE.split())}
    | {"fifteen": "15", "twenty": "20", "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "ninety": "90", "hundred": "100"}
)

# Forms that no ending explains, as `form:stem`.
_IRREGULAR = (
    "using:use used:use kept:keep sent:send held:hold built:build paid:pay men:man shown:show began:begin begun:begin spent:spend "
    "bought:buy sold:sell lost:lose found:find told:tell met:meet run:run ran:run chosen:choose chose:choose hidden:hide broken:break "
    "written:write wrote:write driven:drive taken:take took:take given:give known:know withdrawn:withdraw forgotten:forget "
    "left:leave lent:lend thrown:throw drawn:draw grown:grow sought:seek taught:teach brought:bring caught:catch fell:fall "
    "cancelled:cancel cancelling:cancel canceled:cancel canceling:cancel cancellation:cancel cancellations:cancel "
    "labelled:label labelling:label travelled:travel levelled:level signalled:signal controlled:control controlling:control "
    "expiration:expire expiry:expire renewal:renew renewals:renew approval:approve approvals:approve removal:remove "
    "upgradable:upgrade upgradeable:upgrade configurable:configure changeable:change adjustable:adjust refundable:refund "
    "reachable:reach transferable:transfer renewable:renew billing:bill pricing:price children:child people:person"
)
IRREGULAR: Mapping[str, str] = MappingProxyType({form: stem for form, _, stem in (entry.partition(":") for entry in _IRREGULAR.split())})

# Endings that inflect, longest first, without accents; English has rules of its own.
ENDINGS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        language: tuple(endings.split())
        for language, endings in {
            "de": "ungen tet ten ern et em en er es ung te e n s t",
            "fr": "ements ement ations ation ees aux ent ee es er ez e s x",
            "es": "aciones acion amente ados adas ado ada os as es o a e s",
            "pt": "acoes acao mente ados adas ado ada os as es o a e s",
            "it": "azioni azione mente ati ate ato ata i e o a",
            "nl": "ingen ing en er es e s n",
            "ru": "иями ями ами ого ему ов ев ей ия ий ый ая ое ые ы и а я у ю е о ь",
        }.items()
    }
)

# Words of documentation that name one thing. A class stays small: a word is in it only where it could replace the others in a question.
SYNONYMS = (
    (
        "retain retention keep kept store stored storage save preserve hold held persist archive remember conserve bewahren "
        "gespeichert stocker aufbewahren aufbewahrt speichern conserver conservar"
    ),
    (
        "delete deletion remove removal removed purge erase discard wipe destroy drop clear entfernen entfernt effacer loschen "
        "loscht geloscht supprimer supprime eliminar elimina borrar"
    ),
    (
        "expire expiry expiration expires lapse validity valid lifetime lifespan ttl live gultig gilt gelten ablauf expiration "
        "gultigkeit ablaufen valable validite expirer"
    ),
    (
        "limit limits limited maximum max cap capped quota ceiling threshold bound longest largest biggest highest most "
        "greatest latest limite maximal "
        "maximale hochstens grenze obergrenze maximo"
    ),
    (
        "allow allowed allowance permit permitted may enable tolerate tolerated accept accepted let lets erlauben erlaubt "
        "permettre permet permite permiten"
    ),
    "price pricing cost costs fee fees charge charged bill billed pay payable worth prix cout coute preis kostet kosten precio cuesta",
    "plan plans tier tiers edition editions package subscription tarif tarife forfait offre",
    "signin login logon logging-in sign-in anmelden anmeldung connexion",
    "email e-mail mail courriel courriels",
    "ram memory",
    "size sizes large filesize big gross taille tamano",
    "region regions location locations located datacenter locate",
    "request requests call calls query queries anfrage anfragen requete requetes solicitud solicitudes",
    "support supported supports offer offers provide provides provided available include included includes",
    "name names named",
    "create created creation register registered registration issue issued issuance emettre ausstellen",
    "minute minutes minuten minuto minutos minuti",
    "second seconds seconde secondes sekunde sekunden segundo segundos secondi",
    "hour hours heure heures stunde stunden hora horas ora ore uur",
    "day days jour jours tag tage tagen dia dias giorno giorni dag dagen",
    "week weeks semaine semaines woche wochen semana semanas settimana settimane weken",
    "month months mois monat monate monaten mes meses mese mesi maand maanden",
    "year years annee annees an ans jahr jahre jahren ano anos anno anni jaar",
    "daily quotidien quotidienne taglich tagliche diario diaria",
    "weekly hebdomadaire wochentlich wochentliche semanal",
    "monthly mensuel mensuelle monatlich monatliche mensual",
    "yearly annual annually annuel annuelle jahrlich jahrliche anual",
    "2fa mfa twofactor multifactor twofactorauthentication",
    "unauthenticated anonymous unregistered",
    "user users member members seat seats customer customers subscriber subscribers nutzer benutzer kunde kunden utilisateur utilisateurs",
    "org organization organisation",
    "env environment environnement umgebung",
    "repo repository repositories",
    "doc docs document documentation",
    "db database databases",
    "config configuration configure settings setting",
    "default defaults standard preset initially standardmassig voreingestellt",
    "backup backups snapshot snapshots sicherung sicherungen sauvegarde sauvegardes",
    "file files datei dateien fichier fichiers archivo archivos",
    "log logs protokoll protokolle journal journaux registro registros",
    "trial trials evaluation testzeitraum testphase essai prueba",
    "last final",
    "first initial",
    "severity priority urgency",
    "throughput rate",
    "respond response reply replies answer answers acknowledge acknowledgement acknowledged antwort antworten reponse repondre",
    "minimum min least shortest smallest lowest earliest oldest fastest quickest soonest minimal minimale mindestens",
    "discount discounts discounted reduction reductions rebate rabatt ermassigung remise descuento",
    "team teams",
    "inactivity inactive idle dormant unused",
    "trash recycle bin",
    "disable disabled deactivate deactivated suspend suspended suspension pause paused",
    "outage outages incident incidents downtime",
    "nonprofit charity charities charitable ngo gemeinnutzig",
    "university universities academic academia educational education school schools universitat universite",
    "outbound egress outgoing ausgehend sortant",
    "inbound ingress incoming eingehend entrant",
    "pending outstanding unfinished awaiting ausstehend",
    "abandoned dead unmaintained orphaned orphan stale",
    "wait waiting waits timeout timeouts warten attendre",
    (
        "reject rejected refuse refused refuses deny denied decline declined block blocked forbid forbidden prohibit prohibited "
        "ablehnen abgelehnt refuser"
    ),
    "contact contacts reach",
    "begin begins start starts started launch launched commence introduce introduced",
    "cancel cancels terminate terminated termination quit kundigen kundigung gekundigt resilier resiliation annuler",
    "purchase purchases purchased buy buys acquire kaufen acheter achat",
    "sell sells sale sales resell verkaufen vendre",
    "invoice invoices rechnung rechnungen facture factures",
    "admin admins administrator administrators owner owners administrateur",
    "staff employee employees personnel mitarbeiter",
    "concurrent concurrently simultaneous simultaneously parallel gleichzeitig simultane simultanement",
    "total overall altogether combined together aggregate sum insgesamt gesamt",
    "duration durations lasting dauer dauern dauert duree durer",
    "force forced enforce enforced enforces enforcement mandatory compulsory obligatory erzwingen",
    "compatible compatibility",
    "connection connections conn connect connects connected verbindung verbindungen connexions",
    "cpu cpus vcpu vcpus processor processors core cores",
    "disk disks drive ssd hdd festplatte disque",
    "host hosts machine machines vm instance instances",
    "tls ssl",
    "consecutive consecutively row successive succession",
    "newest recent",
    "error errors failure failures fail fails failed failing fehler erreur echec",
    "refresh renewal rotate rotation rotates renew renews renewed renewal refresh refreshed erneuern renouveler renouvellement",
    "restore restores restored recover recovered recovery undelete wiederherstellen restaurer",
    "export exports exported extract extraction exportieren exporter",
    "import imports imported importieren importer",
    "upgrade upgrades upgraded upgrading",
    "update updates updated modify modified modification change changes changed changing alter altered edit aktualisieren andern modifier",
    "attempt attempts try tries retry retries tentative versuch versuche",
    "upload uploads uploaded hochladen televerser",
    "download downloads downloaded herunterladen telecharger",
    "interval intervals frequency often frequently cadence haufig",
    "encrypt encrypted encryption encrypts cipher verschlusselt verschlusselung chiffrement chiffre",
    "password passwords passphrase passwort kennwort",
    "key keys schlussel cle cles",
    "character characters char chars zeichen caractere caracteres",
    "certificate certificates cert certs zertifikat zertifikate certificat certificats",
    (
        "authorization authorizations authorisation authorisations berechtigung berechtigungen autorisierung autorisierungen "
        "autorisation autorisations"
    ),
    "country countries nation land lander pays",
    "address addresses adresse adressen adresses",
    "account accounts konto konten compte comptes cuenta cuentas",
    "page pages seite seiten",
    "refund refunds refunded reimburse reimbursed reimbursement ruckerstattung remboursement rembourser",
    "promise promises promised guarantee guarantees guaranteed commitment commit garantie garantieren garantir",
    "uptime availability verfugbarkeit disponibilite",
    "downgrade downgrades downgraded",
    "audit audits audited",
    "staging sandboxed",
    "sync synchronize synchronise synchronization synchronisation",
    "license licence licenses licences licensing lizenz",
    "reseller partner partners",
    "wallet balance credits credit guthaben",
    "overage overages excess exceeding extra additional zusatzlich supplementaire",
    "share shares shared sharing teilen partager",
    "archived archival",
    "phone telephone telefon",
    "mobile smartphone",
    "holiday holidays vacation feiertag",
    "weekend weekends wochenende",
    "nightly overnight night",
    "hourly stundlich",
    "attachment attachments anhang anhange",
    "picture pictures image images photo photos bild bilder",
    "video videos clip clips",
    "folder folders directory directories ordner verzeichnis dossier",
    "command commands befehl befehle",
    "program programs programme executable binary programm",
    "thread threads",
    "field fields column columns feld felder",
    "label labels",
    "message messages nachricht nachrichten",
    "comment comments kommentar kommentare commentaire",
    "order orders bestellung bestellungen commande commandes",
    "task tasks job jobs aufgabe aufgaben tache",
    "crash crashes crashed abort aborted",
    "slow slower slowdown slows",
    "fast faster quick quicker quickly speed rapid rapidly",
    "notice notices notify notified notification notifications warning warnings warn warned alert alerts inform informed",
    "moderate moderation moderator",
    "verify verified verification verifies prove proof validate validated validation validates validierung verifizieren verifier",
    "approve approved approves review reviewed reviews genehmigen approuver",
    "publish published publishes release released releases veroffentlicht publier",
    "announce announced announcement",
    "deprecated deprecation sunset retired retirement obsolete",
    "join joins joined enroll enrol enrolled",
    "invite invites invited invitation invitations einladung einladungen",
    "leave leaves quits",
    "attach attached attaches link linked",
    "transfer transfers transferred move moved migrate migration migrated",
    "revoke revoked revocation invalidate invalidated",
    "reset resets",
    "rollback revert reverted",
    "duplicate duplicates copy copies copied clone cloned",
    "throttle throttled throttling ratelimit ratelimited",
    "replica replicas replication",
    "nickname alias aliases",
    "subdomain subdomains",
)

# Several words that are written as one elsewhere: `single sign-on` is `SSO`.
PHRASES = tuple(
    (tuple(phrase.split()), joined)
    for phrase, joined in {
        "single sign on": "sso",
        "service level agreement": "sla",
        "two factor authentication": "2fa",
        "two step verification": "2fa",
        "multi factor authentication": "2fa",
        "multifactor authentication": "2fa",
        "two factor": "2fa",
        "multi factor": "2fa",
        "log in": "login",
        "sign in": "signin",
        "e mail": "email",
        "time to live": "ttl",
        "pull request": "pullrequest",
        "merge request": "pullrequest",
        "data center": "datacenter",
        "data centre": "datacenter",
        "file size": "filesize",
        "real time": "realtime",
        "self hosted": "selfhosted",
        "on premises": "selfhosted",
        "out of the box": "default",
        "unless changed": "default",
        "unless somebody changes": "default",
        "unless someone changes": "default",
        "unless one changes": "default",
        "unless we change": "default",
        "unless configured": "default",
        "unless configured otherwise": "default",
        "unless set": "default",
        "unless specified": "default",
        "unless otherwise specified": "default",
        "unless told otherwise": "default",
        "unless stated otherwise": "default",
        "unless i change it": "default",
        "unless you change it": "default",
        "unless it is changed": "default",
        "if nothing is set": "default",
        "if none is given": "default",
        "if none is set": "default",
        "if not specified": "default",
        "if unspecified": "default",
        "if omitted": "default",
        "when omitted": "default",
        "non profit": "nonprofit",
        "not for profit": "nonprofit",
        "at once": "concurrent",
        "at the same time": "concurrent",
        "at any time": "concurrent",
        "at a time": "concurrent",
        "at any one time": "concurrent",
        "in parallel": "concurrent",
        "in a row": "consecutive",
        "in total": "total",
        "in all": "total",
        "at most": "maximum",
        "no more than": "maximum",
        "not more than": "maximum",
        "not exceed": "maximum",
        "at least": "minimum",
        "no less than": "minimum",
        "no fewer than": "minimum",
        "run out": "expire",
        "runs out": "expire",
        "opt out": "unsubscribe",
        "sign out": "signout",
        "signed out": "signout",
        "logged out": "signout",
        "log out": "signout",
        "logs out": "signout",
        "logging out": "signout",
        "signs out": "signout",
        "signing out": "signout",
        "switch off": "disable",
        "switched off": "disable",
        "turn off": "disable",
        "turned off": "disable",
        "switch on": "enable",
        "switched on": "enable",
        "turn on": "enable",
        "turned on": "enable",
    }.items()
)

# Stems of joined phrases that bear one of their words by itself.
PARTS: Mapping[str, tuple[str, ...]] = MappingProxyType({"filesiz": ("file",)})

# Words that ask or relate instead of naming a subject: a place that answers may say it with others.
RELATING = _set(
    "retain delete expire limit allow price create size minimum plan require apply set commit guarantee rate number value percentage "
    "percent commitment send contain cover stand choose enforce recommend store single last remain count total overall long old often "
    "fast quick big large soon late accept handle run version period time during spend view see export enable disable manage "
    "configure download restore search filter show display open edit add change update receive permettre permet stellt stellen 最大 最小"
)
# Verbs so light that they say nothing of what is asked.
LIGHT = _set(
    "use need get do make offer give take stay be have happen work exist mean know want provide let put come go ones seemingly apparently "
    "usually normally ordinarily typically ordinary particular certain exactly actually simply merely really roughly approximately "
    "above below beyond "
    "bleiben bleibt geht gehen kommt kommen macht machen passer faire mettre"
)
# Nouns that most pages of a product's documentation bear.
COMMON = _set(
    "support access api service account customer data platform application app product user request call new doc page feature option type "
    "login signin system tool project name region client dashboard url http document default amount level people person ticket severity "
    "zone cluster record history entry organization database"
)
# General verbs, adjectives and adverbs: a page that answers is as likely to say it with others.
GENERAL = _set(
    "able acknowledge actually first contractually contractual tenant automatic automatically automated "
    "additional advance advise ahead alive altogether announce another appear arrive ask attempt "
    "automatically available avoid away back become before begin behave belong between big bring build call cancel carry "
    "cause certain charge check clean close combine common complete concurrent concurrently configure confirm connect "
    "consecutive consider consist contact contain continue correct count current currently deal decide define depend describe "
    "differ different directly do ensure enter entire entirely even evenly ever exact exactly exceed expect extra face fail "
    "fall fast feel few fill find finish fire fit fix follow force free full further generally go grow guarantee happen hard "
    "help high hit immediately individual initial initially inside instead invite involve join know large last late later "
    "lead least leave left length less let likely limited list live long longer look lose low main maintain major many mark "
    "maximal mean meet minor move much multiple native natively near need next normal normally notify obtain occur offer "
    "often old once open operate order ordinary overall owe own part particular pass pay perform permanently permit place "
    "possible preset pretty prior process produce promise proper public publish put quick quickly rapid reach read ready real "
    "really receive recent recently recommend reduce refuse regular reject release remember rent report represent resolve "
    "rest result return right rotate row run safe same save say seem seemingly separate serve set several short shorter show "
    "shut similar simple simultaneous simultaneously single slow small soon special specific specify spend stand start state "
    "stay step still stop straight submit succeed successful sure survive sustain switch take talk tell temporary terminate "
    "think throw tolerate total touch treat trigger try turn typical unlimited unused upcoming usual usually various wait "
    "want whole wipe work worth write physically physical officially publicly"
)
# Words that name a subject only beside others: they weigh little where they are asked for, and still narrow the word behind them.
MODEST = _set(
    "accident adapt adjust affect agree aim alike alter alternate amid amount anyone anybody anything apart apparent appropriate "
    "approximate arrange aspect assign assume attain average aware bare basic basis bear become beforehand beyond bit born "
    "bother bound brief broad case center central chance choice collect come compare compose conclude condition consent "
    "consequence correspond course create cross custom deep degree deliver derive despite detail determine develop discover "
    "distinct drop due duration during dynamic eager ease easy effect efficient effort elapse eligible else emit employ encounter end "
    "enforce enjoy enough equal essential establish everyone everything evident except exclude exist explain explicit express "
    "extend extent factor familiar favour finally form former forth found front fully gain gather general generate goal grace "
    "grant halt hand handle hear heavy hence hold idea identical ideal imply important inform intend interact internal "
    "introduce issue keep kind lack latter launch light likewise locate lone lot low manage manner manual match matter "
    "maximum merely method middle mind minimum miss moment mostly nature necessary nobody nominal none nothing notice obvious occasion "
    "option originally otherwise outside outstanding own particularly perhaps pick plain point "
    "power practice precise prefer present press prevent previous principle probably problem proceed prompt proportion purpose "
    "push quantity quite raise range rare rather ratio reason recall reduction register relate relevant rely "
    "remain remove replace reserve resist respect respond restrict retain retrieve role rough rule same scale scope seek select "
    "sense sequence serious share side significant simply situation someone somebody something sort speak "
    "speed split spread staff status stop store strong subject subsequent substantial suffer suggest suit supply suppose "
    "surface suspend tend term thing think thorough thus tie tight together top trust truth under unit unless upgrade "
    "useful value vary view vital voluntary way weak win wish wonder worry wrong yet yield server allow deny reject "
    "guide according seem cost consecutive pending contact begin cancel total force slow "
    "restore attempt newest verify approve publish announce join leave transfer reset "
    "shut production obtain release nothing date live oldest newly refresh"
)
