/** Long texts of test cases, written short: strings and repetitions, joined without anything between. */
export type Recipe = string | (string | { repeat: string; times: number })[]

export function recipeText(recipe: Recipe): string {
  if (typeof recipe === 'string') return recipe
  return recipe.map(part => (typeof part === 'string' ? part : part.repeat.repeat(part.times))).join('')
}
