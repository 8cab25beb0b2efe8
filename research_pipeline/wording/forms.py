"""Forms of words by language: stop words, number words, endings, and forms that no ending explains."""

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
            "a afin ai chez durant pendant temps au aux avec avez avons c ce ceci cela ces cet cette combien comme comment d dans "
            "de des donc dont du elle elles en est et etre eu il ils j je l la le les leur leurs lors lorsque m mais me "
            "meme mes mon n ne nos notre nous on ont ou par pas peut peuvent plus "
            "pour quand que quel quelle quelles quels qui s sa sans se ses si "
            "son sont sous sur t t-il ta te tes ton tous tout toute toutes un une vos votre vous y"
        ),
        "es": _set(
            "a al algo durante tiempo ante aqui asi como con cual cuales cuando cuanta cuantas cuanto cuantos de del desde donde dos e el "
            "ella ellas ellos en entre era es esa ese eso esta este esto estos fue ha han hay la las le les lo los mas me mi "
            "muy no nos o para pero por porque puede pueden que quien se ser si sin sobre son su sus te tiene tu un una uno "
            "unos y ya"
        ),
        "pt": _set(
            "a ao aos durante tempo as ate com como da das de do dos e ela ele em entre era essa esse esta este eu foi ha isso isto ja la "
            "lhe mais mas me mesmo na nao nas no nos o os ou para pela pelo pelos pode podem por quais qual quando quantas "
            "quanto quantos que quem sao se sem ser seu sua um uma voce"
        ),
        "it": _set(
            "a ai al alla durante tempo alle anche che chi ci come con cui da dal dalla dei del della delle di dove e ed essere gli ha "
            "hanno i il in io la le lo ma nei nel nella no non o ogni per piu possono puo quale quali quando quanta quante "
            "quanti quanto questa questo se si sono su sua suo tra un una uno"
        ),
        "nl": _set(
            "aan al als lang bij dan dat de der deze die dit door een en er het hij hoe hoelang hoeveel ik in is je kan kunnen "
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
