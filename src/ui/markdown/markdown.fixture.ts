/** Blocks as one text. */
import type { Block } from './markdown.ts'

export const html = (blocks: readonly Block[]) => blocks.map(block => block.html).join('')
