/** What /search and /memory answer, by language. */
import type { Language } from '../api/api.ts'
import type { MemoryProposal } from '../api/memory-api.ts'
import { grouped } from '../i18n/note-texts.ts'
import { withIsolatedArguments } from '../../text/display/isolate.ts'

type MemoryCommandTexts = {
  searchNone: (query: string) => string
  searchMore: (count: number) => string
  searchEmpty: string
  memoryNone: string
  memoryAdded: string
  dreamNothing: string
  dreamProposal: (days: number, by: MemoryProposal['by'], model: string | undefined) => string
}

export const memoryCommandTexts: Record<Language, MemoryCommandTexts> = withIsolatedArguments({
  en: {
    searchNone: query => `Nothing was found for "${query}".`,
    searchMore: count =>
      `${grouped(count)} more ${count === 1 ? 'place is' : 'places are'} not shown here; the search of the library shows them.`,
    searchEmpty: 'Type what to search for: /search <words>',
    memoryNone: 'There is no memory of today yet. /memory <text> adds a line.',
    memoryAdded: 'Added to the memory of today.',
    dreamNothing: 'There is nothing new that belongs into MEMORY.md. Nothing was written.',
    dreamProposal: (days, by, model) =>
      `Notes of ${grouped(days)} ${days === 1 ? 'day' : 'days'}, merged ${by === 'model' ? `by ${model ?? 'the model'}` : 'by rule, without a model'}. This is a proposal: nothing is written before you accept it on the memory page, where you can also change it.`,
  },
  zh: {
    searchNone: query => `没有找到“${query}”。`,
    searchMore: count => `另有 ${grouped(count)} 处未在此显示，可在对话列表的搜索中查看。`,
    searchEmpty: '请输入要搜索的内容：/search <关键词>',
    memoryNone: '今天还没有记忆。用 /memory <内容> 添加一条。',
    memoryAdded: '已加入今天的记忆。',
    dreamNothing: '没有需要写入 MEMORY.md 的新内容，什么都没有改动。',
    dreamProposal: (days, by, model) =>
      `已合并 ${grouped(days)} 天的笔记（${by === 'model' ? `由 ${model ?? '模型'} 完成` : '按规则合并，未用模型'}）。这只是提议：你在记忆页接受之前不会写入任何内容，也可以在那里修改。`,
  },
})
