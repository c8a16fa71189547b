/** What a search says beside its passages. */

/** Stands first where no passage says most of what the query names; who only wants an answer has none then. */
export const unsaidLine = '[No passage has most of what the query names. The nearest:]'
