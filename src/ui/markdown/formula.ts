/**
 * TeX → MathML. KaTeX is loaded when the first formula is met; MathML needs neither its fonts nor inline styles, which
 * the CSP forbids.
 */

/** MathML of a formula; undefined when it is no valid TeX or the part cannot be loaded: the TeX is shown then. */
export async function formula(tex: string, display: boolean): Promise<string | undefined> {
  try {
    const { renderToString } = await import('katex')
    return renderToString(tex, {
      output: 'mathml',
      displayMode: display,
      throwOnError: true,
      strict: 'ignore',
      trust: false,
      maxSize: 20,
      maxExpand: 300,
    })
  } catch {
    return undefined
  }
}
