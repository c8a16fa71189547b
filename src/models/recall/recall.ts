/**
 * The built-in model: no language model, no download, no network. It answers from the archive, through the normal agent
 * loop.
 */
import { unsaidLine } from '../../core/agent/tools/search-result-texts.ts'
import { AgentError } from '../../core/errors.ts'
import type { Message, ModelPart, ModelRequest, ToolCall } from '../../core/log/message.ts'
import type { Model } from '../../core/ports/ports.ts'
import { pause, throwIfStopped } from '../shared/pause.ts'
import { firstPath, firstUrl, intentOf, questionLanguage } from './recall-intent.ts'
import { passagesIn, realFinds } from './recall-passages.ts'
import { recallTexts } from './recall-texts.ts'

/** ms between pieces of an answer: it should look as if it were being written, not appear at once. */
const pieceMs = 8
/** UTF-16 units per piece; an answer of 2 000 units takes about a third of a second. */
const pieceChars = 48
/** Longest question handed to the search, UTF-16 units. */
const queryChars = 400

export const recall: Model = {
  id: 'recall',
  name: 'Recall',
  // It reads only the running turn, so this is no limit of its own; the number is the default of max_input_length
  // (C7.1).
  contextWindow: 131_072,
  maxOutput: 4_096,
  can: { tools: true, images: false, schema: false },
  local: true,
  reportsWholePrompt: false,
  async *generate(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
    throwIfStopped(signal)
    if (asksForSummary(request)) {
      throw new AgentError('model_unavailable', 'Recall cannot write summaries: it is not a language model.')
    }
    const next = nextStep(request)
    if (next.type === 'call') {
      await pause(pieceMs, signal)
      yield { type: 'call', call: next.call }
      throwIfStopped(signal)
      yield { type: 'finish', stop: 'calls' }
      return
    }
    for (const piece of pieces(next.text)) {
      await pause(pieceMs, signal)
      yield { type: 'text', text: piece }
      throwIfStopped(signal)
    }
    await pause(0, signal)
    yield { type: 'finish', stop: 'stop' }
  },
}

type Step = { type: 'call'; call: ToolCall } | { type: 'answer'; text: string }

/** What Recall does next: a function of the running turn. At most one call a turn, so it cannot loop. */
export function nextStep(request: ModelRequest): Step {
  const turn = runningTurn(request.messages)
  const question = turn.question
  const language = questionLanguage(question)
  const say = recallTexts[language]
  const may = (name: string): boolean => request.toolChoice !== 'none' && request.tools.some(tool => tool.name === name)
  const call = (name: string, args: Record<string, unknown>): Step => ({
    type: 'call',
    call: { id: `recall_${turn.results.length + 1}`, name, arguments: JSON.stringify(args) },
  })
  const answer = (text: string): Step => ({ type: 'answer', text })

  const intent = intentOf(question)
  const last = turn.results.at(-1)
  if (!last) {
    if (intent === 'empty' || intent === 'greeting' || intent === 'help') return answer(say.about)
    if (intent === 'thanks') return answer(say.thanks)
    if (intent === 'statement') return answer(say.kept)
    if (intent === 'time' && may('get_time')) return call('get_time', {})
    const url = firstUrl(question)
    if (url && may('fetch_url')) return call('fetch_url', { url })
    const path = firstPath(question)
    if (path && may('read_file'))
      return call('read_file', { path: path.path, ...(path.line ? { start_line: path.line } : {}) })
    if (intent === 'files' && may('list_files')) return call('list_files', {})
    if (may('memory_search')) return call('memory_search', { query: question.slice(0, queryChars) })
    return answer(say.noTools)
  }

  if (last.isError) return answer(say.toolFailed(last.name, last.content))
  const found = turn.results.find(result => result.name === 'memory_search')
  if (!found) return answer(say.result(last.name, last.content))
  if (found.content.startsWith(unsaidLine)) return answer(say.nothing)
  const passages = realFinds(passagesIn(found.content), question)
  return answer(passages.length === 0 ? say.nothing : say.found(passages))
}

type Result = Extract<Message, { role: 'tool' }>

/** The newest question and the results that came since. */
function runningTurn(messages: readonly Message[]): { question: string; results: Result[] } {
  const at = messages.findLastIndex(message => message.role === 'user')
  const results = messages.slice(at + 1).filter(message => message.role === 'tool')
  const question = messages[at]
  return { question: question?.role === 'user' ? question.content.trim() : '', results }
}

/** A summary prompt names the sections of C6.1 and offers no tools; then the summary by rule is the better one. */
function asksForSummary({ system, messages, tools }: ModelRequest): boolean {
  if (tools.length > 0) return false
  const prompt = `${system}\n${messages.at(-1)?.content ?? ''}`
  return ['Key Decisions', 'Next Steps', 'Critical Context'].every(section => prompt.includes(section))
}

/** Cuts at blanks where there are some, never inside a code point. */
function* pieces(text: string): Generator<string> {
  const points = Array.from(text)
  for (let from = 0; from < points.length;) {
    let to = Math.min(from + pieceChars, points.length)
    const blank = points.slice(from, to).findLastIndex(point => point === ' ' || point === '\n')
    if (to < points.length && blank > 0) to = from + blank + 1
    yield points.slice(from, to).join('')
    from = to
  }
}
