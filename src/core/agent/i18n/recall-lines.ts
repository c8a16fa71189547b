/** What Recall says in one fixed line, in English and Chinese. The page offers a real model beside some of them. */

export type RecallLines = Record<'about' | 'nothing' | 'kept' | 'thanks' | 'noTools', string>

export const recallLines: { en: RecallLines; zh: RecallLines } = {
  en: {
    about:
      'I am **Recall**, not a language model: I find what was said in your chats, notes and files, and keep what you tell me.',
    nothing: 'Nothing here says that.',
    kept: 'Kept.',
    thanks: 'You are welcome.',
    noTools: 'I am **Recall**, not a language model, and have nothing to search with in this chat.',
  },
  zh: {
    about: '我是 **Recall**，不是语言模型：我能找到你的对话、笔记和文件里说过的内容，也会记下你告诉我的事。',
    nothing: '这里没有提到这件事。',
    kept: '已记下。',
    thanks: '不客气。',
    noTools: '我是 **Recall**，不是语言模型；这个对话里没有可用的搜索工具。',
  },
}

/** Whether an answer of Recall is one beside which choosing a real model helps. */
export function callsForModel(answer: string): boolean {
  return Object.values(recallLines).some(({ about, nothing, noTools }) => [about, nothing, noTools].includes(answer))
}
