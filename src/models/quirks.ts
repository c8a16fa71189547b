/** What some servers refuse in an otherwise legal request. Found out by their own words, remembered per model, never guessed by name. */

export type Quirk =
  | 'no usage option'        // stream_options is refused
  | 'max_completion_tokens'  // wants the newer name
  | 'no output limit'        // refuses both names
  | 'no images'
  | 'no tool_choice'         // then tools are left out where none may be called
  | 'no tools'               // the model cannot call tools at all
  | 'assistant after tool'   // wants an assistant turn between a result and a user turn
  | 'alternate roles'        // refuses two user turns in a row
  | 'name on results'
  | 'reasoning back'         // wants the reasoning of the running turn sent back
export type Quirks = ReadonlySet<Quirk>

/** Words of real refusals (HTTP 400, 404, 422, 500 of chat templates). The first that matches and is not known yet is tried, once. */
const refusals: readonly [Quirk, RegExp][] = [
  ['no usage option', /stream_options|include_usage/i],
  ['max_completion_tokens', /max_completion_tokens/i],
  ['no output limit', /(unknown|unrecognized|unsupported|unexpected|extra)[^.]{0,40}max_(completion_)?tokens/i],
  ['reasoning back', /(missing|must|required|pass)[^.]{0,60}reasoning_content|reasoning_content[^.]{0,60}(missing|must|required|passed back)/i],
  ['assistant after tool', /unexpected role '?user'? after role '?tool'?/i],
  ['alternate roles', /roles? must alternate|alternat\w+ (between )?user/i],
  ['name on results', /(tool|function)( message| response)?[^.]{0,40}(must have|requires?|missing)[^.]{0,20}\bname\b|function_response\.name/i],
  ['no tool_choice', /tool_choice/i],
  ['no tools', /does not support (tools|function)|tool (use|calling) is not supported|no endpoints found that support tool use|tools? (is|are) not supported|not support tool/i],
  ['no images', /(image|vision|multimodal|multi-modal|mmproj)[^.]{0,60}(not support|unsupported|cannot|not allowed|not available)|(not support|unsupported|invalid|expected a string)[^.]{0,60}(image|vision|multimodal)|no endpoints found that support image/i],
]

/** The quirk that a refusal tells of; undefined if it tells of none that is new. */
export function quirkIn(status: number | undefined, text: string, known: Quirks): Quirk | undefined {
  if (status !== undefined && ![400, 404, 415, 422, 500].includes(status)) return undefined
  return refusals.find(([quirk, rule]) => !known.has(quirk) && rule.test(text))?.[0]
}
