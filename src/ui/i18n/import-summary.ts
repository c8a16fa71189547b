/** The result of an import in one sentence. Pure. */
import type { ImportedDocument, ImportReport } from '../../core/agent/api/transfer-api.ts'
import type { TransferTexts } from './en/transfer-en.ts'

export const documentsIn = ({ documents }: ImportReport, state: ImportedDocument['state']): number =>
  documents.filter(document => document.state === state).length

export function importSummary(report: ImportReport, w: TransferTexts): string {
  const { entries, messages, skipped, documents } = report
  const taken = documentsIn(report, 'taken')
  const parts = [
    ...(entries > 0 ? [w.imported(messages, entries - messages)] : []),
    ...(taken > 0 ? [w.importDocumentsTaken(taken)] : []),
  ]
  if (parts.length > 0) return [...parts, ...(skipped > 0 ? [w.importSkipped(skipped)] : [])].join(w.importBetween)
  const waits = documentsIn(report, 'offered') + documentsIn(report, 'proposed') > 0
  if (skipped > 0) return waits ? w.importChatsHere : w.importAllHere
  if (documents.length > 0) return waits ? w.importOnlyDocuments : w.importAllHere
  return w.importNothing
}
