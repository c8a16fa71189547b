/** What page and thread say to each other when other apps' exports are read. Types only. */
import type { EgressMark } from '../../core/log/egress-mark.ts'
import type { ExportLook } from '../../core/imports/look.ts'
import type { ForeignApp } from '../../core/log/file-format/foreign-export.ts'

export type ExportChoice = {
  app: ForeignApp
  /** Ids of the chats that are wanted, as the look names them. */
  chats: readonly string[]
  /** As the person says; absent: what is imported stays on this device. */
  leaves?: EgressMark
}

export interface ExportReading {
  /**
   * What the files hold, an entry for each program that they are of; empty where none is read here. `told` hears how
   * many chats were found so far. Rejects where a file cannot be read.
   */
  look(files: readonly File[], told: (chats: number) => void): Promise<ExportLook[]>
  /** Begins to read what was looked at, from the first chat on. */
  begin(choice: ExportChoice): Promise<void>
  /** The next lines of ours; undefined at the end. */
  next(): Promise<string[] | undefined>
}
