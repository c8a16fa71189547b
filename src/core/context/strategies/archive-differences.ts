/** The differences in what is kept and under which path, and in how calls, results and long texts are treated. */
import type { Difference } from './difference.ts'

export const archiveDifferences: readonly Difference[] = [
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
]
