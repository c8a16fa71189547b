/** Addresses of WebLLM's programs, and the one that stands for a folder of this device. */
import { usualHosts } from '../shared/mirrors.ts'

const allPrograms = `${usualHosts.programs}mlc-ai/binary-mlc-llm-libs/main/web-llm-models/`
/** Programs of the engine's own list. The engine's version is in it: programs of another one do not fit. */
export const programsAt = `${allPrograms}v0_2_86/base/`

/**
 * The same program for this version of the engine; one that is not of the list is the person's affair and stays as it
 * is.
 */
export function currentProgram(program: string): string {
  const file = program.startsWith(allPrograms)
    ? /^v[\w.-]+\/base\/([^/]+)$/.exec(program.slice(allPrograms.length))?.[1]
    : undefined
  return file === undefined ? program : programsAt + file
}

/**
 * Stands for a folder of this device in the URLs that WebLLM uses. Nobody can own this host, and it is never contacted.
 */
export const nowhere = 'https://folder.haversack.invalid/'
