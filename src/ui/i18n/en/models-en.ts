/** The list of models, in English; loads with it. */
import type { Price } from '../../../core/ports/ports.ts'
import { dollars, groupedNumber } from '../format/format.ts'
import { withIsolatedArguments } from '../../../core/text/display/isolate.ts'

const both = ({ input, output }: Price) => [dollars(input), dollars(output)] as const

export const modelsEn = withIsolatedArguments({
  title: 'Choose a model',
  list: 'Models',
  search: 'Search models',
  placeholder: (n: number) => `Search ${groupedNumber(n)} models`,
  none: (query: string) => `No model is called “${query}”.`,
  foundCount: (n: number) => `${groupedNumber(n)} ${n === 1 ? 'model' : 'models'}`,
  window: (tokens: number) => `${groupedNumber(tokens)} tokens`,
  free: 'free',
  price: (price: Price) => `${both(price)[0]} in, ${both(price)[1]} out`,
  priceText: (price: Price) => `US$ for a million tokens: ${both(price)[0]} read, ${both(price)[1]} written`,
  here: 'Runs on this device: nothing leaves it',
  abilities: { tools: 'Uses tools', images: 'Sees images', thinks: 'Thinks' },
  toolUse: { 'so-so': 'tools: so-so', no: 'no tools' },
  recall: 'no language model: finds what you keep here',
  addServer: 'Add a server…',
  ofDevice: 'Models of this device…',
})

export type ModelsTexts = typeof modelsEn
