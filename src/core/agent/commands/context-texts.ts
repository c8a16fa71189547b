/** What /context, /summary and /history answer, by language. */
import type { Zone } from '../../context/size/measure.ts'
import type { Language } from '../api/api.ts'
import type { ContextInfo, Forecast, Tile } from '../api/context-api.ts'
import { grouped } from '../i18n/note-texts.ts'
import { withIsolatedArguments } from '../../text/display/isolate.ts'

type ContextTexts = {
  zones: Record<Zone, string>
  kinds: Record<Tile['kind'], string>
  context: (info: ContextInfo) => string[]
  largest: string
  withNext: (next: Forecast) => string
  atThreshold: (messages: number, tokens: number) => string
  unmatched: string
  summaryNone: string
  summaryBy: Record<'model' | 'extractive' | 'person', string>
  historyTitle: (messages: number, tokens: number) => string
}

export const contextTexts: Record<Language, ContextTexts> = withIsolatedArguments({
  en: {
    zones: {
      system: 'Instructions',
      tools: 'Tools',
      summary: 'Summary',
      compactable: 'Summarised next',
      reserved: 'Always kept',
      free: 'Free',
    },
    kinds: {
      system: 'system prompt',
      tools: 'tools',
      summary: 'summary',
      user: 'your message',
      assistant: 'answer',
      result: 'tool result',
    },
    context: info => [
      `Messages: ${grouped(info.messages)} (you ${grouped(info.roles.user)}, assistant ${grouped(info.roles.assistant)}, tools ${grouped(info.roles.tool)}) in ${grouped(info.turns)} ${info.turns === 1 ? 'turn' : 'turns'}, ${grouped(info.characters)} characters`,
      `Tokens: ${grouped(info.total)} of ${grouped(info.window)} (${percentOf(info.total, info.window)}), counted by ${info.counter}${info.factor === 1 ? '' : ` × ${info.factor.toFixed(2)}`}`,
      ...(info.configuredWindow === undefined
        ? []
        : [
            `Window: the server says ${grouped(info.window)} tokens, not ${grouped(info.configuredWindow)}; that is what counts`,
          ]),
      ...(info.reportedWindow === undefined
        ? []
        : [
            `Window: the server says ${grouped(info.reportedWindow)} tokens; your ${grouped(info.window)} count, until you change them in Settings → Servers`,
          ]),
      ...(info.ceiling === undefined
        ? []
        : [
            `One request: at most ${grouped(info.ceiling)} tokens, because your plan at this provider has no more a minute`,
          ]),
      info.threshold === undefined
        ? 'Compaction: not by a threshold'
        : info.turnLimit === undefined
          ? `Compaction begins at ${grouped(info.threshold)} tokens`
          : `The oldest turns leave above ${grouped(info.threshold)} tokens, or with more than ${grouped(info.turnLimit)} turns (now ${grouped(info.turns)})`,
      ...(info.pendingSummary === undefined
        ? []
        : ['A summary waits: it is sent with your next message, and counts from then on']),
    ],
    largest: 'Largest:',
    withNext: ({ messages, turns, shortened, before, after, why, tooLong }) =>
      tooLong
        ? `Your next message does not fit the window, whatever is taken out (${grouped(after)} tokens).`
        : messages + shortened === 0
          ? 'Your next message takes nothing out of the window.'
          : `With your next message ${[
              ...(messages > 0
                ? [
                    `${grouped(messages)} ${messages === 1 ? 'message leaves' : 'messages leave'} the window${turns > 0 ? ` (${grouped(turns)} ${turns === 1 ? 'turn' : 'turns'})` : ''}`,
                  ]
                : []),
              ...(shortened > 0
                ? [`${grouped(shortened)} ${shortened === 1 ? 'text is' : 'texts are'} shortened`]
                : []),
            ].join(
              ' and ',
            )}${isEmergency(why) ? ', because it would not fit otherwise' : ''}: ${grouped(before)} → ${grouped(after)} tokens.`,
    atThreshold: (messages, tokens) =>
      `A compaction at the threshold would take out ${grouped(messages)} ${messages === 1 ? 'message' : 'messages'} of those here now (${grouped(tokens)} tokens).`,
    unmatched:
      'Nothing is compacted by itself in this chat: its calls and results do not match, and by its published rule CoPaw then leaves all messages as they are. /compact works.',
    summaryNone: 'There is no summary yet.',
    summaryBy: {
      model: 'Summary, made by the model:',
      extractive: 'Summary, made by rule without a model:',
      person: 'Summary, edited by you:',
    },
    historyTitle: (messages, tokens) => `The next request: ${grouped(messages)} messages, ${grouped(tokens)} tokens.`,
  },
  zh: {
    zones: {
      system: '系统指示',
      tools: '工具',
      summary: '摘要',
      compactable: '下次写成摘要',
      reserved: '始终保留',
      free: '空闲',
    },
    kinds: {
      system: '系统提示',
      tools: '工具',
      summary: '摘要',
      user: '你的消息',
      assistant: '回答',
      result: '工具结果',
    },
    context: info => [
      `消息：${grouped(info.messages)} 条（你 ${grouped(info.roles.user)}，助手 ${grouped(info.roles.assistant)}，工具 ${grouped(info.roles.tool)}），${grouped(info.turns)} 轮，${grouped(info.characters)} 个字符`,
      `Token：${grouped(info.total)} / ${grouped(info.window)}（${percentOf(info.total, info.window)}），计数方式 ${info.counter}${info.factor === 1 ? '' : ` × ${info.factor.toFixed(2)}`}`,
      ...(info.configuredWindow === undefined
        ? []
        : [
            `窗口：服务器表示是 ${grouped(info.window)} 个 token，而不是 ${grouped(info.configuredWindow)} 个，以服务器为准`,
          ]),
      ...(info.reportedWindow === undefined
        ? []
        : [
            `窗口：服务器表示是 ${grouped(info.reportedWindow)} 个 token；仍以你设置的 ${grouped(info.window)} 个为准，可在“设置 → 服务器”中修改`,
          ]),
      ...(info.ceiling === undefined
        ? []
        : [`单次请求：最多 ${grouped(info.ceiling)} 个 token，这是你在该服务商的套餐每分钟的限额`]),
      info.threshold === undefined
        ? '压缩：不按阈值触发'
        : info.turnLimit === undefined
          ? `达到 ${grouped(info.threshold)} 个 token 时开始压缩`
          : `超过 ${grouped(info.threshold)} 个 token，或超过 ${grouped(info.turnLimit)} 轮（现在 ${grouped(info.turns)} 轮）时，最早的轮次移出窗口`,
      ...(info.pendingSummary === undefined ? [] : ['有一份摘要在等待：随你的下一条消息发送，从那时起计入']),
    ],
    largest: '占用最多：',
    withNext: ({ messages, turns, shortened, before, after, why, tooLong }) =>
      tooLong
        ? `下一条消息放不进窗口，无论移出什么内容（${grouped(after)} 个 token）。`
        : messages + shortened === 0
          ? '发送下一条消息时，不会有内容移出窗口。'
          : `发送下一条消息时，${isEmergency(why) ? '否则请求放不下，因此' : ''}${[
              ...(messages > 0
                ? [`${grouped(messages)} 条消息${turns > 0 ? `（${grouped(turns)} 轮）` : ''}会移出窗口`]
                : []),
              ...(shortened > 0 ? [`${grouped(shortened)} 段文本会缩短`] : []),
            ].join('，')}：${grouped(before)} → ${grouped(after)} 个 token。`,
    atThreshold: (messages, tokens) =>
      `达到阈值时的压缩会移出现有消息中的 ${grouped(messages)} 条（${grouped(tokens)} 个 token）。`,
    unmatched:
      '本对话不会自动压缩：其中的工具调用和结果不能一一对应，按 CoPaw 公开的规则，此时保留全部原始消息。可以用 /compact 手动压缩。',
    summaryNone: '还没有摘要。',
    summaryBy: {
      model: '摘要（由模型生成）：',
      extractive: '摘要（未用模型，按规则生成）：',
      person: '摘要（由你编辑）：',
    },
    historyTitle: (messages, tokens) => `下一次请求：${grouped(messages)} 条消息，${grouped(tokens)} 个 token。`,
  },
})

/** Whether it is done because a request does not fit, and not by the strategy's plan. */
function isEmergency(why: Forecast['why']): boolean {
  return why === 'overflow' || why === 'last resort'
}

export function percentOf(part: number, whole: number): string {
  return `${Math.round((part / Math.max(1, whole)) * 100)}%`
}
