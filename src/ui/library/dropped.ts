/** What was dropped on the page. */

/** The files of a drop; none where text or a link was dropped. */
export function filesIn(transfer: DataTransfer | null): File[] {
  return [...transfer?.files ?? []]
}

/** Whether a file may be an export: by its name, since browsers know no type for JSON Lines. A packed one is told what it is. */
export function isImportable({ name }: { name: string }): boolean {
  return /\.(jsonl|ndjson|json)(\.gz)?$/i.test(name)
}
