/** Sanitises HTML: the last step before it is shown. The nodes can only be read. Needs a DOM. */
import DOMPurify, { type Config } from 'dompurify'

/** What these hold is never an address; without this DOMPurify would hold them to the rule for addresses. */
const plainAttributes = [
  'title',
  'dir',
  'target',
  'rel',
  'start',
  'align',
  'data-language',
  'data-math',
  'data-host',
  'data-image',
  'data-scroll',
  'data-plain',
  'data-task',
]
const inlineTags = ['a', 'b', 'br', 'code', 'del', 'em', 'i', 'small', 'span', 'strong']
const blockTags = [
  'blockquote',
  'div',
  'h3',
  'h4',
  'h5',
  'h6',
  'hr',
  'li',
  'ol',
  'p',
  'pre',
  'table',
  'tbody',
  'td',
  'th',
  'thead',
  'tr',
  'ul',
]

/** A gate of its own per kind of content: its rules are read once, not for each block of a stream. */
function gate(rules: Config): (html: string) => DocumentFragment {
  const purify = DOMPurify(window)
  purify.setConfig({ ...rules, ALLOW_DATA_ATTR: false, ALLOW_ARIA_ATTR: false, RETURN_DOM_FRAGMENT: true })
  return html => purify.sanitize(html, { RETURN_DOM_FRAGMENT: true })
}

/** Nodes of a block that `markdown.ts` made. No ids, names, styles, events; links only to http(s) and mailto. */
export const cleanNodes = gate({
  ALLOWED_TAGS: [...inlineTags, ...blockTags],
  ALLOWED_ATTR: ['href', ...plainAttributes],
  ADD_URI_SAFE_ATTR: plainAttributes,
  ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
})

/** Nodes of highlighted code: spans with classes of the highlighter, nothing else. */
export const cleanCode = gate({ ALLOWED_TAGS: ['span'], ALLOWED_ATTR: ['class'] })

/** Nodes of a formula: presentational MathML without styles, links and annotations. */
export const cleanMath = gate({
  ALLOWED_TAGS: [
    'math',
    'maction',
    'menclose',
    'merror',
    'mfrac',
    'mi',
    'mmultiscripts',
    'mn',
    'mo',
    'mover',
    'mpadded',
    'mphantom',
    'mprescripts',
    'mroot',
    'mrow',
    'ms',
    'mspace',
    'msqrt',
    'mstyle',
    'msub',
    'msup',
    'msubsup',
    'mtable',
    'mtd',
    'mtext',
    'mtr',
    'munder',
    'munderover',
    'semantics',
  ],
  ALLOWED_ATTR: [
    'accent',
    'accentunder',
    'columnalign',
    'columnspacing',
    'depth',
    'display',
    'displaystyle',
    'fence',
    'height',
    'linethickness',
    'lspace',
    'mathcolor',
    'mathvariant',
    'maxsize',
    'minsize',
    'movablelimits',
    'notation',
    'rowspacing',
    'rspace',
    'scriptlevel',
    'separator',
    'stretchy',
    'symmetric',
    'voffset',
    'width',
    'xmlns',
  ],
  ADD_FORBID_CONTENTS: ['annotation', 'annotation-xml'],
})
