/**
 * What some servers refuse in an otherwise legal request. Found out by their own words, remembered per model while the app
 * runs, never guessed by name. (What is odd in their streams is mended in `net/mend-*.ts`, for all alike.)
 */

/**
 * The one table: what a server means by a refusal, and in which words it was seen to say so (HTTP 400, 404, 422, and 500 of
 * chat templates). The first row that matches and is not known yet is tried, once; so rows of finer words stand first.
 */
const table = [
  { quirk: 'no usage option', words: /stream_options|include_usage/i },
  { quirk: 'no output limit', words: /(unknown|unrecognized|unexpected|extra)[^.]{0,40}max_(completion_)?tokens/i },
  { quirk: 'max_completion_tokens', words: /max_completion_tokens/i },
  { quirk: 'reasoning back', words: /(missing|must|required|pass)[^.]{0,60}reasoning_content|reasoning_content[^.]{0,60}(missing|must|required|passed back)/i },
  { quirk: 'signed calls', words: /thought_signature/i },
  { quirk: 'no system role', words: /system role (is )?not supported|does not support ['"`]?system|(role|system message)s? ['"`]?(system)?['"`]? ?(is|are) not (supported|allowed)/i },
  { quirk: 'assistant after tool', words: /unexpected role '?user'? after role '?tool'?/i },
  { quirk: 'alternate roles', words: /roles? must alternate|alternat\w+ (between )?user/i },
  { quirk: 'name on results', words: /(tool|function)( message| response)?[^.]{0,40}(must have|requires?|missing)[^.]{0,20}\bname\b|function_response\.name/i },
  { quirk: 'tools with calls', words: /(expects?|requires?|must (define|provide|include))[^.]{0,40}[`'" ]tools=?[`'" ]/i },
  { quirk: 'no tool_choice', words: /tool_choice/i },
  { quirk: 'no tools', words: /does not support (tools|function)|tool (use|calling) is not supported|no endpoints found that support tool use|tools? (is|are) not supported|not support tool/i },
  { quirk: 'no images', words: /(image|vision|multimodal|multi-modal|mmproj)[^.]{0,60}(not support|unsupported|cannot|not allowed|not available)|(not support|unsupported|invalid|expected a string)[^.]{0,60}(image|vision|multimodal)|no endpoints found that support image/i },
] as const satisfies readonly { quirk: string; words: RegExp }[]

/**
 * `no usage option`: refuses `stream_options` · `max_completion_tokens`: wants the newer name · `no output limit`: refuses
 * both · `reasoning back`: wants the reasoning of the running turn · `signed calls`: wants
 * a signature on every call, also on those of others · `no system role`: takes the system prompt only as part
 * of the first question · `assistant after tool`: wants an answer between a result and a question · `alternate roles`:
 * refuses two questions in a row · `name on results` · `tools with calls`: wants `tools` wherever calls stand in the talk ·
 * `no tool_choice`: then tools are left out where none may be called · `no tools`: the model cannot call at all · `no images`.
 */
export type Quirk = (typeof table)[number]['quirk']
export type Quirks = ReadonlySet<Quirk>

/** The quirk that a refusal tells of; undefined if it tells of none that is new. */
export function quirkIn(status: number | undefined, text: string, known: Quirks): Quirk | undefined {
  if (status !== undefined && ![400, 404, 415, 422, 500].includes(status)) return undefined
  return table.find(({ quirk, words }) => !known.has(quirk) && words.test(text))?.quirk
}
