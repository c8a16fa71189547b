/** Plain BM25 over whole turns (k1 1.2, b 0.75): words in small letters, nothing else. */
import { textOf } from '../chats/conversations.ts'
import type { SearchPeer } from './peers.ts'

const k1 = 1.2
const b = 0.75

export const plainBm25: SearchPeer = {
  version: '',
  index(turns) {
    const texts = turns.map(turn => wordsOf(textOf(turn)))
    const mean = texts.reduce((sum, words) => sum + words.length, 0) / Math.max(1, texts.length)
    const lists = new Map<string, Map<number, number>>()
    for (const [n, words] of texts.entries())
      for (const word of words) {
        const list = lists.get(word) ?? new Map<number, number>()
        list.set(n, (list.get(n) ?? 0) + 1)
        lists.set(word, list)
      }
    return Promise.resolve({
      search(query, most) {
        const scores = new Map<number, number>()
        for (const word of new Set(wordsOf(query))) {
          const list = lists.get(word) ?? new Map<number, number>()
          const weight = Math.log(1 + (texts.length - list.size + 0.5) / (list.size + 0.5))
          for (const [n, count] of list) {
            const length = (texts[n]?.length ?? 0) / mean
            const score = (weight * count * (k1 + 1)) / (count + k1 * (1 - b + b * length))
            scores.set(n, (scores.get(n) ?? 0) + score)
          }
        }
        return [...scores]
          .sort((left, right) => right[1] - left[1])
          .slice(0, most)
          .map(([n]) => n)
      },
    })
  },
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
