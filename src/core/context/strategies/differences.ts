/**
 * Where the strategies differ on purpose from what was published of them, and why (C7.7). Data only: `/config` and
 * `/strategy` say it, and the README's table is compared with it row by row. Loaded when somebody asks.
 */
import { capital } from '../../text/display/capital.ts'
import type { StrategyName } from '../strategy.ts'

/** `title` as part of a sentence; `published` and `here` say the same thing of both; all without an end. */
type Said = { title: string; published: string; here: string; why: string }

export type Difference = {
  /** Never changed: what refers to a row names it by this. */
  id: string
  /** In which strategies it holds. */
  of: readonly Exclude<StrategyName, 'balanced'>[] | 'all'
  en: Said
  zh: Said
}

export const differences: readonly Difference[] = [
  {
    id: 'pinned-question',
    of: 'all',
    en: {
      title: 'the question that is being answered is always sent',
      published: 'what is old enough leaves, whatever it is',
      here: 'no cut takes out the running question, whatever its size',
      why: 'without it the model works on without knowing at what',
    },
    zh: {
      title: '正在回答的问题始终发送',
      published: '只要够旧就移出，不论是什么',
      here: '任何裁剪都不会移出正在回答的问题，不论它有多长',
      why: '没有问题，模型就不知道自己在做什么',
    },
  },
  {
    id: 'unanswered-results',
    of: 'all',
    en: {
      title: 'tool results that the model has not read yet are protected',
      published: 'a result is judged by its place and size alone',
      here: 'a result that no answer has followed counts as one of the newest and is never cut away',
      why: 'the model asked for it and has not seen it',
    },
    zh: {
      title: '模型还没读过的工具结果受保护',
      published: '只按结果的位置和大小处理',
      here: '尚未得到回答的结果算作最新的结果，绝不会被移出',
      why: '那是模型自己要的内容，而它还没看到',
    },
  },
  {
    id: 'shares-of-the-window',
    of: ['cowagent', 'qwenpaw'],
    en: {
      title: 'limits are shares of the window as well',
      published: 'fixed numbers: 50 000 tokens, 20 000 characters, 50 000 and 3 000 bytes',
      here: 'the smaller of the number and a share: the budget is at most what the window holds beside the answer; results have at most 30 % of it, older ones of qwenpaw 5 %',
      why: 'many models of a device have a window of 4 096 tokens',
    },
    zh: {
      title: '各项上限同时按窗口比例限制',
      published: '固定数值：50 000 个 token、20 000 个字符、50 000 和 3 000 字节',
      here: '取固定数值与窗口比例中较小的：预算不超过窗口除去回答后的部分；单条结果最多占 30%，qwenpaw 较早的结果最多占 5%',
      why: '本机运行的模型，窗口往往只有 4 096 个 token',
    },
  },
  {
    id: 'known-window',
    of: ['copaw', 'qwenpaw'],
    en: {
      title: 'the window is what the model has',
      published: '`max_input_length` is the window',
      here: 'the smaller of `max_input_length` and what the model is known to have (catalogue, server, a refusal)',
      why: 'a share of a window that is not there fits nothing',
    },
    zh: {
      title: '窗口以模型实际具有的为准',
      published: '`max_input_length` 就是窗口大小',
      here: '取 `max_input_length` 与已知的模型窗口（目录、服务器、被拒绝时得知）中较小的',
      why: '按并不存在的窗口算比例，请求还是放不下',
    },
  },
  {
    id: 'until-it-fits',
    of: ['cowagent'],
    en: {
      title: 'a budget is applied until the request fits',
      published: 'above the budget turns are compressed, or half of them trimmed, once',
      here: 'again and again until the request is within it; the newest turn stays whole',
      why: 'one time is not always enough, and then the provider refuses',
    },
    zh: {
      title: '预算会一直执行到请求放得下为止',
      published: '超出预算时压缩各轮，或再裁掉一半，只做一次',
      here: '反复进行，直到请求不超出预算；最新一轮保持完整',
      why: '一次未必够，不够就会被服务商拒绝',
    },
  },
  {
    id: 'running-turn-whole',
    of: ['cowagent'],
    en: {
      title: 'with fewer than five turns the running one stays whole',
      published: 'all turns keep the first user text and the last reply',
      here: 'all but the running turn do, which keeps its question, calls and results',
      why: 'they are what the model is working with',
    },
    zh: {
      title: '不足五轮时，正在进行的一轮保持完整',
      published: '所有轮次都只保留第一条用户文本和最后一条回复',
      here: '正在进行的一轮除外，它保留问题、调用和结果',
      why: '模型正在使用这些内容',
    },
  },
  {
    id: 'inside-a-turn',
    of: ['copaw', 'qwenpaw'],
    en: {
      title: 'a turn that is too long is cut between its steps',
      published: 'a question and its answer are not split',
      here: 'where one turn alone is above the reserve, its older steps leave and its question stays; a call and its result are never parted',
      why: 'one long task would fill the window, and nothing could leave',
    },
    zh: {
      title: '过长的一轮会在步骤之间裁开',
      published: '不拆开一问一答',
      here: '单独一轮就超过保留量时，移出其中较早的步骤，问题留下；调用和它的结果绝不分开',
      why: '否则一个长任务就会占满窗口，什么也移不出去',
    },
  },
  {
    id: 'a-step',
    of: ['cowagent'],
    en: {
      title: 'a step is a model call',
      published: '`agent_max_steps` counts tool calls',
      here: 'it counts model calls; one answer may hold several tool calls',
      why: 'calls made together are one decision',
    },
    zh: {
      title: '一步是一次模型调用',
      published: '`agent_max_steps` 计的是工具调用次数',
      here: '计的是模型调用次数；一次回答可以包含多个工具调用',
      why: '同时发出的调用出自同一个决定',
    },
  },
  {
    id: 'gain',
    of: ['copaw', 'qwenpaw'],
    en: {
      title: 'it compacts only where that helps',
      published: 'from the threshold on it compacts each time',
      here: 'not where less than 5 % of the threshold would be saved, or where system prompt, tools and summary alone reach it; a note says so',
      why: 'it would ask the summariser at every message, for nothing',
    },
    zh: {
      title: '有用时才压缩',
      published: '达到阈值后每次都压缩',
      here: '若节省不到阈值的 5%，或系统提示、工具和摘要本身就达到阈值，则不压缩，并用备注说明',
      why: '否则每条消息都会白白调用一次摘要模型',
    },
  },
  {
    id: 'by-hand',
    of: ['copaw', 'qwenpaw'],
    en: {
      title: 'a compaction by hand keeps only the last step',
      published: '`/compact` keeps the reserved zone, as one that comes by itself does',
      here: 'all but the last step and its question leaves, unless that is less than 300 tokens; then a note says so',
      why: 'who asks for it wants room now, and a summary of a few lines saves nothing',
    },
    zh: {
      title: '手动压缩只保留最后一步',
      published: '`/compact` 与自动压缩一样保留预留区',
      here: '除最后一步及其问题外全部移出；若不足 300 个 token，则不压缩并用备注说明',
      why: '手动压缩的人现在就需要空间，而几行话写成摘要省不下什么',
    },
  },
  {
    id: 'fallback',
    of: 'all',
    en: {
      title: 'a summary that fails is made by rule',
      published: 'nothing is said of a summary that fails',
      here: 'it is checked, asked for once more, and then made by rule and marked so; the one before stays until a valid one is there',
      why: 'an error text or an empty answer is no summary',
    },
    zh: {
      title: '摘要失败时按规则生成',
      published: '没有说明摘要失败时怎么办',
      here: '先检查，再重试一次，仍不行就按规则生成并注明；有效的摘要出来之前，保留上一份',
      why: '报错文字或空回答不是摘要',
    },
  },
  {
    id: 'one-prompt',
    of: ['copaw', 'qwenpaw'],
    en: {
      title: 'the summariser is one prompt',
      published: 'a ReActAgent (`reme_compactor`)',
      here: 'one prompt, in pieces where the input is long, whose answer is checked: headings, size, names and numbers',
      why: 'it needs no tools, costs one call, and runs on small models as well',
    },
    zh: {
      title: '摘要由一次提示完成',
      published: '由 ReActAgent（`reme_compactor`）完成',
      here: '一次提示，输入较长时分段进行，并检查结果：标题、长度、名称和数字',
      why: '不需要工具，只调用一次，小模型也能胜任',
    },
  },
  {
    id: 'guard',
    of: 'all',
    en: {
      title: 'a request that does not fit is made to fit before it is sent',
      published: 'only an error of the API starts the emergency (CowAgent), or nothing does (CoPaw, QwenPaw)',
      here: 'it is measured before each call, and again after a refusal',
      why: 'a refusal costs time, and some servers cut the beginning off without a word',
    },
    zh: {
      title: '放不下的请求会在发送前先精简',
      published: '只有 API 报错才触发应急处理（CowAgent），或者没有应急处理（CoPaw、QwenPaw）',
      here: '每次调用前先测量，被拒绝后再处理一次',
      why: '被拒绝要耗时间，有的服务器还会悄悄截掉开头',
    },
  },
  {
    id: 'ladder',
    of: 'all',
    en: {
      title: 'an emergency goes step by step and clears nothing',
      published: 'long texts to 10 000 characters and five turns, then the entire context is cleared (CowAgent)',
      here: 'the same first steps in every strategy, in small windows 30 % of the window; at last only the question is sent; each step can be undone',
      why: 'as much as fits is worth more than nothing',
    },
    zh: {
      title: '应急处理逐级进行，什么都不清空',
      published: '长文本限制到 10 000 字符、最多五轮，然后清空整个上下文（CowAgent）',
      here: '各策略都先做同样的几步，小窗口中以窗口的 30% 为限；最后只发送问题；每一步都可撤销',
      why: '能放下多少就留多少，总比全部清空好',
    },
  },
  {
    id: 'nothing-deleted',
    of: 'all',
    en: {
      title: 'nothing is deleted',
      published: 'what is trimmed or cleared is gone, apart from what went into memory or `dialog/`',
      here: 'what leaves the view stays in the archive, has a path, is found by search, and comes back with Undo',
      why: 'nobody knows beforehand what is needed again',
    },
    zh: {
      title: '不删除任何内容',
      published: '裁剪或清空的内容就此消失，除非写进了记忆或 `dialog/`',
      here: '移出视图的内容留在归档中，有路径、能搜索到，也能撤销恢复',
      why: '没人能事先知道以后会用到什么',
    },
  },
  {
    id: 'archive-first',
    of: ['qwenpaw'],
    en: {
      title: 'the archive is written first',
      published: 'raw messages go to `dialog/` after the compaction',
      here: 'each message is stored the moment it is said, before anything acts on it',
      why: 'a tab can be closed at any moment',
    },
    zh: {
      title: '先写归档',
      published: '压缩之后才把原始消息写入 `dialog/`',
      here: '每条消息一产生就存下，之后才做其他处理',
      why: '标签页随时可能被关掉',
    },
  },
  {
    id: 'dialog-holds-all',
    of: ['qwenpaw'],
    en: {
      title: '`dialog/` holds all messages',
      published: '`dialog/` holds the compacted messages',
      here: 'it holds every message of the day, also those in view, and a text file stands for every tool result, long or not',
      why: 'a line keeps its number, whatever is compacted or undone',
    },
    zh: {
      title: '`dialog/` 保存全部消息',
      published: '`dialog/` 保存被压缩的消息',
      here: '保存当天的每一条消息，包括仍在视图中的；每条工具结果无论长短都有一个文本文件',
      why: '无论压缩还是撤销，每行的行号都不变',
    },
  },
  {
    id: 'guide',
    of: ['qwenpaw'],
    en: {
      title: 'the dialog guide names the lines of this chat',
      published: '`dialog/YYYY-MM-DD.jsonl`, N lines',
      here: 'first and last line of this chat; where lines of other chats lie between, the path of this chat alone',
      why: 'a day holds several chats, and a model elsewhere may not read them all',
    },
    zh: {
      title: '对话指引只指向本对话的行',
      published: '`dialog/YYYY-MM-DD.jsonl`，共 N 行',
      here: '给出本对话的首行和末行；若其间夹有其他对话，则给出只含本对话的路径',
      why: '一天里会有多个对话，本机以外的模型不应读到其他对话',
    },
  },
  {
    id: 'dialog-path',
    of: ['qwenpaw'],
    en: {
      title: '`dialog_path` is fixed',
      published: '`dialog_path` can be chosen',
      here: 'it is always `dialog`',
      why: 'paths stand in summaries and exports and have to stay right',
    },
    zh: {
      title: '`dialog_path` 固定不变',
      published: '`dialog_path` 可以自定',
      here: '始终是 `dialog`',
      why: '摘要和导出文件中都写有路径，必须一直有效',
    },
  },
  {
    id: 'one-memory',
    of: ['qwenpaw'],
    en: {
      title: 'there is one memory',
      published: '`memory_manager_backend` chooses a backend',
      here: 'only "remelight" is taken, and it means the one memory that every strategy uses',
      why: 'what was noted is found, whatever strategy a chat has',
    },
    zh: {
      title: '记忆只有一套',
      published: '`memory_manager_backend` 选择后端',
      here: '只接受“remelight”，指的就是所有策略共用的记忆',
      why: '不论对话用哪个策略，记下的内容都能找到',
    },
  },
  {
    id: 'validity',
    of: ['qwenpaw'],
    en: {
      title: 'calls and results match by construction',
      published: 'an is_valid check of the split',
      here: 'a cut can fall only where they stay together; the view of a log from elsewhere is repaired',
      why: 'a check can only refuse, and then nothing would be compacted',
    },
    zh: {
      title: '调用和结果从结构上保证对应',
      published: '对拆分结果做 is_valid 检查',
      here: '裁剪只会落在不拆散它们的位置；外来日志的视图会先修复',
      why: '检查只能拒绝，那样就什么也压缩不了',
    },
  },
  {
    id: 'unmatched-log',
    of: ['copaw'],
    en: {
      title: 'a log whose calls and results do not match can be compacted by hand',
      published: 'not valid: the original messages and summary are returned',
      here: 'by itself nothing is compacted and a note says once why; `/compact` works on the repaired log',
      why: 'the request is legal after the repair, and a full window needs a way out',
    },
    zh: {
      title: '调用与结果不对应的日志可以手动压缩',
      published: '无效时返回原消息和原摘要',
      here: '不会自动压缩，并用备注说明一次原因；`/compact` 会在修复后的日志上进行',
      why: '修复后的请求是合法的，窗口满了也总要有办法',
    },
  },
  {
    id: 'result-characters',
    of: ['copaw'],
    en: {
      title: 'the length of a shortened result is a setting',
      published: 'results above a threshold are truncated; no number is given',
      here: '`tool_result_compact_max_chars`, 1 000 unless set, half from each end',
      why: '1 000 is what CoPaw had in its code',
    },
    zh: {
      title: '缩短后的结果长度可以设置',
      published: '超过某个阈值的结果被截断，没有给出数值',
      here: '`tool_result_compact_max_chars`，默认 1 000，首尾各一半',
      why: '1 000 是 CoPaw 代码中的数值',
    },
  },
  {
    id: 'page-tools',
    of: ['qwenpaw'],
    en: {
      title: 'tools that read pages say how to read on',
      published: 'of browser-use tools, on the first call, with a "read from line N" hint',
      here: 'a tool marks itself as one that reads pages (here `fetch_url`); its results end so also when they are whole, in every strategy, failed calls never',
      why: 'there is no browser-use tool here, and a failed call has nothing to read on',
    },
    zh: {
      title: '读取网页的工具会说明如何继续读',
      published: 'browser-use 类工具首次调用时附“从第 N 行继续读”的提示',
      here: '工具自行标明会读取网页（这里是 `fetch_url`）；结果即使完整也附说明，各策略都一样；失败的调用不附',
      why: '这里没有 browser-use 工具，失败的调用也没有可继续读的内容',
    },
  },
  {
    id: 'huge-texts',
    of: 'all',
    en: {
      title: 'no single text takes the window',
      published: 'no such limit',
      here: 'of a text above 131 072 bytes at most 100 000 bytes are sent; the whole has its path',
      why: 'one pasted file would end the chat',
    },
    zh: {
      title: '单独一段文本不会占满窗口',
      published: '没有这样的限制',
      here: '超过 131 072 字节的文本最多发送 100 000 字节，全文可按路径读取',
      why: '否则粘贴一个大文件，对话就进行不下去了',
    },
  },
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

/** The differences of a strategy; for balanced, which is ours, only those of all strategies. */
export function differencesOf(strategy: StrategyName): Difference[] {
  return differences.filter(({ of }) => of === 'all' || (strategy !== 'balanced' && of.includes(strategy)))
}

/** The table of the README, a line each. */
export function differencesTable(): string[] {
  return [
    '| | in | published | here | why |',
    '| --- | --- | --- | --- | --- |',
    ...differences.map(
      ({ of, en }) =>
        `| ${capital(en.title)} | ${of === 'all' ? 'all' : of.join(', ')} | ${capital(en.published)} | ${capital(en.here)} | ${capital(en.why)} |`,
    ),
  ]
}
