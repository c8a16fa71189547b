/** The page of memory, in Chinese. */
import { groupedNumber } from '../format/format.ts'
import type { MemoryTexts } from '../en/memory-en.ts'
import { withIsolatedArguments } from '../../../core/text/display/isolate.ts'

export const memoryZh: MemoryTexts = withIsolatedArguments({
  title: '记忆',
  text: '以后的对话能用到的内容。每个新对话开始时，模型都会看到 MEMORY.md（优先保留最新的行）；每天的笔记则由模型搜索得到。两者都可以由你修改。',
  page: '长期记忆（MEMORY.md）',
  empty: '这里还没有内容。',
  edit: '编辑',
  save: '保存',
  cancel: '取消',
  conflict: '这期间它在别处被改过。你的文字还在这里：请先复制，再载入新的版本。',
  load: '载入新版本',
  since: day => `${day} 起`,
  lines: '各行内容及其来源',
  version: (n, of) => `第 ${groupedNumber(n)} 版，共 ${groupedNumber(of)} 版`,
  earlier: '较早的版本',
  later: '较新的版本',
  putBack: '恢复这一版',

  dream: '提议要保留的内容',
  dreamText:
    '把最近几天的笔记合并到这一页，先作为提议；在你接受之前不会写入任何内容。你接受的内容每个模型都会读到，包括服务器上的模型。',
  dreaming: '正在读笔记',
  dreamNothing: '笔记里没有需要加入这一页的新内容。',
  proposal: '对 MEMORY.md 的提议',
  byModel: (days, model) => `合并了 ${groupedNumber(days)} 天的笔记，由 ${model} 完成。`,
  byRule: days => `合并了 ${groupedNumber(days)} 天的笔记，按规则完成，未用模型。`,
  byImport: '来自你导入的文件，将取代现有内容。请仔细阅读：接受之后，每个模型都会看到它。',
  isOld: '生成提议之后 MEMORY.md 又被改过。请重新生成，以免丢失那些改动。',
  kinds: { same: '保留', new: '新增', gone: '删除' },
  accept: '接受',
  acceptEdited: '接受这段文字',
  refuse: '拒绝',

  days: '按天',
  noDays:
    '还没有记下什么。压缩对话时，或使用 /memory 时，笔记会出现在这里。QwenPaw 和 CoPaw 策略只有在打开 memory_notes（设置 → 上下文）后才会在压缩时写笔记。',
  cuts: {
    compact: '压缩时记下',
    turns: '较早的轮次移出窗口时记下',
    budget: '超出预算时记下',
    overflow: '对模型来说太长时记下',
  },
  note: '笔记',
  forget: '删除',
  forgetAsk: '永久删除这条笔记？',
  from: '来自',
  documents: '模型写的文档',

  daily: '每天提议一次要保留的内容',
  dailyText:
    '每天第一次打开时，把上次以来的笔记合并成对 MEMORY.md 的提议。笔记由写摘要的模型来读，因此服务器上的模型会收到它们；没有模型时按规则合并。',
  tab: 'MEMORY.md 是一页文字。每个新对话里，模型都会看到它最新的 200 行，最多占窗口的 5%；服务器上的模型也会收到。按天的笔记由模型搜索得到，不占窗口空间。',
  open: '打开记忆页',

  meaning: '同时按含义搜索',
  meaningText:
    '由你的某台服务器上的嵌入模型找出用别的说法表达的内容；按字词的搜索不变。为此，应用空闲时会把所有对话中的消息、结果和笔记分批发送给该服务器。如果服务器不在本机，就目前所知从未离开过本机的对话，以及其中写下的文件，都不会发送。向量保存在本浏览器中，更换模型后会重新生成。',
  meaningServer: '服务器',
  meaningOff: '关闭',
  meaningModel: '嵌入模型',
  noServer: '请先在“模型”中添加服务器。',
})
