/**
 * What some servers refuse in an otherwise legal request, and what they expect instead. Found by their own words and
 * stored per server and model (`known-quirks.ts`), never guessed by the name of a model. (What is odd in their streams
 * is mended in `net/mend-*.ts`, for all alike.)
 */
import { reasoningIsDue, reasoningGrades, type ReasoningGrade } from '../../core/log/model-view/reasoning-back.ts'
import type { Message } from '../../core/log/message.ts'

/**
 * The one table: what a server means by a refusal, and in which words it was seen to say so (HTTP 400, 404, 422, and
 * 500 of chat templates). The first row that matches and is not known yet is tried, once; so rows of finer words stand
 * first.
 */
const table = [
  // OpenAI's reasoning models take none or 1 alone, Anthropic's kind none beside thinking.
  {
    quirk: 'no temperature',
    words:
      /\btemperature\b[^.]{0,80}(not support|unsupported|deprecated|not (allowed|permitted)|may only|only the default|cannot be|must be 1\b)|(not support(ed)?|unsupported|unknown|unrecognized|unexpected|extra)[^.]{0,60}\btemperature\b/i,
  },
  { quirk: 'no usage option', words: /stream_options|include_usage/i },
  { quirk: 'no output limit', words: /(unknown|unrecognized|unexpected|extra)[^.]{0,40}max_(completion_)?tokens/i },
  {
    quirk: 'max_completion_tokens',
    words:
      /^(?![^]*max_completion_tokens\W{0,4}(is |are )?(too (large|high|big)|must be (less|at most)))[^]*max_completion_tokens/i,
  },
  // Refusals of the value alone: then it is the least that is known everywhere.
  {
    quirk: 'no effort off',
    words:
      /reasoning_effort\W[^]{0,80}'?none'?|(none|'?minimal'?)\W[^]{0,60}reasoning_effort|reasoning is mandatory|reasoning cannot be disabled|does not support (disabling|turning off) (thinking|reasoning)|thinking\.(type\.)?disabled\W[^]{0,40}not supported/i,
  },
  {
    quirk: 'no effort',
    words:
      /reasoning_?effort|chat_template_kwargs|thinking_budget|enable_thinking|output_config|budget_tokens|thinking\.(type|enabled|adaptive|disabled)|["'`]thinking["'`]|does not support thinking|\badaptive thinking\b|(unknown|unrecognized|unsupported|unexpected|extra)[^.]{0,60}\b(reasoning|thinking)\b(?!_content|_details)/i,
  },
  {
    quirk: 'no reasoning',
    words:
      /reasoning_content\W{0,6}(is |are )?(unsupported|not (supported|permitted|allowed))|(extra_forbidden|extra inputs are not permitted)[^]{0,160}reasoning_content|reasoning_content[^]{0,80}extra inputs are not permitted|remove the reasoning_content/i,
  },
  { quirk: 'signed calls', words: /thought_?signature/i },
  {
    quirk: 'no system role',
    words:
      /system role (is )?not supported|does not support ['"`]?system|only user and assistant roles|(role|system message)s? ['"`]?(system)?['"`]? ?(is|are) not (supported|allowed)/i,
  },
  { quirk: 'assistant after tool', words: /unexpected role '?user'? after role '?tool'?/i },
  { quirk: 'alternate roles', words: /roles? must alternate|alternat\w+ (between )?user/i },
  {
    quirk: 'name on results',
    words:
      /(tool|function)( message| response)?[^.]{0,40}(must have|requires?|missing)[^.]{0,20}\bname\b|function_response\.name/i,
  },
  {
    quirk: 'tools with calls',
    words: /(expects?|requires?|must (define|provide|include))[^.]{0,40}[`'" ]tools=?[`'" ]/i,
  },
  // A plain `vllm serve`, SGLang, llama.cpp from before --jinja was usual, LiteLLM, templates that know two roles only.
  {
    quirk: 'no tools',
    words:
      /does not support (tools|function)|tool (use|calling) is not supported|no endpoints found that support tool use|tools? (is|are) not supported|not support tool(?!_choice)|enable-auto-tool-choice|tool[- _]call[- _]parser|requires --jinja|does not support parameters:[^\]]*['"]tools['"]|only user(,? (and )?\w+)*,? (and )?assistant roles? (is|are) supported/i,
  },
  { quirk: 'no tool_choice', words: /tool_choice/i },
  {
    quirk: 'no images',
    words:
      /(image|vision|multimodal|multi-modal|mmproj)[^.]{0,60}(not support|unsupported|cannot|not allowed|not available)|(not support|unsupported|invalid|expected a string)[^.]{0,60}(image|vision|multimodal)|no endpoints found that support image|unknown variant .?image_url|at most 0 image|\bnot (a vlm|multi-?modal)\b|text-only (prompt|model|input|content)|content\.type[^]{0,60}\[\s*\\?["']text\\?["']\s*\]|content must be a string|image_url is only supported|missing data required for image|unexpected item type in content|(does|do) not (accept|take|have|process|handle) [^.]{0,30}(image|vision)|no vision|不支持[^。]{0,6}(图片|图像|视觉|多模态)|(图片|图像|视觉|多模态)[^。]{0,10}不支持/i,
  },
] as const satisfies readonly { quirk: string; words: RegExp }[]

/**
 * `no usage option`: refuses `stream_options` · `max_completion_tokens`: wants the newer name · `no output limit`:
 * refuses both · `no temperature` · `no reasoning`: refuses the field of reasoning in what is sent · `no empty
 * reasoning`: takes no empty text where it wants reasoning back · `signed calls`: wants a signature on every call,
 * also on those of others · `no system role`: takes the system prompt only as part of the first question · `assistant
 * after tool`: wants an answer between a result and a question · `alternate roles`: refuses two questions in a row ·
 * `name on results` · `tools with calls`: wants `tools` wherever calls stand in the talk · `no tool_choice`: then
 * tools are left out where none may be called · `no tools`: the model cannot call at all · `no images`.
 */
export type Quirk = (typeof table)[number]['quirk'] | 'no empty reasoning'
export type Quirks = ReadonlySet<Quirk>

/** All of them, for what was stored. */
export const allQuirks: readonly Quirk[] = [...table.map(({ quirk }) => quirk), 'no empty reasoning']

/** The quirk that a refusal tells of; undefined if it tells of none that is new. */
export function quirkIn(status: number | undefined, text: string, known: Quirks): Quirk | undefined {
  return isOfRequest(status)
    ? table.find(({ quirk, words }) => !known.has(quirk) && words.test(text))?.quirk
    : undefined
}

/**
 * Whether a refusal wants reasoning back: OpenAI-compatible servers say `reasoning_content`, Anthropic's kind
 * `thinking`.
 */
export function wantsReasoning(status: number | undefined, text: string): boolean {
  return (
    isOfRequest(status) &&
    /(missing|must|required|pass)[^.]{0,60}reasoning[_ ]content|reasoning[_ ]content[^.]{0,60}(missing|must|required|passed back)|in the thinking mode must be passed back/i.test(
      text,
    )
  )
}

/**
 * Whether a refusal is of details or signatures that it was given back: they are bound to the model, and to what stood
 * before them.
 */
export function refusesDetails(status: number | undefined, text: string): boolean {
  return (
    isOfRequest(status) &&
    /invalid\W{0,3}(thought[_ ]?)?signature|thought[_ ]?signature is (not valid|invalid)|thinking\W[^]{0,60}blocks?\b[^]{0,60}cannot be modified|without its required following item|encrypted[_ ]content[^]{0,60}(invalid|could not|cannot|not be verified)|(reasoning_details|extra_content)[^]{0,80}(unsupported|not (supported|permitted|allowed)|extra inputs|unknown|invalid)/i.test(
      text,
    )
  )
}

/** The next grade that would send more of these messages than this one; undefined where none does. */
export function nextGrade(grade: ReasoningGrade, messages: readonly Message[]): ReasoningGrade | undefined {
  const count = (one: ReasoningGrade): number => reasoningIsDue(messages, one).filter(Boolean).length
  const now = count(grade)
  return reasoningGrades.slice(reasoningGrades.indexOf(grade) + 1).find(next => count(next) > now)
}

function isOfRequest(status: number | undefined): boolean {
  return status === undefined || [400, 404, 415, 422, 500].includes(status)
}
