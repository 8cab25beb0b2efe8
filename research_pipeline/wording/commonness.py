"""Words that name no subject, or name one only beside others; no vendor, product or site is among them."""

from __future__ import annotations


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Words that ask or relate instead of naming a subject: a place that answers may say it with others.
RELATING = _set(
    "retain delete expire limit allow price create size minimum plan require apply set commit guarantee rate number value percentage "
    "percent commitment send contain cover stand choose enforce recommend store single last remain count total overall long old often "
    "fast quick big large soon late accept handle run version period time during spend view see export enable disable manage "
    "configure download restore search filter show display open edit add change update receive permettre permet stellt stellen 最大 最小 "
    "期間 期间 日間 時間 何日 何時 何年 多长 长时 时间 多久"
)
# Verbs so light that they say nothing of what is asked.
LIGHT = _set(
    "again use need get do make offer give take stay be have happen work exist mean know want provide let put come go ones "
    "seemingly apparently usually normally ordinarily typically ordinary particular certain exactly actually simply merely really "
    "roughly approximately "
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
