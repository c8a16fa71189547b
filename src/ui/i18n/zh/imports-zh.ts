/** The look into an export of another program, in Chinese. */
import { withIsolatedArguments } from '../../../core/text/display/isolate.ts'
import type { ImportsTexts } from '../en/imports-en.ts'
import { groupedNumber } from '../format/format.ts'

export const importsZh: ImportsTexts = withIsolatedArguments({
  title: (app: string) => `从 ${app} 导入`,
  titleUnknown: '导入对话',
  looking: (chats: number) => (chats === 0 ? '正在查看文件…' : `正在查看：已找到 ${groupedNumber(chats)} 个对话…`),
  nothing: (programs: string) => `里面没有可以读取的对话。Haversack 能读取自己的文件，以及 ${programs} 的导出文件。`,
  failed: '无法读取这个文件',
  found: (chats: number, messages: number) => `${groupedNumber(chats)} 个对话，共 ${groupedNumber(messages)} 条消息`,
  branches: (n: number) => `除最后显示的版本外，还有 ${groupedNumber(n)} 个分支；全部保留`,
  files: (n: number, missing: number) =>
    missing === 0
      ? `${groupedNumber(n)} 个附件`
      : `${groupedNumber(n)} 个附件，其中 ${groupedNumber(missing)} 个不在导出文件里，只保留名称`,
  unread: (chats: number, lines: number) =>
    [
      ...(chats > 0 ? [`${groupedNumber(chats)} 个对话无法读取`] : []),
      ...(lines > 0 ? [`${groupedNumber(lines)} 行无法读取`] : []),
    ].join(' · '),
  skippedChat: (what: string, why: string) => `${what}：${why}`,
  place: (n: number) => `文件中的第 ${groupedNumber(n)} 个`,
  line: (n: number) => `第 ${groupedNumber(n)} 行`,
  more: (n: number) => `还有 ${groupedNumber(n)} 个`,
  all: '全部对话',
  find: '查找对话',
  messages: (n: number) => `${groupedNumber(n)} 条消息`,
  untitled: '无标题',
  stays: '导入的内容留在这台设备上，除非你对某个对话另作决定。',
  leaves: '经过通常的询问后，可以发送到你选作模型的服务器',
  asText: '作为文本附上',
  cancel: '取消',
  import: (n: number) => `导入 ${groupedNumber(n)} 个对话`,
})
