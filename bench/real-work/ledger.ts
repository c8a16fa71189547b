/**
 * `npm run bench -- ledger [FOLDER]`: dense exact records, and how many answers to questions about them are in the view
 * or within two calls (C14).
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readConversation, type FiledFact } from '../replay/replay-file.ts'
import type { Bench } from '../shared/machine.ts'
import { o200kBase } from '../shared/tokenizer.ts'
import {
  mean,
  measuredSession,
  rounded,
  settings,
  shareOf,
  type MeasuredSession,
  type Setting,
  type Share,
} from './measured-session.ts'
import { TwoCalls } from './within-two-calls.ts'

/** Tokens. */
const windows = [49_152, 57_344, 65_536, 81_920]

type Question = { id: string; category: string; question: string; expected: string }
type Ledger = { name: string; facts: FiledFact[]; questions: Question[]; reached: TwoCalls }

export type LedgerRow = {
  strategy: string
  counter: string
  window: number
  inView: Share
  byCategory: Record<string, Share>
  withinTwo: Share
  bySearch: Share
  viewTokens: number // o200k, mean of the ledgers
  summaryTokens: number // the same
  largest: number // share of the window without the output reserve
  refused: number
  notWithinTwo: string[] // ids of questions
}
export type LedgerMean = {
  strategy: string
  counter: string
  inView: number // share, mean of the windows
  byCategory: Record<string, number>
  withinTwo: number
  viewTokens: number
}

export const ledger: Bench = async (
  folder = fileURLToPath(new URL('../../../shared/data/ledger', import.meta.url)),
) => {
  if (!existsSync(folder))
    return { skipped: `there is no folder ${folder}; name one with NAME.jsonl and NAME.questions.json` }
  const count = await o200kBase()
  const all = ledgersIn(folder)
  const rows: (LedgerRow & { notBySearch: string[] })[] = []
  for (const setting of settings(windows)) {
    rows.push(await rowOf(setting, all, count))
    const row = rows.at(-1)!
    console.error(
      `${row.strategy} ${row.counter} ${row.window}: in view ${row.inView.found} of ${row.inView.of} @ ${row.viewTokens}, within two ${row.withinTwo.found}, by search ${row.bySearch.found}, largest ${row.largest}, refused ${row.refused}${row.notWithinTwo.length === 0 ? '' : `; not within two: ${row.notWithinTwo.join(' ')}`}`,
    )
  }
  return {
    windows,
    ledgers: all.map(({ name, facts, questions }) => ({ name, messages: facts.length, questions: questions.length })),
    means: meansOf(rows),
    rows: rows.map(({ notBySearch: _notBySearch, ...row }) => row),
    notBySearch: rows[0]?.notBySearch ?? [],
    published:
      'Answers given by a model, as the makers of the ledgers published them: after OpenAI’s native compaction 78.0 % @ 42.7 k tokens, after pi’s 48.0 % @ 33.0 k.',
    note:
      'Replayed with guard and overflow fallback as in the app; summaries by rule. inView: the answer stands, word for word, in what the model would read with the next question; a model may still misread it. ' +
      'withinTwo: in view, or by two read_file calls at a path and line that the request names, or bySearch: one memory_search with the words of the question and a read of the first passage; ordinary output budgets. ' +
      'viewTokens, summaryTokens: o200k, mean of the ledgers. largest: the largest request sent, by the strategy’s counter, as a share of the window without the output reserve. means: over the windows. notBySearch: questions that bySearch misses; searches are the same in all rows, because the budgets of these windows are.',
  }
}

function ledgersIn(folder: string): Ledger[] {
  return readdirSync(folder)
    .filter(file => file.endsWith('.questions.json'))
    .toSorted()
    .map(file => {
      const name = basename(file, '.questions.json')
      const path = join(folder, `${name}.jsonl`)
      return {
        name,
        questions: JSON.parse(readFileSync(join(folder, file), 'utf8')) as Question[],
        facts: readConversation(readFileSync(path, 'utf8'), path),
        reached: new TwoCalls(),
      }
    })
}

async function rowOf(
  setting: Setting,
  all: readonly Ledger[],
  count: (text: string) => number,
): Promise<LedgerRow & { notBySearch: string[] }> {
  const runs: MeasuredSession[] = []
  const asked: (Question & { inView: boolean; bySearch: boolean; withinTwo: boolean })[] = []
  for (const { facts, questions, reached } of all) {
    const run = await measuredSession(facts, setting, { count, asked: true })
    runs.push(run)
    for (const question of questions) {
      const inView = run.view.includes(question.expected)
      const bySearch = await reached.bySearch(run.replayed, question.question, question.expected)
      const withinTwo = inView || bySearch || (await reached.byPath(run.replayed, run.view, question.expected))
      asked.push({ ...question, inView, bySearch, withinTwo })
    }
  }
  const share = (what: 'inView' | 'bySearch' | 'withinTwo', questions = asked): Share =>
    shareOf(questions.filter(question => question[what]).length, questions.length)
  const categories = [...new Set(asked.map(({ category }) => category))]
  return {
    strategy: setting.strategy,
    counter: runs[0]?.counter ?? '',
    window: setting.window,
    inView: share('inView'),
    byCategory: Object.fromEntries(
      categories.map(name => [
        name,
        share(
          'inView',
          asked.filter(({ category }) => category === name),
        ),
      ]),
    ),
    withinTwo: share('withinTwo'),
    bySearch: share('bySearch'),
    viewTokens: Math.round(mean(runs.map(run => run.viewTokens))),
    summaryTokens: Math.round(mean(runs.map(run => run.summaryTokens))),
    largest: rounded(Math.max(0, ...runs.map(run => run.largest))),
    refused: runs.reduce((sum, run) => sum + run.refused, 0),
    notWithinTwo: asked.filter(({ withinTwo }) => !withinTwo).map(({ id }) => id),
    notBySearch: asked.filter(({ bySearch }) => !bySearch).map(({ id }) => id),
  }
}

function meansOf(rows: readonly LedgerRow[]): LedgerMean[] {
  const firsts = rows.filter(row => rows.find(other => isSameRun(row, other)) === row)
  return firsts.map(first => {
    const group = rows.filter(row => isSameRun(row, first))
    return {
      strategy: first.strategy,
      counter: first.counter,
      inView: meanShare(group.map(row => row.inView)),
      byCategory: Object.fromEntries(
        Object.keys(first.byCategory).map(name => [name, meanShare(group.flatMap(row => row.byCategory[name] ?? []))]),
      ),
      withinTwo: meanShare(group.map(row => row.withinTwo)),
      viewTokens: Math.round(mean(group.map(row => row.viewTokens))),
    }
  })
}

/** Of the shares before they were rounded. */
function meanShare(shares: readonly Share[]): number {
  return rounded(mean(shares.map(({ found, of }) => (of === 0 ? 0 : found / of))))
}

/** Whether two rows are of one strategy with one counter. */
function isSameRun(a: LedgerRow, b: LedgerRow): boolean {
  return a.strategy === b.strategy && a.counter === b.counter
}
