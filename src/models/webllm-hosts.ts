/** Where weights and programs come from unless the person names mirrors. */
export const usualHosts = { weights: 'https://huggingface.co/', programs: 'https://raw.githubusercontent.com/' } as const
