/** What the words of a refusal say, by family (C8). Lower-case text with plain numbers goes in. Pure. */

/** Sides of a request that can be too long. */
const subject = String.raw`(?:prompts?|inputs?|requests?|messages?|conversation|context|chat|history|sequence|text|query|tokens?)`
/** What it is measured by. */
const measure = String.raw`(?:tokens?|length|size|count|window|limit|\(\s*\d+[^)]{0,40}\))`
/** What it runs into. Bytes are not among them. */
const bound = String.raw`(?:context|tokens?|window|prompt|model'?s?|max_model_len|max_seq_len|sequence)`
const more = String.raw`(?:exceed(?:s|ed|ing)?|overflow(?:s|ed)?|surpass(?:es|ed)?|(?:is|are|was|were) (?:longer|larger|greater|bigger|more) than|goes? (?:over|beyond)|(?:is|are) (?:over|above|beyond))`

/**
 * What is too long, and what it runs into, by the names of fields. A length that is asked for counts with a bound of
 * the model only.
 */
const field = String.raw`(?:inputs?_ids|(?:input|prompt)[ _]tokens|(?:max_)?total_tokens|(?:input[ _])?(?:sequence|seq)[ _]?len(?:gth)?|max_length(?= ?\(?\d[^.;\n]{0,50}?\bcontext))`
const fieldBound = String.raw`(?:max(?:imum)?[ _](?:model[ _]|seq(?:uence)?[ _]|prompt[ _]|input[ _]|context[ _])?len(?:gth)?|context[ _]?length|n_ctx)`

/** The whole request does not fit the window. Families, not sentences: subject, relation, bound. */
export const overflowTexts: readonly RegExp[] = [
  new RegExp(
    String.raw`\b${subject}(?: ${measure})*(?: (?:is|are|was|were|has become|got))? (?:much |far )?too (?:long|large|big|many)\b`,
  ),
  new RegExp(String.raw`\b${subject}\b[^.;\n]{0,90}?\b${more}\b[^.;\n]{0,90}?\b${bound}\b`),
  new RegExp(
    String.raw`\b(?:prompt|input|messages?|conversation|context|tokens?)\b[^.;\n]{0,60}?\b${more}\b[^.;\n]{0,40}?\b(?:max(?:imum)?|limit|length|capacity|allowed)\b`,
  ),
  new RegExp(String.raw`\b${subject}\b[^.;\n]{0,60}?\btoo (?:long|large|big) for (?:the |this |a |requested )*model\b`),
  new RegExp(
    String.raw`\b(?:context|token|prompt|input)[ _-]?(?:length|window|size|limit|count)?s?(?: (?:is|was|has been))?[ _-](?:exceeded|overflow(?:ed)?|exhausted|full)\b`,
  ),
  /\bexceed(?:s|ed|ing)? (?:the |this |its |your |a )?(?:model'?s? |max(?:imum)? |allowed |available |supported |total )*(?:context|tokens?|prompt|input|sequence)\b/,
  /\bmax(?:imum)? (?:allowed |supported )?(?:context|prompt|input|sequence|model)[ -]?(?:token )?(?:length|size|window|limit|count)\b[^.;\n]{0,40}?\b\d+/,
  /\bcontext (?:length|window|size|limit) (?:is|of) (?:only )?\d+/,
  /\breduce (?:the )?(?:length|size|number) of (?:the |your )?(?:messages?|prompt|input|tokens|conversation|context)/,
  /\b(?:shorten|reduce|trim|truncate) (?:the |your )?(?:prompt|input|messages|conversation|context)\b/,
  /\btoo many (?:input |prompt |total )?tokens\b/,
  /\b(?:inputs?|prompt|input tokens?) (?:tokens? |length )?(?:must|should) (?:have|be|contain) (?:less|fewer|smaller|at most|no more|<=|<|under|below)/,
  /\binputs? tokens? \+ (?:max_new_tokens|max_tokens) must be/,
  /\brange of (?:input|prompt) length should be/,
  /\b(?:ran|run|running) out of (?:room|space|context)\b|\bno (?:room|space) left in (?:the )?context/,
  /\b(?:does|do|did|will|would|can)(?:n't| not|not) fit (?:in|into|within) (?:the )?(?:model'?s? )?(?:context|window)/,
  /\b(?:exceed(?:s|ed)?|over|reached) (?:the )?(?:model )?token limit\b|\btoken limit (?:is |was )?(?:exceeded|reached)/,
  /\bmax[_-]?(?:completion[_-]|output[_-]|new[_-])?tokens\b[^.\n]{0,40}?\b(?:would )?exceed\w*\b[^.\n]{0,40}?\bcontext/,
  /\bleaves? (?:0|no|-\d+) (?:output )?tokens\b/,
  /\bwhen (?:the )?context (?:the )?overflows\b|\bkeep from the initial prompt is greater than the context/,
  /\bno models? ha(?:s|ve) (?:a )?context window large enough/,
  /\bmax[_ ]?tokens must be at least 1, got -\d+/,
  new RegExp(String.raw`\b${subject}\b[^.;\n]{0,60}?\bonly (?:supports?|accepts?|allows?|takes?)\b`),
  // Names of fields instead of words, as libraries give them: input_ids, prompt_tokens, max_total_tokens, max_seq_len,
  // context_length.
  new RegExp(
    String.raw`\b${field}\b[^.;\n]{0,60}?(?:\bexceeds?\b|>=?|\b(?:must|should) be (?:less|smaller|at most|<)|\bcannot (?:be (?:greater|larger|more)|exceed)|\b(?:is|are) (?:greater|larger|longer|more) than\b|\bbut\b)[^.;\n]{0,50}?\b${fieldBound}\b`,
  ),
  /\bmax(?:imum)? (?:input|prompt) (?:characters|length|tokens)\b/,
  /\b(?:length|number|count|sum) of (?:the )?(?:prompt|input|request|message)s?[_ ]?tokens?\b[^.;\n]{0,40}?\b(?:must|should|can|may)(?:not| not)? (?:be (?:less|fewer|smaller|at most|no more|under|below)|exceed)/,
  /\btokens?\b[^.;\n]{0,60}?\b(?:larger|longer|greater|bigger|more) than (?:the )?(?:model'?s? )?(?:max(?:imum)? )?(?:input|context|prompt|sequence) (?:length|window|size|limit)/,
]

/** Said of the context itself, at the start: specific enough to count inside a 5xx. */
export const contextExceeded =
  /^\W*(?:error: )?(?:the )?(?:request'?s? |model'?s? )?(?:context|prompt)\b[^.;:\n]{0,40}?\b(?:exceeded|overflow(?:ed)?|too (?:long|large))\b/

/** The context is named, and that it ran over. Specific enough inside a 5xx where it is a short sentence. */
export const contextRunOver = new RegExp(
  String.raw`\bcontext\b[^.;\n]{0,60}?\b(?:exceed(?:s|ed|ing)?|overflow(?:s|ed)?|full|exhausted|too (?:small|short) for)\b|\b${more}\b[^.;\n]{0,60}?\b(?:context|n_ctx|max(?:imum)? (?:context|sequence|model))\b|\bnot enough (?:room|space)? ?(?:in (?:the )?)?context\b|\bcannot (?:be (?:greater|larger|more) than|exceed) (?:the )?(?:model'?s? )?(?:context|max_seq)[ _]len|上下文[^。\n]{0,14}?(?:超出|超过|超限|溢出|过长)|(?:超出|超过)[^。\n]{0,14}?上下文`,
)

/** Of prompt and answer together. */
export const bothSides =
  /\btotal\b[^.\n]{0,40}\b(?:prompt|input)s?\b[^.\n]{0,12}\b(?:and|plus|\+)[^.\n]{0,12}\b(?:prediction|completion|output|generat\w+|answer|response)|\bmax_total_tokens\b|\b(?:prompt|input)(?: tokens?)? (?:and|plus|\+) (?:the )?(?:prediction|completion|output)\b/

/** What it is called in German, French, Spanish, Portuguese, Italian and Russian, and what it runs into there. */
const westSubject =
  '(?:eingabe|anfrage|nachricht|unterhaltung|kontext|prompt|requête|entrée|message|conversa|contexte?|invite|mensa|solicita|petici|entrada|requisi|richiesta|messaggi|запрос|промпт|ввод|контекст|сообщени|диалог)'
const westBound =
  '(?:kontext|contexte?|contexto|contesto|контекст|tokens?|jetons?|токен|modell|modèle|modelo|modello|модел)'

/**
 * The same in other languages of Europe. There "longer than" needs a word for what it runs into; "too long" does not.
 */
const overflowTextsWest: readonly RegExp[] = [
  new RegExp(
    String.raw`${westSubject}[^.;\n]{0,60}?(?:zu (?:lang|groß)|trop (?:long|grand)|demasiad[oa] (?:larg|grande)|(?:muito|demasiado) (?:long|grande)|long[oa] demais|troppo (?:lung|grand)|слишком (?:длин|больш))`,
  ),
  new RegExp(
    String.raw`${westSubject}[^.;\n]{0,60}?(?:überschr|überste?ig|dépass|supera|excede|ultrapass|eccede|превы)[^.;\n]{0,60}?${westBound}`,
  ),
  new RegExp(
    String.raw`${westSubject}[^.;\n]{0,60}?${westBound}[^.;\n]{0,40}?(?:überschr|überste?ig|dépassée?|superad|excedid|ultrapassad|superat|превышен)`,
  ),
  new RegExp(
    String.raw`(?:превы\S+|dépass\S+|superad\S|überschritten\S*)[^.;\n]{0,40}?(?:контекст|contexte?|contexto|kontext)`,
  ),
]

/** The same in Chinese, a little in Japanese and Korean, and in other languages. */
export const overflowTextsEast: readonly RegExp[] = [
  ...overflowTextsWest,
  /(?:上下文|提示词?|输入|请求|对话|消息|文本|内容|prompt|tokens?)[^。;;\n]{0,14}?(?:过长|太长|过大|超长|超出|超过|超限|溢出)/,
  /(?:超出|超过|超限)[^。;;\n]{0,14}?(?:上下文|最大[^。\n]{0,6}(?:长度|限制|tokens?)|窗口|token|输入长度)/,
  /请(?:先)?(?:压缩|缩短|精简|减少|清理)[^。\n]{0,6}(?:上下文|输入|提示|对话|消息|内容)/,
  /(?:輸入|上下文|提示)[^。\n]{0,14}?(?:過長|太長|超出|超過)|(?:超出|超過)[^。\n]{0,14}?(?:上下文|最大長度|最大輸入)/,
  /(?:コンテキスト|プロンプト|入力)[^。\n]{0,20}?(?:超え|超過|長すぎ)/,
  /(?:컨텍스트|프롬프트|입력)[^.\n]{0,20}?(?:초과|너무 깁|너무 길)/,
]

/** Codes and names that say it without words. */
export const overflowCodes = new Set([
  'context_length_exceeded',
  'context_window_exceeded',
  'exceed_context_size_error',
  'exceed_context_size',
  'contextwindowexceedederror',
  'contextwindowsizeexceedederror',
  'contextlengthexceeded',
  'contextlengthexceedederror',
  'contextoverflowerror',
  'model_max_prompt_tokens_exceeded',
  'max_prompt_tokens_exceeded',
  'tokens_limit_reached',
  'prompt_too_long',
  'input_too_long',
  'input_too_large',
  'context_too_long',
  'token_limit_exceeded',
  'max_context_length_exceeded',
  'context_limit_exceeded',
  'input_tokens_exceeded',
  'prompt_tokens_exceeded',
  'context_size_exceeded',
  'context_overflow',
  '1261',
])

/** More bytes than a gateway takes: says nothing about tokens. */
export const payloadTexts =
  /\b(?:payload|body|entity|content)(?: size| length)?\b[^.\n]{0,40}\bexceed(?:s|ed)?\b|\bmax(?:imum)? (?:allowed )?(?:request )?(?:body|payload|content|entity) (?:size|length)\b|\b(?:request|payload|body)\b[^.\n]{0,30}\bexceeds?\b[^.\n]{0,30}\b\d+(?:\.\d+)? ?(?:bytes|[kmg]i?b)\b|\b(?:payload|request entity|entity|request body|body|request|content) (?:is )?too large\b|\brequest_too_large\b|\bexceeds? (?:the )?max(?:imum)? (?:allowed )?(?:request |body |payload |content )?(?:size|length)(?: of \d+(?:\.\d+)? ?(?:bytes|[kmg]i?b))?/

/** Throughput: waiting helps, shortening does not. */
export const rateTexts =
  /\bper[ -](?:min(?:ute)?|day|hour|sec(?:ond)?|month|week)\b|\/ ?min\b|\b(?:tpm|tpd|rpm|rpd|itpm|otpm)\b|\brate[ _-]?limit|\bthrottl|\btoo many requests\b|\bresource[ _]?(?:has been )?exhausted\b|\bplease wait before\b|\b(?:in|during) the last (?:minute|hour|day)\b|\b(?:available|exceeded your(?: current)?|check) quota\b|\bquota exceeded\b|\bslow down\b|\bconcurren(?:cy|t requests)\b|\btry again (?:in|after) \d|频率|限流|请求过于频繁|每分钟|每秒|每天|并发|次数|速率|\bpro (?:minute|stunde|tag|sekunde)\b|\bpar (?:minute|heure|jour|seconde)\b|\bpor (?:minuto|hora|d[ií]a|segundo)\b|\bal (?:minuto|giorno)\b|в (?:минуту|час|день|секунду)|毎分|毎秒|1分あたり|レート制限|分당|분당|요청이 너무 많|zu viele anfragen|trop de requêtes|demasiadas solicitudes|muitas solicitações|troppe richieste|слишком много запросов/
export const tokensPerMinute =
  /\btokens?(?:[ -]per[ -]|\/ ?)(?:min(?:ute)?|day)\b|\b(?:tpm|tpd|itpm)\b|每分钟[^。]{0,8}tokens?|tokens? ?\/ ?分钟/
export const billingTexts =
  /\b(?:insufficient|not enough|no|low|out of) (?:credits?|balance|funds|quota)\b|\bcredit balance\b|\b(?:balance|credits?|funds) (?:is |are |has been |have been )?(?:insufficient|exhausted|depleted|too low|used up|not enough)\b|\binsufficient_quota\b|\bbilling\b|\bpayment required\b|\b(?:plan|spend(?:ing)?|subscription) limits?\b|\bpurchase\b|\barrearage\b|\bgood standing\b|\binsufficient_user_quota\b|\bcan only afford\b|\bkey limit exceeded\b|余额|欠费|充值|额度|guthaben|solde insuffisant|saldo insufici|saldo insufficiente|недостаточно средств|残高|잔액/
export const overloadedTexts =
  /\boverloaded(?:_error)?\b|\bat capacity\b|\bserver is busy\b|\bmodel is busy\b|饱和|繁忙|过载|überlastet|surchargé|sobrecargad|sovraccaric|перегруж|混雑|과부하/

export const cancelledTexts =
  /\bcontext cancell?ed\b|\b(?:request|operation|stream|call) (?:was |has been )?(?:aborted|cancell?ed)\b|\babort(?:ed)? by (?:the )?user\b|\buser (?:aborted|cancell?ed)\b|\baborterror\b/
export const networkTexts =
  /\bdeadline exceeded\b|\btimed? ?out\b|\btimeout\b|\beconn\w+\b|\benotfound\b|\bfetch failed\b|\bfailed to fetch\b|\bnetwork ?error\b|\bsocket hang up\b|\bconnection (?:refused|reset|closed|error)\b|\bload failed\b|\bdns\b/
export const storageTexts =
  /\bindexeddb\b|\bbacking store\b|\bfull disk\b|\bdisk (?:is )?full\b|\bno space left\b|\bstorage quota\b|\blocalstorage\b|\bdatabase\b/

export const toolPairTexts =
  /\btool_use\b[^.\n]{0,30}\bids?\b|\btool_use_id\b|\btool_result\W{0,3} blocks?\b|\bno tool (?:call|output) found\b|\bmust be a response to a prece+ding message\b|\btool_call_ids?\b|\bmust be followed by tool messages\b|\bfunction response parts?\b|\btool (?:call )?result\b[^.\n]{0,30}\b(?:does not follow|not found|missing|id)\b|\brole '?tool'? must\b|\binsufficient tool messages\b|\bfunction (?:call|response)(?: turn)? (?:must )?comes? immediately after\b/
export const thinkingTexts =
  /\b(?:redacted_)?thinking\W{0,3} (?:or \W?redacted_thinking\W? )?blocks?\b|\bthought_signature\b|\bsignature\b[^.\n]{0,30}\bthinking\b|\binvalid signature\b|\bencrypted_content\b|\bitem '?rs_\w+'? of type '?reasoning'?/
export const mediaTexts =
  /\bimage(?:'s)? (?:dimensions?|size|exceeds?|is too|too large|file)\b|\bimage\.source\b|\b(?:many-)?images? (?:exceed|per request|requests?:)|\bpixels\b|\bcould not process image\b|\b(?:pdf|audio|video)\b[^.\n]{0,40}\b(?:pages|too large|exceed|seconds|unsupported)/
export const stringCapTexts =
  /\bstring too long\b|\bstring_above_max_length\b|\bbut got a string with length\b|\bstring should have at most \d+ char|\bstring_too_long\b|\bstring value length \(?\d+\)? exceeds the max|\btext fields? (?:that )?(?:is|are) too (?:large|long)\b/
export const badRequestTexts =
  /\barray too long\b|\barray_above_max_length\b|\binvalid schema\b|\bschema must\b|\binvalid_function_parameters\b|\bmust be at least 1, got 0\b|\bunsupported parameter\b|\bunrecognized request argument\b|\bextra inputs are not permitted\b|\btoo many (?:tools|functions|messages|images|stop sequences)\b|\bmust be greater than\b[^.\n]{0,20}\bbudget_tokens\b|\bdecimal above maximum\b/
export const uploadTexts =
  /\bupload(?:ed)? (?:size )?limit\b|\bfile (?:is )?too (?:large|big)\b|\bfile size\b|\bupload (?:is )?too (?:large|big)\b|\bmaximum upload\b/
export const configTexts =
  /\bcontext (?:window|length|size) (?:is )?too (?:small|short)\b[^\n]{0,20}\bminimum|\brequires? a (?:minimum )?context (?:window|length) of at least\b|\bbeta is not\b|\bnot (?:yet )?available (?:for|on|with|in) (?:this|your) (?:subscription|plan|account|tier|region|organization)\b|\bnot enabled for\b|\brequires? an? (?:higher|paid|different) (?:tier|plan)\b/
export const authTexts =
  /\binvalid (?:x-)?api[ -]?key\b|\bincorrect api key\b|\bunauthori[sz]ed\b|\bauthentication\b|\bpermission denied\b|\bforbidden\b|\bno auth credentials\b/
export const gatewayTexts = /<html|<!doctype html|\bbad gateway\b|\bgateway time-?out\b|\bcloudflare\b/
export const serverTexts =
  /\bfailed to load (?:the )?model\b|\bsystem memory\b|\bout ?of ?memory|\binternal server error\b|\bcuda\b|\bmodel (?:is )?(?:not loaded|loading|runner)\b/

/** The output limit asked for is above what the model may write, whatever the prompt. */
export const outputCapTexts =
  /\bmaximum tokens (?:you )?requested\b|\bmax[ _-]?(?:completion[ _-]?|output[ _-]?|new[ _-]?)?tokens?\b[^\n]{0,160}?(?:\btoo (?:large|high|big)\b|\bmust be (?:less|at most|<=|<|between|no more|smaller)|\blimit exceeded\b|\b(?:valid|supported|allowed) range\b|\bmaximum (?:allowed )?(?:number|value)\b|\bsupports? (?:at most|up to)\b|\bexceeds? (?:the )?(?:model'?s? )?max(?:imum)?\b|\bout of range\b|\bcannot exceed\b|\bcannot be (?:greater|larger|more) than\b|\bshould be (?:less|between|\[)|> ?\d)|\brange of max_tokens should be\b|\boutput tokens? (?:limit|cap)\b|\binvalid max_tokens\b|\bmaximum allowed number of output tokens\b/
/** … but not where the window is what it runs into. */
export const windowNamed =
  /\binputs? tokens? \+|\b(?:context|prompt)[ ](?:length|window|limit|size)\b|\binput tokens\b|\binput length\b|\bin the (?:messages|prompt)\b/

/** Talk about overflows, not one. For text that came without status and without structure. */
export const proseTexts =
  /^(?:let'?s|let us|let me|we(?:'re| are|'ve| have|'ll| will)?|i(?:'m| am|'ve|'ll| will| think| have|f)?|you|how|why|what|when|where|to|here|this (?:is|article|function|bug|page|test|happens|means)|these|those|sure|ok(?:ay)?|yes|no,|note|remember|for (?:example|instance)|in (?:this|the|our|my)|after|before|once|since|because|as |my|our|please (?:explain|describe|help|investigate|look|tell)|it |there|if )\b|\?\s*$|\b(?:investigat\w+|debug\w*|bugs?|issues?|tests?|docs?|documentation|readme|article|blog|chapter|explain\w*|discuss\w*|handl(?:e|ing)|happens?|implement\w*|refactor\w*|summari[sz]e the|means that|called|so that|should (?:we|i)|can (?:we|i)|ticket|feature|code)\b|我们|我想|如何|怎么|为什么|讨论|调试|修复|问题|文章|什么是/
/** Output of a tool: a command's name or a place in a file in front. */
export const toolTexts =
  /^(?:[a-z]+_[a-z_]+|grep|rg|cat|bash|sh|zsh|ls|find|sed|awk|python3?|node|npm|git|curl|stdout|stderr|exec|shell|tool|make|cargo)(?:\([^)]{0,60}\))?:\s|^\$ |^\S{1,120}\.\w{1,8}:\d+[:)]|^\d+\s*[|:]\s|^(?:diff|@@|\+\+\+|---) /
