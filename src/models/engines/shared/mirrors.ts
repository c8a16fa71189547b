/** Where files of models come from, and where a person's mirror has them instead. */
import type { Mirrors } from '../../../core/ports/local-engine.ts'

/** Where weights and programs come from unless the person names mirrors. */
export const usualHosts = {
  weights: 'https://huggingface.co/',
  programs: 'https://raw.githubusercontent.com/',
} as const

/**
 * The address to ask instead of the usual one. What comes is kept under the usual one, so a mirror can be changed in
 * mid-way.
 */
export function mirrored(url: string, { weights, programs }: Mirrors): string {
  if (weights && url.startsWith(usualHosts.weights))
    return weights.replace(/\/*$/, '/') + url.slice(usualHosts.weights.length)
  if (programs && url.startsWith(usualHosts.programs))
    return programs.replace(/\/*$/, '/') + url.slice(usualHosts.programs.length)
  return url
}
