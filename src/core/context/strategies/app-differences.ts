/** The differences that come of being an app in a tab: rest and retention, notes, answers on screen, settings. */
import type { Difference } from './difference.ts'

export const appDifferences: readonly Difference[] = [
  {
    id: 'restore',
    of: ['cowagent'],
    en: {
      title: 'a restart is a rest of the chat',
      published:
        'after a restart of the service the newest `max(3, max_context_turns / 6)` turns come back, as question and reply',
      here: 'the same turns, where nothing was said in the chat for `restore_after` (6 hours unless set) when it is first opened after the app was loaded; with your next message and not when you only read, told before, and undoable',
      why: 'a tab is loaded many times a day, a service is not',
    },
    zh: {
      title: '“重启”指对话闲置了一段时间',
      published: '服务重启后恢复最近 `max(3, max_context_turns / 6)` 轮，只含问题和回复',
      here: '恢复同样的轮次，但只在打开应用后首次打开对话、且对话已闲置 `restore_after`（默认 6 小时）时，随你的下一条消息进行，只阅读不会；事先告知，可撤销',
      why: '标签页一天会加载很多次，服务不会',
    },
  },
  {
    id: 'retention',
    of: ['cowagent', 'copaw', 'qwenpaw'],
    en: {
      title: 'what is old is removed only after a yes',
      published:
        'sessions older than 30 days (CowAgent) and expired result files (QwenPaw 5 days) are cleaned up automatically',
      here: 'the same rules, for CoPaw 7 days, after one yes that was told what, how much and from when; a chat only leaves the list, a text leaves a note with the day; nothing that is pinned, open or in view',
      why: 'this is the only copy there is',
    },
    zh: {
      title: '过期内容经你同意后才清理',
      published: '30 天前的会话（CowAgent）和过期的结果文件（QwenPaw 5 天）自动清理',
      here: '规则相同，CoPaw 为 7 天，但要先告知清理什么、多少、从何时起，并得到一次同意；对话只是移出列表，文本处留下带日期的说明；固定、打开或仍在视图中的绝不清理',
      why: '这里的数据没有别的副本',
    },
  },
  {
    id: 'daily-notes',
    of: 'all',
    en: {
      title: 'summaries become daily notes where you want them',
      published: 'trimmed messages go to the daily memory file (CowAgent); CoPaw and QwenPaw write none',
      here: 'cowagent as published, also for a summary made by rule; balanced too unless `memory_notes` is off; copaw and qwenpaw where it is on; an emergency writes one in every strategy; a later note of the same chat and day, which tells what the earlier told, takes its place, but never that of one from before a clear',
      why: 'later chats find what was decided, and who wants no notes of compactions gets none',
    },
    zh: {
      title: '摘要按你的意愿写入每日笔记',
      published: '被裁剪的消息写入当天的记忆文件（CowAgent）；CoPaw 和 QwenPaw 不写',
      here: 'cowagent 与公开说明一致，按规则生成的摘要也写；balanced 除非关闭 `memory_notes` 也会写；copaw 和 qwenpaw 开启后才写；应急处理在任何策略下都会写；同一对话当天较晚的笔记已包含较早的内容，因此取代它，但清空之前的笔记保留',
      why: '以后的对话能找到曾经的决定，不想要压缩笔记的人也可以没有',
    },
  },
  {
    id: 'long-term-memory',
    of: ['cowagent'],
    en: {
      title: 'MEMORY.md changes only by a proposal',
      published: 'the summariser writes a [MEMORY] part into the long-term file',
      here: '`/memory dream` or the memory page proposes; nothing is written before you accept it',
      why: 'it stands in front of every model, in every chat',
    },
    zh: {
      title: 'MEMORY.md 只通过提议修改',
      published: '摘要流程把 [MEMORY] 部分写入长期文件',
      here: '由 `/memory dream` 或记忆页提出提议，你接受之前什么都不写',
      why: '它会放在每个对话、每个模型的最前面',
    },
  },
  {
    id: 'compact-answer',
    of: ['copaw', 'qwenpaw'],
    en: {
      title: 'the answer to `/compact` is a card',
      published: '"Compact Complete!", "Messages compacted", and "Compressed Summary" with its text',
      here: 'these three, with tokens before and after; the text stands in the card above them, with Undo, Edit and Show originals',
      why: 'what was done can be looked at and taken back there',
    },
    zh: {
      title: '`/compact` 的答复是一张卡片',
      published: '“Compact Complete!”、“Messages compacted”和带正文的“Compressed Summary”',
      here: '这三项都有，另有前后的 token 数；正文在其上方的卡片里，可撤销、编辑、查看原文',
      why: '当场就能查看做了什么，也能撤回',
    },
  },
  {
    id: 'settings-file',
    of: ['cowagent', 'copaw', 'qwenpaw'],
    en: {
      title: 'settings live in the chat, not in a file',
      published: '`config.json`, `~/.copaw/config.json`, `agent.json` of an agent',
      here: '`/config`, also with a pasted file, or Settings → Context, for one chat or for all; the file chooses the strategy that it is written for',
      why: 'a browser tab has no home folder',
    },
    zh: {
      title: '配置属于对话，而不在文件里',
      published: '`config.json`、`~/.copaw/config.json`、各 agent 的 `agent.json`',
      here: '用 `/config`（也可粘贴文件内容）或“设置 → 上下文”，可只对一个对话或对全部生效；文件属于哪个策略，就选用哪个策略',
      why: '浏览器标签页没有主目录',
    },
  },
  {
    id: 'languages',
    of: ['cowagent'],
    en: {
      title: 'two languages',
      published: 'documents in Chinese, English and Japanese',
      here: 'screen, commands, notes and prompts in English and Chinese',
      why: 'two that are whole rather than three with gaps',
    },
    zh: {
      title: '两种语言',
      published: '文档有中文、英文和日文',
      here: '界面、命令、备注和提示词有英文和中文',
      why: '宁可两种齐全，也不要三种都有缺漏',
    },
  },
]
