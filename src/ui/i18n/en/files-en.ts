/** What became of files, in English. */
import { withIsolatedArguments } from '../../../core/text/display/isolate.ts'
import type { FileRefusal } from '../../files/file-kind.ts'

export const filesEn = withIsolatedArguments({
  about: 'Files',
  dismiss: 'Dismiss',
  attached: (n: number) => `${n === 1 ? '1 file is' : `${n} files are`} attached to the chat`,
  refused: (n: number) => (n === 1 ? '1 file was left out:' : `${n} files were left out:`),
  line: (names: readonly string[], more: number, why: string) =>
    `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}: ${why}`,
  imported: (name: string, said: string) => `${name}: ${said}`,
  foreign: (names: readonly string[], app: string) =>
    `${names.join(', ')}: ${names.length === 1 ? 'an export' : 'exports'} of ${app}, which Haversack cannot import yet.`,
  foreignMessages: (names: readonly string[]) =>
    `${names.join(', ')}: messages in OpenAI’s form, which Haversack cannot import yet.`,
  asText: (n: number) => (n === 1 ? 'Attach as text' : `Attach ${n} as texts`),
  why: (why: FileRefusal, limit: string, most: number) =>
    (
      {
        empty: 'there is nothing in it',
        'too large': `larger than ${limit}`,
        'together too large': `the message would be larger than ${limit}`,
        picture: 'a picture; so far only texts can be attached',
        pdf: 'a PDF; so far only texts can be attached. Copy its text and paste it.',
        document: 'a document of an office program; save it as plain text, or copy its text and paste it',
        packed: 'packed (zip, gzip or the like); unpack it first',
        'sound or film': 'sound or film; so far only texts can be attached',
        model: 'a model; Settings → This device takes it',
        binary: 'no text',
        encoding: 'not written in UTF-8; save it as UTF-8 first',
        unreadable: 'could not be read; it may have been moved, or is not yours to read',
        'too many': `only ${most} files are taken at once`,
        'left out': 'kept by programs, not taken from a folder',
      } satisfies Record<FileRefusal, string>
    )[why],
})

export type FilesTexts = typeof filesEn
