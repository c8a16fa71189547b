/** Chinese texts of the timeline. */
import type { timelineEn as english } from '../en/timeline-en.ts'
import { groupedNumber } from '../format/format.ts'
import { withIsolatedArguments } from '../../../core/text/display/isolate.ts'

const tokens = (n: number) => `${groupedNumber(n)} token`
const messages = (n: number) => `${groupedNumber(n)} 条消息`

export const timelineZh: typeof english = withIsolatedArguments<typeof english>({
  title: '对话，从早到晚',
  older: '较早的消息，按较小比例显示',
  hint: '指向一块即可查看内容。',
  hintWithLine: '指向一块即可查看内容；拖动竖线可以多留或少留。',
  speakers: { person: '你', assistant: '助手', tool: '工具结果', note: '提示' },
  sendings: { whole: '完整发送', shortened: '缩短后发送', summarised: '只在摘要里', unsent: '不发送' },
  tokens,
  messages,
  pinned: '已固定',
  mostly: what => `大多${what}`,
  place: (first, last, all) =>
    first === last
      ? `第 ${groupedNumber(first)} 条，共 ${groupedNumber(all)} 条`
      : `第 ${groupedNumber(first)}–${groupedNumber(last)} 条，共 ${groupedNumber(all)} 条`,
  summary: '摘要',
  summaryName: (n, size) => `${messages(n)}的摘要，${tokens(size)}`,
  summaryLong: n => `${messages(n)}的摘要`,

  keepNewest: '保留最近的……',
  keeps: (n, size, leave) => `保留最近 ${messages(n)}（${tokens(size)}），${messages(leave)}写成摘要`,
  allStay: '全部保留',
  keepsShort: n => `保留最近 ${groupedNumber(n)} 条`,
  automatic: '自动',
  automaticHelp: '让竖线回到策略决定的位置',

  zoomIn: '放大',
  zoomOut: '缩小',
  wholeChat: '显示整段对话',
  shows: (first, last, all) => `第 ${groupedNumber(first)}–${groupedNumber(last)} 条，共 ${groupedNumber(all)} 条`,

  reasons: {
    turns: '轮次已到上限',
    budget: '窗口已满',
    compact: '已经压缩',
    overflow: '请求放不下',
    clear: '上下文已清空',
    open: '对话搁置了一段时间',
    'last resort': '没有别的办法腾出空间',
    strip: '较早的轮次只留问答',
    removed: '原文已删除',
    long: '内容很长',
    repeated: '之后又调用过',
    edited: '文件之后改过',
    unused: '较早，很少用到',
    used: '较早，但用到过',
  },
  summaryWaits: '摘要还没写好',
  noteReason: '只给你看',
  willLeave: '下次会写进摘要',
  noWords: '没有文字',
  pin: '固定',
  unpin: '取消固定',
  pinBack: '重新发送（固定）',
  putBack: '放回',
  showInChat: '在对话中查看',
  open: '打开全文',
  failed: '无法读取这条消息。',
})
