/** Where weights and programs come from unless the person names mirrors. */
export const usualHosts = { weights: 'https://huggingface.co/', programs: 'https://raw.githubusercontent.com/' } as const

/** Stands for a folder of this device in the addresses under which WebLLM looks for files. Nobody can own it, and it is never asked. */
export const nowhere = 'https://folder.haversack.invalid/'
