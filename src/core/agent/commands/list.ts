/** The commands there are, with one line each (C11). Data only: the page shows it while somebody types. */
import type { Language } from '../api/api.ts'

export type CommandInfo = {
  name: string
  /** Its name in Chinese; both names are understood in every language. */
  zh: string
  args: string
  also?: readonly string[]
  description: Record<Language, string>
}

const list = [
  { name: 'help', zh: '帮助', args: '', description: { en: 'Lists the commands.', zh: '列出所有命令。' } },
  {
    name: 'context',
    zh: '上下文',
    args: '[clear]',
    description: {
      en: 'Says what the model sees and how full the window is; clear empties it.',
      zh: '查看模型能看到的内容和窗口占用；clear 清空上下文。',
    },
  },
  {
    name: 'clear',
    zh: '清空',
    args: '',
    description: {
      en: 'The same as /context clear: nothing older is sent, everything is kept.',
      zh: '同 /context clear：不再发送之前的内容，但全部保留。',
    },
  },
  {
    name: 'compact',
    zh: '压缩',
    args: '[instruction]',
    description: {
      en: 'Summarises older messages now; an instruction says what to keep.',
      zh: '立即把较早的消息写成摘要；可附带说明要保留什么。',
    },
  },
  {
    name: 'undo',
    zh: '撤销',
    args: '',
    description: { en: 'Takes back the newest change to the context.', zh: '撤销最近一次上下文改动。' },
  },
  { name: 'redo', zh: '重做', args: '', description: { en: 'Brings back what was undone.', zh: '恢复刚撤销的改动。' } },
  {
    name: 'config',
    zh: '配置',
    args: '[key [value|default] | strategies | JSON] [--all]',
    description: {
      en: 'Lists, shows or sets a setting of this chat, or takes it back (default); --all sets it for all chats. Takes a pasted settings file (JSON) of CowAgent, CoPaw or QwenPaw as well; “strategies” lists the settings of all strategies.',
      zh: '列出、查看或设置本对话的配置，default 可取消设置；--all 对所有对话生效。也可直接粘贴 CowAgent、CoPaw 或 QwenPaw 的配置文件（JSON）；strategies 列出所有策略的配置项。',
    },
  },
  {
    name: 'strategy',
    zh: '策略',
    args: '[name]',
    description: {
      en: 'Explains the strategies and their limits, or switches.',
      zh: '说明各策略及其上限，或切换策略。',
    },
  },
  {
    name: 'model',
    zh: '模型',
    args: '[id]',
    description: { en: 'Shows or switches the model.', zh: '查看或切换模型。' },
  },
  {
    name: 'summary',
    zh: '摘要',
    args: '',
    also: ['compact_str'],
    description: { en: 'Shows the current summary.', zh: '显示当前的摘要。' },
  },
  {
    name: 'history',
    zh: '历史',
    args: '[n]',
    description: { en: 'Lists what would be sent now.', zh: '列出现在会发送给模型的消息。' },
  },
  {
    name: 'search',
    zh: '搜索',
    args: '<words>',
    description: { en: 'Searches everything that is kept.', zh: '搜索保留下来的全部内容。' },
  },
  {
    name: 'memory',
    zh: '记忆',
    args: '[text|dream [days]]',
    description: {
      en: 'Shows today’s memory, or adds a line to it; dream proposes what to keep for good.',
      zh: '查看今天的记忆，或添加一条；dream 提议哪些内容值得长期保留。',
    },
  },
  { name: 'new', zh: '新对话', args: '[title]', description: { en: 'Opens a new chat.', zh: '新建对话。' } },
  {
    name: 'export',
    zh: '导出',
    args: '[session|day YYYY-MM-DD|all]',
    also: ['dump_history'],
    description: { en: 'Exports this chat, a day, or everything.', zh: '导出本对话、某一天或全部内容。' },
  },
  { name: 'stop', zh: '停止', args: '', description: { en: 'Stops the answer.', zh: '停止回答。' } },
] as const satisfies readonly CommandInfo[]

/** Every name that a command answers to. */
export function namesOf({ name, zh, also = [] }: CommandInfo): readonly string[] {
  return [name, zh, ...also]
}

export type CommandName = (typeof list)[number]['name']
/** In the order of /help and of the page's menu. */
export const commandList: readonly (CommandInfo & { name: CommandName })[] = list
