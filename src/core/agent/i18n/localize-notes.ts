/**
 * Localizes notes of the context engine: steps write English with numbers as data, and these become the person's
 * language. Pure.
 */
import type { Code } from '../../errors.ts'
import type { NewEntry } from '../../log/entry.ts'
import type { Language } from '../api/api.ts'
import { grouped } from './note-texts.ts'

type Note = Extract<NewEntry, { type: 'note' }>

/** The same entries with notes in this language; a note without a translation stays as it is. */
export function localizeNotes<T extends NewEntry>(entries: readonly T[], language: Language): T[] {
  if (language === 'en') return [...entries]
  return entries.map(entry => {
    const text = entry.type === 'note' ? chinese[entry.code]?.(entry) : undefined
    return text === undefined ? entry : { ...entry, text }
  })
}

const number = (note: Note, name: string): string => {
  const value = note.data?.[name]
  return typeof value === 'number' ? grouped(value) : '?'
}
const parts: Record<string, string> = { 'system prompt': '系统提示', tools: '工具', summary: '摘要' }
const rungs: Record<number, string> = {
  3: '较长的文本已缩短，较早的对话已移出视图',
  4: '工具刚返回的内容已缩短',
  5: '只发送你的问题',
}

const chinese: Partial<Record<Code, (note: Note) => string | undefined>> = {
  overflow_rung: note => {
    const rung = note.data?.['rung']
    if (rung === 1)
      return `回答长度上限由 ${number(note, 'from')} 降为 ${number(note, 'to')} 个 token${note.data?.['cap'] === true ? '：模型不接受更高的上限' : '，否则请求放不下'}。`
    if (note.data?.['bytes'] === true) {
      const why =
        note.data['characters'] === undefined
          ? '请求的字节数超过了服务器或代理的上限'
          : `服务器规定单段文本最多 ${number(note, 'characters')} 个字符`
      return `${why}：较长的文本已缩短（${number(note, 'before')} → ${number(note, 'after')} 字节）。没有删除任何内容。`
    }
    if (typeof rung !== 'number') return undefined
    const turns = note.data?.['turns']
    const change =
      note.data?.['before'] === undefined ? '' : `（${number(note, 'before')} → ${number(note, 'after')} 个 token）`
    return `请求放不下：${typeof turns === 'number' ? `只发送最近 ${grouped(turns)} 轮和其余内容的摘要` : (rungs[rung] ?? '已精简')}${change}。没有删除任何内容。`
  },
  summary_failed: note =>
    `${String(note.data?.['model'] ?? '') || '模型'}没有给出可用的摘要，已改为不用模型、按规则生成${note.data?.['unfollowed'] === true ? '，因此未能按你的要求处理' : ''}。`,
  pins_capped: note =>
    note.data?.['unpinned'] === undefined
      ? undefined
      : `固定内容超过窗口的 20%，已取消最早的 ${number(note, 'unpinned')} 条固定。`,
  compact_floor: note =>
    `压缩无济于事：仅系统提示、工具和摘要就已达到 ${number(note, 'threshold')} 个 token 的阈值。占用最多的是${parts[String(note.data?.['part'])] ?? ''}，${grouped(note.tokens ?? 0)} 个 token（${number(note, 'share')}%）。`,
  compact_unmatched: () =>
    '本对话不会自动压缩：其中的工具调用和结果不能一一对应，按 CoPaw 公开的规则，此时保留全部原始消息。可以用 /compact 手动压缩。',
  compact_nothing: note => {
    switch (note.data?.['why']) {
      case 'empty':
        return '没有可压缩的内容：窗口里还没有消息。'
      case 'one step':
        return '没有可压缩的内容：窗口里只有最后一步及其问题，它们始终保留。'
      case 'kept':
        return `没有可压缩的内容：所有消息都在要保留的最近 ${number(note, 'keep')} 个 token 之内。`
      case 'little':
        return `没有可压缩的内容：${note.data['keep'] === 0 || note.data['keep'] === undefined ? '最后一步' : '要保留的消息'}之前的内容只有 ${grouped(note.tokens ?? 0)} 个 token，不到值得写成摘要的 ${number(note, 'least')} 个。`
      default:
        return undefined
    }
  },
  compact_no_gain: note =>
    `压缩只会把请求从 ${number(note, 'before')} 变为 ${number(note, 'after')} 个 token，收益太小，因此没有改动。`,
  over_budget: note => {
    const window = note.data?.['window']
    const fits = typeof window === 'number' && (note.tokens ?? 0) < window
    return `仅最新这条消息就有 ${grouped(note.tokens ?? 0)} 个 token，超过 ${number(note, 'max')} 的预算；${fits ? '将完整发送' : '发送前会先精简'}。`
  },
}
