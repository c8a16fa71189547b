/** What /new, /export and /stop answer, by language. */
import type { Language } from '../api/api.ts'
import { withIsolatedArguments } from '../../text/display/isolate.ts'

type ChangeTexts = {
  newChat: (title: string) => string
  exporting: { session: string; day: (day: string) => string; all: string }
  exportUsage: string
  exportNoDay: (day: string) => string
  stopped: string
  notRunning: string
}

export const changeTexts: Record<Language, ChangeTexts> = withIsolatedArguments({
  en: {
    newChat: title => `New chat: ${title}`,
    exporting: { session: 'Export of this chat.', day: day => `Export of ${day}.`, all: 'Export of everything.' },
    exportUsage: 'Usage: /export, /export day YYYY-MM-DD, or /export all',
    exportNoDay: day => `There is nothing from ${day}.`,
    stopped: 'Stopped.',
    notRunning: 'Nothing is running.',
  },
  zh: {
    newChat: title => `新对话：${title}`,
    exporting: { session: '导出本对话。', day: day => `导出 ${day}。`, all: '导出全部内容。' },
    exportUsage: '用法：/export、/export day YYYY-MM-DD 或 /export all',
    exportNoDay: day => `${day} 没有任何内容。`,
    stopped: '已停止。',
    notRunning: '当前没有任务在运行。',
  },
})
