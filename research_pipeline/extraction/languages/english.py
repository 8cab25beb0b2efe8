"""Cue words of English."""

from __future__ import annotations

from research_pipeline.extraction.languages.table import Language

ENGLISH = Language(
    negation=(
        r"not | \w+n't | (?:do|does|did|is|are|was|were|ca|wo|has|have)nt | cannot | never | no | none | neither | nor | nobody"
        " | nothing | fails? to | lacks? | excludes? | refus(?:es?|ed) to | hardly | (?:false|untrue|wrong|a myth) that"
        " | contrary to | nowhere | by no means | in no way | anything but"
        r" | (?:wrongly|incorrectly|mistakenly|falsely|erroneously) \w+ | ignore | disregard | rejects? the | rejected the"
        " | disput(?:e|es|ed) | den(?:y|ies|ied) that | as (?:if|though) | few would"
    ),
    deprivation="without | minus",
    harmless=(
        r"(?:not|\w+n't|never) (?:only|just|merely|simply|solely) | not to mention | whether or not | no matter | no doubt"
        r" | no surprise | no problem | with no \w+ | last but not least | including but not limited to | without (?:any )?limits?"
        r" | no\. ?\d+ | no-\w+ | not-\w+"
        r" | no (?:\w+ ){0,2}(?:charge|costs?|fees?|downtime|commitment|obligation|questions asked|setup)"
        r" | no (?:[\w-]+ ){1,4}(?:required|needed|necessary) | (?:do not|don't) (?:worry|forget|hesitate|miss|panic) | nothing but"
        r" | (?:not|\w+n't|never|cannot) (?:affect|change|alter|reset|extend|shorten|replace|override|count (?:towards?|against))"
        r" | (?:not|\w+n't|cannot) (?:be )?(?:changed|altered|raised|increased|extended|reduced|lowered|configur\w+|adjust\w+"
        "|negotiable)"
        " | not to worry"
    ),
    exclusion=(
        "except(?:ing)?(?: for)? | excluding | excludes? | other than | apart from | aside from | with the exception of"
        " | unlike | instead of | rather than | as opposed to | besides | outside(?: of)? | barring | save for | all but"
        " | exclusive of | compared (?:to|with) | in contrast to | everything but | anything but"
        " | (?:plan|tier|edition|customer|user)s? but | far from | short of"
    ),
    beyond="above | beyond | over | below | under | (?:higher|lower|more|less|bigger|better) than",
    bound=(
        "(?:more|longer|larger|greater|bigger|older|higher|later|earlier|fewer|less|lower|smaller|newer|sooner|faster"
        r"|further|wider|heavier)(?: \w+){0,2} than"
        " | exceed(?:s|ed|ing)? | beyond | over | above | until | till | before | after | past | in excess of | prior to"
        " | surpass(?:es)? | unless | except | other than | outside(?: of)?"
        " | (?:stay|remain|keep|go|drop|fall) (?:below|under|within) | below"
    ),
    trailing_bound="or (?:more|older|later|longer|larger|above) | and (?:above|older)",
    ending=(
        "delet(?:e|es|ed|ing) | remov(?:e|es|ed|ing) | expir(?:e|es|ed|ing) | purg(?:e|es|ed|ing) | eras(?:e|es|ed|ing)"
        " | discard(?:s|ed)? | charg(?:e|es|ed|ing) | billed | los(?:e|es|t|ing) | suspend(?:s|ed)? | deactivated?"
        " | reclaim(?:s|ed)? | overwritten | evicted"
    ),
    absence=(
        "available | offered | supported | provided | allowed | permitted | possible | included | kept | stored | retained"
        " | granted | accepted | guaranteed | applicable | valid | correct | true | enough | sufficient | saved | preserved"
        " | recorded | enforced | covered | what | apply(?! to) | exist"
        r" | the (?:\w+ ){0,2}(?:limit|default|maximum|minimum|period|case) | our (?:\w+ ){0,2}(?:limit|default|policy)"
        " | introduced | implemented | established | released | announced"
    ),
    turn=(
        "but | however | while | whereas | although | though | because | so that | otherwise | instead(?! of) | meanwhile"
        " | then | nevertheless | (?<=, )only"
        " | (?:and|or|so) (?:is|are|was|were|will|can|may|has|have|does|do|it|they|we|you|this|these|those|then|instead|only)"
        " | and (?:keeps?|retains?|stores?|allows?|costs?|gets?|includes?|offers?|supports?|lasts?|expires?|provides?)"
    ),
    condition=(
        "(?:even )?if | unless | (?:even )?when(?:ever)? | once | provided(?: that)? | as long as | only if | in case | subject to"
        " | depending on | assuming | for (?:users|customers|accounts|those) who | except(?: for)? | excluding | other than | apart from"
        " | with the exception of"
    ),
    relative="who | which | that | whose | where",
    verb=(
        "is | are | was | were | will | can | may | must | has | have | had | does | do | did | should | shall | gets? | keeps?"
        " | kept | retain(?:s|ed)? | stor(?:es|ed) | allow(?:s|ed)? | costs? | receives? | includ(?:es?|ed) | offers? | provides?"
        " | supports? | expires? | lasts? | uses? | appl(?:y|ies) | starts? | ends? | requires? | needs? | enables? | remains?"
        " | stays? | resets? | runs? | sends? | returns? | becomes? | (?:it|that)'s | (?:we|they|you)'re | (?:it|you|we|they)'ll"
    ),
    auxiliary=(
        "will | would | must | have | has | had | to | need | needs | can | may | do | does | did | is | are | was | were | be"
        " | been | still | also | currently"
    ),
    conjunction="and | or | but | while | whereas | though",
    joining="and | or",
    alternative="or | nor",
    determiner="an? | the | any | our | this | its | your | free | such | of | on",
    preposition="on | for | in | with | under | at",
    lasting="for | until | before | during | in the first | within the first",
    pronoun=(
        "this | that | it | these | they | which | is | are | be | still | currently | only | just | the | feature | so | yes | both | all"
    ),
    generic=(
        "support | features? | integrations? | functionality | capabilit(?:y|ies) | options? | access | authentication"
        " | protocol | something | anything"
    ),
    settled=(
        "only | just | still | always | about | up | set | been | kept | stored | retained | limited | capped | priced"
        " | available | at | for | to"
    ),
    present=(
        r"(?:is|are|be|been|now|currently|fully|also|natively|only|generally) (?:\w+ly )?(?:available|supported|included"
        "|enabled|offered|provided|possible|allowed|permitted|integrated|covered|bundled|active|built[- ]in)"
        " | available | supported | included | offered | enabled | allowed | permitted | supports? | supporting | support for"
        " | includes? | including | offers? | offering | provides? | providing | allows? | lets? | enables? | comes? with"
        r" | ships? with | (?:has|have)(?! (?:to|been|not|\w+ed)(?!\w)) | features | can | works? with | integrates? with"
        " | (?:is|are) free (?:on|in|for|with) | compatible with | there (?:is|are) | gets? | accepts? | yes"
    ),
    missing=(
        "unsupported | unavailable | incompatible | discontinued | disallowed | prohibited | forbidden | impossible | lacks?"
        " | lacking | (?:has|have|had) been removed | (?:was|were) removed | excluded | excludes? | unable to | absent | missing"
        r" | fails? to | (?:is|are|was) (?:\w+ )?(?:false|incorrect|untrue|wrong|inaccurate|outdated)"
        " | (?:false|incorrect|wrong|untrue) (?:that|to) | (?:is|are|has|have) gone"
        " | (?:has|have|had) been (?:dropped|withdrawn|discontinued|retired|abandoned)"
        " | (?:was|were) (?:dropped|withdrawn|discontinued|retired|abandoned)"
        r" | (?:was|were|has been|have been|is being) (?:\w+ )?(?:lifted|scrapped|abolished|waived|phased out)"
        " | (?:do|go|make do) without | miss(?:es|ed)? out | too (?:small|low|limited|basic) | insufficient"
    ),
    talk=(
        "about | regarding | concerning | information | guides? | documentation | docs | tutorials? | articles? | blog"
        " | webinar | page | section | questions? | feedback | issues? | how to | read | learn | see | compare | ask | contact"
        r" | discuss | vote | explain\w* | describ\w+ | document(?:s|ed) | stands for | refers to | means"
    ),
    hedge=(
        r"coming (?:soon|later|shortly|next|in \w+) | not yet | (?:\w+n't|not) [\w ]{0,30}\byet"
        " | (?<!as )planned(?! (?:maintenance|downtime|outage)) | (?:we|are|is) planning | (?:we|they|it|team) plans? to"
        " | (?:has|have) plans? to | plans? to (?:add|support|offer|introduce|increase|raise|launch|ship|release|bring|extend)"
        " | on (?:our|the) roadmap | roadmap | in the (?:near |foreseeable )?future | future release"
        " | upcoming(?! (?:invoice|renewal|payment|maintenance)) | (?<!as )soon(?! as| after) | under consideration"
        r" | being considered | (?:are|is|we're) (?:\w+ly )?(?:considering|working on|looking into|exploring|evaluating) | proposed"
        " | tentative(?:ly)? | to be (?:announced|determined|confirmed) | tba | tbd | will (?:soon|eventually|later|shortly)"
        " | will be (?:available|added|supported|offered|released|introduced|enabled)(?! (?:within|after|for|to|on"
        "|immediately|automatically))"
        " | will be (?:increased|raised|reduced|lowered|changed|extended)"
        " | will (?:change|increase|decrease|rise|drop|move|switch|go) | will (?:support|offer|introduce|add|launch) | might"
        " | hope to | expect(?:s|ed)? to (?:ship|launch|release|support|offer|add|be available) | aim(?:s|ing)? to | intends? to"
        " | in (?:development|the works|the pipeline) | rumou?red | allegedly | reportedly | feature request | would like to"
        " | not guaranteed | at our discretion | may (?:soon|eventually|be added|become|change to) | some ?day | wait ?list"
        r" | (?:some|many|users|people|others|competitors) (?:\w+ )?(?:say|claim|believe|think|report|suggest)s? | supposedly"
        " | would (?:be|have been|mean) | striv(?:e|es|ing) (?:to|for) | (?:only|merely|just) an? (?:target|goal|estimate)"
        " | aim(?:s|ing)? for | if approved | to be released | under (?:development|review|discussion) | could (?:be|become|soon)"
        " | (?:our|the|an?) (?:goal|target|ambition|aspiration) | (?:ask|vote|wish|lobby)(?:s|ed|ing|es)? for"
        r" | (?:from|starting|beginning|as of|by) next (?:\w+ )?(?:week|month|quarter|year|release)"
        " | being (?:tested|piloted|evaluated|rolled out|developed|built)"
        r" | (?:ask|tell) (?:us|sales|support|your \w+(?: \w+)?) (?:for|about) | (?:is|are) coming(?! (?:from|in|out|through|with))"
        " | may (?:come|arrive|land)"
    ),
    contact=(
        r"(?:contact|talk to|ask|call|speak to|reach out to) (?:us|sales|support|our \w+(?: team)?"
        r"|your account \w+)(?! (?:for|to|if|about|with|when|and|within|before|at least) )"
        " | custom quote | request a quote | price on request"
        " | (?:contact|talk to|ask) (?:us|sales|our sales(?: team)?) (?:for|to get|to enable|about)(?! (?:more|longer|higher"
        "|larger|additional|details|help|further|an? (?:higher|larger|longer|increase)|increas|questions|assistance|custom|other|any))"
    ),
    example=(
        r"for example | for instance | e\. ?g\.?,? | eg\. | such as | an example | example(?= ?[:-]) | by way of example"
        r" | sample (?:config\w*|code|output|request|response|values?|data|file) | suppose(?: that)? | supposing"
        r" | imagine(?: that)? | let's say | let us say | hypothetical(?:ly)? | illustrat\w+ | placeholder | dummy | fictional"
        " | if (?:you|a user|an admin|we) (?:set|choose|select|configure|specify|pick|want|enter|type) | consider an?"
        " | assume(?: that)? | assuming that | in (?:the|this|our) (?:above |following |last )?example | ^ex[:.]"
        r" | ^say(?= \w+ (?:is|has|are|you)) | replace(?= .{0,40} with) | for illustration"
    ),
    former=(
        r"(?:was|were|had|been|is|are) previously | previously(?=,| [^\w\s]?\d| (?:was|were|had|the|it|we|you|they|free|all)|$)"
        r" | formerly | former(?= (?:\w+ )?(?:limit|price|value|default|quota|rate|maximum|retention))"
        " | used to (?:be|keep|have|allow|store|retain|cost|offer|support|last|include|provide|get|take|run|stand)"
        r" | in the past(?=[,.;)]|$) | original(?:ly)?(?= (?:was|were|set|limited|kept|priced|limit|price|\d))"
        r" | (?:old|previous)(?= (?:\w+ )?(?:limit|price|value|default|plan|quota|rate|maximum|retention|pricing|policy|cap|allowance))"
        " | up from | down from | historically"
        r" | legacy(?= (?:\w+ )?(?:limits?|plans?|prices?|pricing|customers?|accounts?|users?|tiers?|retention|quota)) | superseded"
        r" | no longer(?! than) | any ?more(?! than)(?=[,.;)]|$) | back then | before(?= ?\)|$)"
        r" | initially(?= (?:was|were|limited|set|kept)) | replac(?:es|ed|ing) (?:the|our) (?=\d)"
        " | before the (?:change|update|increase|migration|upgrade)"
        r" | (?:we|has|have|it|they) (?:\w+ )?(?:stopped|ceased|dropped|discontinued|abandoned|ended)"
        r" | in (?:earlier|older|previous|past|prior) (?:\w+ )?(?:versions?|releases?|plans?|years?) | until (?:last|recently|now)"
        r" | up until | back in (?:19|20)\d\d | (?:lifted|scrapped|abolished|waived)"
        r" | (?:we|they|have|has) (?:\w+ )?removed (?:the|our|its) | (?:ended|expired|closed|stopped) (?:in|on) | phased out"
        " | sunset"
    ),
    past="was | were | had | stood",
    starts="from | starting(?: (?:from|on|in))? | beginning(?: (?:on|in|from))? | effective(?: (?:from|on))? | as of | as from | after",
    ends="until | till | up to | up until | through | before | prior to | ending",
    others=(
        "competitors?(?:'s?)?"
        r" | (?:other|many|most|some|several|certain) (?:\w+ )?(?:vendors|providers|companies|tools|services|products"
        "|platforms|competitors)"
        " | (?<!the )(?<!all )others | elsewhere | the industry | rivals?"
    ),
    now=(
        "now | today | currently | current | at present | nowadays | new | these days | as of | since | going forward"
        " | (?:has|have) been (?:raised|increased|reduced|lowered|changed|extended)"
    ),
    change=(
        "rais(?:e|es|ed|ing) | increas(?:e|es|ed|ing) | reduc(?:e|es|ed|ing) | reduction | chang(?:e|es|ed|ing)"
        " | lower(?:s|ed|ing)? | extend(?:s|ed|ing)? | mov(?:e|es|ed|ing) | went | go(?:es|ing)? | bump(?:s|ed|ing)?"
        " | upgrad(?:e|es|ed|ing) | cut | drop(?:s|ped|ping)? | doubl(?:e|es|ed|ing) | grew | shorten(?:s|ed|ing)?"
        " | decreas(?:e|es|ed|ing) | updat(?:e|es|ed|ing) | halved | switch(?:es|ed|ing)? | expand(?:s|ed|ing)? | adjusted"
        " | tripled | up | down"
    ),
    source="from",
    target="to",
    question=(
        "(?:do|does|did|can|could|will|would|should|is|are) (?:you|we|i|it|they|there|my|your|the|this)"
        " | how (?:long|many|much|often|old|big|large|do|does|can|is) | what(?:'s| is| are| does| do| happens) | which"
        " | (?:when|where|why|who) (?:do|does|is|are|can|will|did)"
    ),
    universal=(
        r"(?:all|every|any|each) (?:of )?(?:our |the |its )?(?:\w+ )?(?:plans?|tiers?|editions?|customers?|users?|accounts?"
        "|packages?|subscriptions?|workspaces?)"
        " | everyone | everybody | (?:regardless|independent) of (?:your |the )?(?:plan|tier)"
    ),
    obsolete=(
        r"(?:old|previous|former|deprecated|discontinued|retired|legacy|obsolete|outdated)(?:ly)?(?: [\w-]+){0,2} | before | was"
        r" | then | [\w ]{1,25}\((?:old|previous|deprecated|legacy|discontinued)\)"
    ),
    pending=(
        "(?:.* )?coming soon(?: .*)?"
        " | (?:planned|upcoming|future|proposed)(?: (?:features?|plans?|changes?|releases?|work|improvements?|limits?"
        "|support|versions?|integrations?|updates?|pricing))?"
        r" | (?:\w+ ){0,2}roadmap(?: .*)? | (?:in|under) development | (?:not yet|soon|later)(?: (?:available|supported|included))?"
        " | tbd | tba | to be (?:announced|determined)"
    ),
    sample=(
        "(?:code |usage |worked )?examples?(?:[ :].*)? | .{1,40} examples?"
        r" | sample (?:code|config\w*|request|response|output|usage|data|file)s? | (?:example|illustration) of .*"
    ),
    announce="following | below | these",
    yes="yes | y | true | (?:fully )?(?:included|available|supported|enabled|allowed) | yes[,:;(-].* | check ?(?:mark)? | checked | tick",
    no=(
        "no | n | false | none | (?:not|no longer) (?:available|included|supported|offered|applicable|allowed|possible)"
        " | unavailable | unsupported | excluded | disabled | cross | never | no[,;(-].*"
    ),
)
