/**
 * Things said that are no identifiers: negations, decisions that replace others, open and closed tasks, Chinese. Always
 * the same.
 */
import type { Id } from '../../src/core/log/entry.ts'
import type { FiledFact } from '../replay/replay-file.ts'
import { plantedChat } from './retention-facts.ts'

export type Kind = 'negation' | 'decision' | 'open task' | 'closed task' | 'Chinese'
/** `says`: the words that must still be there; `replaced`: what must not stand there without them. */
export type Said = { kind: Kind; says: string; replaced?: string; entry: Id }

const things = [
  'invoice list',
  'night report',
  'login page',
  'price table',
  'stock import',
  'photo archive',
  'mail digest',
  'route planner',
  'holiday form',
  'test server',
]
const chinese = [
  '发票清单',
  '夜间报告',
  '登录页面',
  '价格表',
  '库存导入',
  '照片档案',
  '邮件摘要',
  '路线规划',
  '请假表单',
  '测试服务器',
]

/** The chat with the planted identifiers, and in every second turn one more sentence of these kinds: ten of each. */
export function typedChat(): { facts: FiledFact[]; said: Said[] } {
  const { facts } = plantedChat()
  const said: Said[] = []
  for (let at = 0; at < 10; at++) {
    const thing = things[at]!
    add(
      at * 10,
      'negation',
      `Never send the ${thing} to customers before noon.`,
      `Never send the ${thing} to customers`,
    )
    add(
      at * 10 + 2,
      'open task',
      `We still need to check the ${thing} with the tax office.`,
      `check the ${thing} with the tax office`,
    )
    add(at * 10 + 4, 'closed task', `The ${thing} is fixed and deployed.`, `The ${thing} is fixed`)
    add(at * 10 + 6, 'Chinese', `${chinese[at]}必须在周五之前完成，不能推迟。`, `${chinese[at]}必须在周五之前完成`)
    // The first wording stands early, what replaces it late.
    const first = Math.floor(at * 4)
    say(first, `We decided to keep the ${thing} in the old database.`)
    add(
      60 + first,
      'decision',
      `We decided to move the ${thing} to the new cluster instead of the old database.`,
      `move the ${thing} to the new cluster`,
      `keep the ${thing} in the old database`,
    )
  }
  return { facts, said }

  /** Questions say it, but what is finished is said by the answer. */
  function add(turn: number, kind: Kind, sentence: string, says: string, replaced?: string): void {
    said.push({
      kind,
      says,
      entry: say(turn, sentence, kind === 'closed task'),
      ...(replaced !== undefined && { replaced }),
    })
  }

  function say(turn: number, sentence: string, byAnswer = false): Id {
    const index = turn * 4 + (byAnswer ? 3 : 0)
    const filed = facts[index]!
    facts[index] = { ...filed, fact: { ...filed.fact, text: `${filed.fact.text} ${sentence}` } }
    return filed.id
  }
}
