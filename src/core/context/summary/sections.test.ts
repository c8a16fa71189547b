/** The six published sections, read from what models write. */
import { describe, expect, it } from 'vitest'
import { inSections, itemsOf, progressItems, sectionNames, parseSections } from './sections.ts'
import { stepEnv } from './summarize.fixture.ts'
import { summarize } from './summarize.ts'
import { withoutThinking } from './valid-summary.ts'
import { answeringSummariser, good, input } from './answering-summariser.fixture.ts'

describe('sections', () => {
  it('are the published six, in their order, and the prompt asks for each of them and for what is done, running and blocked', async () => {
    expect(sectionNames).toEqual([
      'Goal',
      'Constraints & Preferences',
      'Progress',
      'Key Decisions',
      'Next Steps',
      'Critical Context',
    ])
    for (const language of ['en', 'zh'] as const) {
      const { ask, asked } = answeringSummariser(good)
      await summarize(input, stepEnv(ask, { language }))
      const places = [
        ...sectionNames.slice(0, 3).map(name => `## ${name}`),
        '### Done',
        '### In Progress',
        '### Blocked',
        ...sectionNames.slice(3).map(name => `## ${name}`),
      ].map(heading => asked[0]!.text.indexOf(heading))
      expect(places.every((place, at) => place > (places[at - 1] ?? -1))).toBe(true)
    }
  })
  it('reads what small models write, and writes it in order', () => {
    const text = inSections(
      'Here is the summary:\n# 2. Next steps\n- go\n**Goal**\nwin\n## 关键决定\n- 用 A\n## Files\na.ts',
    )
    expect(text.indexOf('## Goal')).toBeLessThan(text.indexOf('## Next Steps'))
    expect(parseSections(text).found.get('Key Decisions')).toBe('- 用 A')
    expect(parseSections(text).found.get('Critical Context')).toContain('a.ts')
    expect(text).not.toContain('Here is the summary')
    expect(inSections(text)).toBe(text)
  })
  it('leaves headings in code alone and keeps long words in front', () => {
    expect(parseSections('## Goal\n```\n## Next Steps\n```\nx').found.size).toBe(1)
    expect(inSections(`${'long words. '.repeat(30)}\n## Goal\nx`)).toContain('long words.')
  })
  it('takes items and progress apart', () => {
    expect(itemsOf('- [x] one\n2. two\n\n(none)\n### Done\n* three')).toEqual(['one', 'two', 'three'])
    expect(progressItems('### Done\n- a\n### In Progress\n- [ ] b\n- [x] c\n### Blocked\n- d')).toEqual({
      done: ['a', 'c'],
      running: ['b'],
      blocked: ['d'],
    })
  })
  it('cuts thinking off however it is marked', () => {
    expect(withoutThinking('<THINK>a</THINK>b')).toBe('b')
    expect(withoutThinking('a</think>b')).toBe('b')
    expect(withoutThinking('b<thinking>a')).toBe('b')
    expect(withoutThinking('plain')).toBe('plain')
  })
})
