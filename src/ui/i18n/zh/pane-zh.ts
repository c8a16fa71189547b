/** The context pane and its dialogs, in Chinese. */
import type { HistoryAct } from '../../../core/agent/api/context-api.ts'
import type { paneEn as english } from '../en/pane-en.ts'
import { duration, groupedNumber, percent } from '../format/format.ts'
import { withIsolatedArguments } from '../../../core/text/display/isolate.ts'

const messages = (n: number) => `${groupedNumber(n)} 条消息`
const turns = (n: number) => `${groupedNumber(n)} 轮`
const results = (n: number) => `${groupedNumber(n)} 段长文本`
const tokens = (n: number) => `${groupedNumber(n)} token`

function act({ what, of, count, label }: HistoryAct): string {
  switch (what) {
    case 'pin':
      return `固定“${label}”`
    case 'unpin':
      return `取消固定“${label}”`
    case 'summary':
      return `${messages(count)}写成摘要`
    case 'cut':
      return `移出 ${messages(count)}`
    case 'clear':
      return `清空 ${messages(count)}`
    case 'rest':
      return `闲置后移出 ${messages(count)}`
    case 'strip':
      return `${turns(count)}只留问答`
    case 'shorten':
      return count === 1 && label !== '' ? `缩短 ${label}` : `缩短 ${results(count)}`
    case 'reword':
      return '改写摘要'
    case 'put back':
      return `放回 ${of === 'strip' ? turns(count) : of === 'shorten' ? results(count) : messages(count)}`
    default:
      return what satisfies never
  }
}

export const paneZh: typeof english = withIsolatedArguments({
  fits: share => `放得下：${percent(share)}。`,
  full: '已满。',
  manyTurns: limit => `已到 ${groupedNumber(limit)} 轮上限。`,
  rested: '闲置已久。',
  tooLong: '太长了。',
  allGoes: '到目前为止的全部内容都会随下一条消息发送。',
  goesAsSummary: (n, size) => `最早的 ${messages(n)}以 ${tokens(size)} 的摘要发送。`,
  notSentNow: n => `较早的 ${messages(n)}不再发送。`,
  willSummarise: n => `发送下一条消息时，最早的 ${messages(n)}会写成摘要。`,
  willHalve: (n, count) => `发送下一条消息时，最早的 ${turns(count)}（${messages(n)}）会移出，随后写成摘要。`,
  willStrip: n => `发送下一条消息时，较早的轮次只发送问题和最后的回答，略去 ${messages(n)}。`,
  willLeave: n => `发送下一条消息时，最早的 ${messages(n)}会略去，没有摘要，否则放不下。`,
  willRest: n => `这个对话已闲置一段时间：发送下一条消息时，只带着最近几轮继续，略去 ${messages(n)}。`,
  willShorten: n => `发送下一条消息时，${results(n)}会缩短显示。`,
  andShortened: n => `另有 ${results(n)}会缩短显示。`,
  willNotFit: '下一条消息放不下，无论略去什么内容。请缩短消息，或换用窗口更大的模型。',
  staysHere: '所有内容都保留在这里。',

  used: '上下文用量',
  usedText: (used, window) => `已用 ${groupedNumber(Math.min(used, window))}，共 ${tokens(window)}`,
  overText: (used, window) => `已满：共 ${tokens(used)}，窗口为 ${groupedNumber(window)}`,
  compactsAt: n => `达到 ${tokens(n)} 时自动写摘要`,
  compactsAtShare: (n, share) => `用到 ${percent(share)}（${tokens(n)}）时自动写摘要。`,
  trimsAbove: (n, share) => `超过 ${percent(share)}（${tokens(n)}）时，最早的轮次会移出。`,
  turnLimit: (now, limit) => `第 ${groupedNumber(now)} 轮，共 ${groupedNumber(limit)} 轮；超过后最早的会移出。`,
  unmatched: '这里不会自动写摘要：工具调用和结果不能一一对应，CoPaw 此时保留全部原始消息。可以手动压缩。',
  zones: {
    system: '系统指示',
    tools: '工具',
    summary: '摘要',
    compactable: '下次写成摘要',
    reserved: '始终保留',
    answer: '留给回答',
    free: '空闲',
  },
  theOldest: n => `最早 ${groupedNumber(n)} 条`,
  theNewest: n => `最近 ${groupedNumber(n)} 条`,
  zoneTokens: (zone, size) => `${zone}：${tokens(size)}`,
  zoneHelp: {
    system: '给模型的指示',
    tools: '告诉模型有哪些工具',
    summary: '代替不再发送的消息',
    compactable: '较早的消息：下次压缩会写成摘要',
    reserved: '最近的消息和已固定的消息：压缩时保留',
    answer: '空出来留给回答的部分',
    free: '剩余空间',
  },

  room: '谁占了空间',
  tileNames: { system: '系统指示', tools: '工具', summary: '摘要', user: '你', assistant: '助手', result: '结果' },
  tileHint: '指向或点按一块，这里会显示它的内容；再点选一次可在对话中查看。',
  tileGo: '在对话中查看',
  tileGroup: (n, days) => `${messages(n)}，${days}`,
  tokens,
  pinnedTile: '已固定',
  shortenedTile: '已缩短',

  notSent: '不再发送 · 仍在这里',
  takenMessages: messages,
  takenTurns: n => `${turns(n)}只留问答`,
  takenAt: time => time,
  takenLies: place => `现在位于 ${place}`,
  takenShows: (shown, whole) => `共 ${whole}，显示 ${shown}`,
  takenReasons: {
    repeated: '之后又调用过',
    edited: '文件之后改过',
    unused: '较早，很少用到',
    used: '较早，但用到过',
  },
  more: n => `另有 ${groupedNumber(n)} 项`,
  putBack: '放回',
  putBackName: what => `放回 ${what}`,
  openName: what => `打开 ${what}`,
  open: '打开',
  whatModelSees: '模型看到的内容',
  compact: '压缩',
  compactHelp: keep => `把最近 ${tokens(keep)} 以外的内容写成摘要`,
  keepsNewest: keep => `压缩时保留最近 ${tokens(keep)}，即你放置分界线的位置。`,
  preview: '预览',
  previewOfNext: '预览下一条消息的影响',
  contextEmpty: '一开始说话，这里就会显示模型能看到其中的哪些内容。',
  counting: '正在计算',
  instructionsCut: n => `你的指示超出了此窗口能容纳的长度：末尾 ${groupedNumber(n)} 个字符不会发送。`,
  toolsReduced: {
    'short prompt': '窗口较小：给模型的指示已缩短。',
    'two tools': '窗口较小：只提供读取和搜索两个工具。',
    'no tools': '窗口太小，无法使用工具。',
  },
  learntWindow: (window, typed) =>
    `服务器表示其窗口是 ${tokens(window)}，而不是 ${groupedNumber(typed)}，以服务器为准。`,
  toldWindow: (told, typed) =>
    `服务器表示其窗口是 ${tokens(told)}。仍以你设置的 ${groupedNumber(typed)} 为准，可在“设置 → 服务器”中修改。`,
  ceiling: n => `单次请求最多 ${tokens(n)}：这是你在该服务商的套餐每分钟的限额。`,
  countedHere: (counter, factor) =>
    factor === 1
      ? `token 数在本机计算（${counter}）。`
      : `token 数在本机计算（${counter}），并按服务器的实际用量修正：× ${factor.toFixed(2)}。`,
  windowOf: n => `窗口共 ${tokens(n)}。`,
  spent: what => `此对话至今用量：${what}`,
  numbers: (n, count) => `${messages(n)}，${turns(count)}`,
  details: '详情',

  act,
  undo: '撤销',
  redo: '重做',
  undoAct: what => `撤销：${what}`,
  redoAct: what => `重做：${what}`,
  undone: what => `已撤销：${what}`,
  redone: what => `已重做：${what}`,
  happened: '发生过什么',
  nothingHappened: '还没有移出任何内容。',
  happenedActs: {
    summary: n => `${messages(n)}写成了摘要`,
    cut: n => `移出了 ${messages(n)}`,
    clear: n => `清空了 ${messages(n)}`,
    rest: n => `闲置后略去了 ${messages(n)}`,
    strip: n => `${turns(n)}只留问答`,
    shorten: n => `缩短了 ${results(n)}`,
    'put back': n => `放回了 ${groupedNumber(n)} 项`,
    pin: () => '已固定',
    unpin: () => '已取消固定',
    reword: () => '改写了摘要',
  },
  whys: {
    automatic: '自动',
    you: '由你操作',
    agent: '由助手发起',
    'too large': '请求放不下',
    rested: '闲置后',
  },
  fromTo: (before, after) => `${before} → ${after}`,
  tokensFromTo: (before, after) => `${groupedNumber(before)} → ${tokens(after)}`,
  byRule: '按规则生成',
  byModel: (model, ms) => (model === '' ? duration(ms) : `${model}，${duration(ms)}`),
  liftedSince: '后来已撤销',
  read: '阅读',
  readName: what => `阅读：${what}`,

  putBackTitle: '放不下',
  putBackText: (n, share) =>
    `放回这 ${messages(n)}后，内容会${share >= 2 ? `达到窗口容量的 ${groupedNumber(share)} 倍` : '超出窗口'}；发送下一条消息时会再次移出。`,
  putBackTextOnly: '它会完整放回，但窗口里没有足够的空间：发送下一条消息时会再次移出或缩短。',
  putBackPart: '放回放得下的部分',
  putBackPartText: (n, after) => `其中最近的 ${messages(n)}放得下（放回后共 ${tokens(after)}），其余的会重新写成摘要。`,
  putBackNothing: '窗口里已放不下其中任何一条。',
  putBackAll: '仍然全部放回',
  cancel: '取消',

  previewTitle: '预览',
  previewOf: '预览对象',
  previewNow: keep => `现在压缩：保留最近 ${tokens(keep)}`,
  previewCommand: '/compact：只保留最后一步',
  previewNext: '你的下一条消息',
  previewWith: strategy => `使用${strategy}时的下一条消息`,
  previewAbout: '只看不改，也不会询问模型。',
  before: '之前',
  after: '之后',
  windowEnd: '窗口',
  fates: {
    goes: n => `移出 · ${groupedNumber(n)}`,
    shortened: n => `缩短 · ${groupedNumber(n)}`,
    stays: n => `保留 · ${groupedNumber(n)}`,
  },
  fateTexts: {
    goes: '这些消息由摘要代替，仍保留在对话中；固定的消息会留在窗口里。',
    left: '这些消息会略去，没有摘要，仍保留在对话中；固定的消息会留在窗口里。',
    shortened: '这些内容只显示开头和结尾，完整内容可按路径再次读取。',
    stays: '这些内容原样发给模型。',
  },
  fateList: '消息',
  emptyFate: '没有。',
  wouldRestart: n => `这个对话已闲置一段时间，会只带着最近 ${turns(n)}的问答继续。`,
  wouldNotFit: '下一条消息会放不进窗口，无论移出什么内容。',
  previewSummary: '按规则生成的摘要（模型可能写得更好）',
  compactNow: '现在压缩',
  pin: '固定',
  unpin: '取消固定',
  pinName: what => `固定 ${what}`,
  unpinName: what => `取消固定 ${what}`,
  pinRefused: '没有固定：全部固定内容最多占窗口的五分之一。',
  shortTo: (before, after) => `${groupedNumber(before)} → ${tokens(after)}`,
})
