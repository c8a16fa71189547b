/** What a chat in one language is made of, where facts are planted in it and asked for in other words. */

/** Who and what can be combined freely, so that each fact has neighbours that share half of its words. */
export type ChatLanguage = {
  people: string[]
  things: string[]
  places: string[]
  facts: ((who: string, thing: string, place: string) => string)[]
  asks: ((who: string, thing: string) => string)[]
  talk: ((who: string, thing: string) => string)[]
}
