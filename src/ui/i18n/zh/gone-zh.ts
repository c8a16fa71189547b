/** Why a text is not there any more, in Chinese: it is stored as English words, which the model reads too. */
export function whyGone(why: string): string {
  const [, days] = /^by the (\d+)-day rule$/.exec(why) ?? []
  if (days !== undefined) return `按 ${days} 天的规则清理`
  return why === 'deleted' ? '由你删除' : why
}
