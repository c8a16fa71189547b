/** What came of an export or an import, in Chinese. */
import { withIsolatedArguments } from '../../../core/text/display/isolate.ts'
import { groupedNumber } from '../format/format.ts'
import { importReason } from './errors-zh.ts'
import type { TransferTexts } from '../en/transfer-en.ts'

export const transferZh: TransferTexts = withIsolatedArguments({
  exporting: lines => `正在导出：${groupedNumber(lines)} 行`,
  exported: lines => `已导出 ${groupedNumber(lines)} 行`,
  importing: lines => `正在导入：${groupedNumber(lines)} 行`,
  imported: (messages, others) => {
    const said = `${groupedNumber(messages)} 条消息`
    const more = `${groupedNumber(others)} 条其他记录`
    return `已导入 ${others === 0 ? said : messages === 0 ? more : `${said}和 ${more}`}`
  },
  stopImport: '停止',
  importStopped: '已停止。再次导入这个文件即可继续，不会重复。',
  importBetween: '；',
  importSkipped: n => `${groupedNumber(n)} 条原本就有`,
  importAllHere: '这个文件里的内容原本就都有',
  importNothing: '这个文件里没有可导入的内容。文件应为 JSON Lines：每行一个 JSON 对象。',
  importChatsHere: '这个文件里的对话原本就都有',
  importOnlyDocuments: '这个文件里没有对话',
  importVersions: n =>
    `${n === 1 ? '这个对话在文件中的后续与你这里的不同' : `有 ${groupedNumber(n)} 个对话在文件中的后续与你这里的不同`}。文件中的部分已保存为另一个版本，当前显示的内容不变。`,
  importShowVersion: '查看',
  importDocumentsTaken: n => `已导入 ${groupedNumber(n)} 个文档`,
  importDocumentsLeft: n => `${groupedNumber(n)} 个文档未导入`,
  importChooseDocuments: '选择…',
  importProposal: '文件中的 MEMORY.md 已作为提议等待确认',
  importShowProposal: '查看',
  importProblems: n => `${groupedNumber(n)} 行有问题`,
  importProblem: (line, reason) => `第 ${groupedNumber(line)} 行：${importReason(reason)}`,
  importMore: n => `另有 ${groupedNumber(n)} 处`,
  importAsCopy: '作为副本再导入一次',
  importOpen: '打开',
})
