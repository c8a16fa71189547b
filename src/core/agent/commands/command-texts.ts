/** What commands answer, by language. */
import type { Zone } from '../../context/size/measure.ts'
import type { Difference } from '../../context/strategies/difference.ts'
import type { Language } from '../api/api.ts'
import type { ConfigRow, ContextInfo, Forecast, Tile } from '../api/context-api.ts'
import { capital } from '../../text/display/capital.ts'
import type { MemoryProposal } from '../api/memory-api.ts'
import { grouped } from '../i18n/note-texts.ts'
import { withIsolatedArguments } from '../../text/display/isolate.ts'

export type CommandTexts = {
  unknown: (name: string, near: readonly string[]) => string
  noCommand: string
  help: string
  zones: Record<Zone, string>
  kinds: Record<Tile['kind'], string>
  context: (info: ContextInfo) => string[]
  largest: string
  withNext: (next: Forecast) => string
  atThreshold: (messages: number, tokens: number) => string
  unmatched: string
  config: (row: ConfigRow) => string
  configSet: (key: string, old: string, now: string, all: boolean, works: boolean) => string
  configReset: (key: string, old: string, now: string, by: ConfigRow['source']) => string
  configOther: (key: string, strategy: string, why: string) => string
  /** `instead`: what it is told in place of `wanted`; absent where it cannot be told. */
  effortIgnored: (model: string, wanted: string, instead?: string) => string
  configSource: Record<ConfigRow['source'], string>
  configMore: string
  configOfAll: string
  configOf: (strategies: string) => string
  /** What a setting is under another strategy; the next between them. */
  configUnder: (strategy: string, value: string) => string
  configAnd: string
  configNoJson: (why: string) => string
  configImported: (count: string, nothing: boolean, all: boolean) => string
  configIdle: (strategy: string) => string
  configProblems: string
  configUnknown: (keys: string) => string
  strategyNow: (name: string, names: string) => string
  strategySet: (old: string, now: string) => string
  strategyOfFile: (old: string, now: string, because: string, all: boolean) => string
  strategyMixed: (names: readonly string[]) => string
  strategyLimits: (name: string) => string
  forNewChats: string
  /** `published`: the strategy implements a published system; else it is our own. */
  differs: (strategy: string, published: boolean, titles: readonly string[]) => string
  differences: (strategy: string, published: boolean) => string
  difference: (said: Difference['en']) => string
  strategyUnknown: (name: string, names: string) => string
  modelNow: (name: string, id: string) => string
  modelSet: (now: string) => string
  modelUnknown: (id: string, near: string) => string
  models: string
  summaryNone: string
  summaryBy: Record<'model' | 'extractive' | 'person', string>
  historyTitle: (messages: number, tokens: number) => string
  searchNone: (query: string) => string
  searchMore: (count: number) => string
  searchEmpty: string
  memoryNone: string
  memoryAdded: string
  dreamNothing: string
  dreamProposal: (days: number, by: MemoryProposal['by'], model: string | undefined) => string
  newChat: (title: string) => string
  exporting: { session: string; day: (day: string) => string; all: string }
  exportUsage: string
  exportNoDay: (day: string) => string
  stopped: string
  notRunning: string
}

export const commandTexts: Record<Language, CommandTexts> = withIsolatedArguments({
  en: {
    unknown: (name, near) =>
      `There is no command /${name}.${near.length > 0 ? ` Did you mean ${near.map(one => `/${one}`).join(', ')}?` : ' /help lists them.'}`,
    noCommand: 'This begins with a slash but is no command. A message that shall begin with one is typed with two.',
    help: 'Commands:',
    zones: {
      system: 'System prompt',
      tools: 'Tools',
      summary: 'Summary',
      compactable: 'Compactable',
      reserved: 'Reserved',
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
            `Window: the server says ${grouped(info.reportedWindow)} tokens; your ${grouped(info.window)} count, until you change them in Settings → Models`,
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
    config: row => `${row.key} = ${String(row.value)}`,
    configSet: (key, old, now, all, works) =>
      `${key}: ${old} → ${now}${all ? ', for all chats' : ', for this chat'}.${works ? ' It takes effect at the next request.' : ''}`,
    configReset: (key, old, now, by) =>
      `${key}: ${old} → ${now}, ${by === 'all' ? 'as it is set for all chats' : by === 'chat' ? 'as it is set for this chat' : 'its default'}.`,
    configOther: (key, strategy, why) => `${key} has no effect here now, under ${strategy}: ${why}.`,
    effortIgnored: (model, wanted, instead) =>
      instead === undefined
        ? `${model}, the model in use, is not known to let itself be told how much to think: with it this has no effect.`
        : `${model}, the model in use, does not know “${wanted}”: it is asked for “${instead}”.`,
    configSource: { default: 'default', all: 'set for all chats', chat: 'set for this chat' },
    configMore:
      'A settings file of CowAgent, CoPaw or QwenPaw can be pasted after /config. /config strategies lists the settings of all strategies. “default” in place of a value takes a setting back. --all behind a value or a file sets it for all chats.',
    configOfAll: 'Read by every strategy:',
    configOf: strategies => `Read by ${strategies} only:`,
    configUnder: (strategy, value) => `${value} under ${strategy}`,
    configAnd: '; ',
    configNoJson: why => `The pasted file is not valid JSON, so nothing was set: ${why}`,
    configImported: (count, nothing, all) =>
      `From the file, for ${all ? 'all chats' : 'this chat'}: ${count}${nothing ? '.' : ':'}`,
    configIdle: strategy => `Kept, but without effect under ${strategy}:`,
    configProblems: 'Not taken:',
    configUnknown: keys => `Not known here, and left out: ${keys}`,
    strategyNow: (name, names) => `Strategy: ${name}. There are: ${names}.`,
    strategySet: (old, now) =>
      `Strategy: ${old} → ${now}. Nothing is lost by that; it takes effect at the next request.`,
    strategyUnknown: (name, names) => `There is no strategy "${name}". There are: ${names}.`,
    strategyOfFile: (old, now, because, all) =>
      all
        ? `Strategy of new chats, and of all that chose none: ${old} → ${now}, because ${because}. Settings → Context changes it back to ${old}.`
        : `Strategy: ${old} → ${now}, because ${because}. /strategy ${old} goes back; nothing is lost by either.`,
    strategyMixed: names => `To have one of them: ${names.map(name => `/strategy ${name}`).join(', ')}.`,
    strategyLimits: name => `${name}:`,
    forNewChats: 'It holds for new chats, and for all that chose none.',
    differs: (strategy, published, titles) =>
      `${differentEn(strategy, published)}: ${titles.join('; ')}. /strategy gives the reasons.`,
    differences: (strategy, published) => `${differentEn(strategy, published)}:`,
    difference: ({ title, published, here, why }) =>
      `**${capital(title)}.** Published: ${published}. Here: ${here}. Why: ${why}.`,
    modelNow: (name, id) => `Model: ${name} (${id}).`,
    modelSet: now => `Model: ${now}.`,
    modelUnknown: (id, near) => `There is no model "${id}".${near === '' ? '' : ` Nearest: ${near}.`}`,
    models: 'There are:',
    summaryNone: 'There is no summary yet.',
    summaryBy: {
      model: 'Summary, made by the model:',
      extractive: 'Summary, made by rule without a model:',
      person: 'Summary, edited by you:',
    },
    historyTitle: (messages, tokens) => `The next request: ${grouped(messages)} messages, ${grouped(tokens)} tokens.`,
    searchNone: query => `Nothing was found for "${query}".`,
    searchMore: count =>
      `${grouped(count)} more ${count === 1 ? 'place is' : 'places are'} not shown here; the search of the library shows them.`,
    searchEmpty: 'Type what to search for: /search <words>',
    memoryNone: 'There is no memory of today yet. /memory <text> adds a line.',
    memoryAdded: 'Added to the memory of today.',
    dreamNothing: 'There is nothing new that belongs into MEMORY.md. Nothing was written.',
    dreamProposal: (days, by, model) =>
      `Notes of ${grouped(days)} ${days === 1 ? 'day' : 'days'}, merged ${by === 'model' ? `by ${model ?? 'the model'}` : 'by rule, without a model'}. This is a proposal: nothing is written before you accept it on the memory page, where you can also change it.`,
    newChat: title => `New chat: ${title}`,
    exporting: { session: 'Export of this chat.', day: day => `Export of ${day}.`, all: 'Export of everything.' },
    exportUsage: 'Usage: /export, /export day YYYY-MM-DD, or /export all',
    exportNoDay: day => `There is nothing from ${day}.`,
    stopped: 'Stopped.',
    notRunning: 'Nothing is running.',
  },
  zh: {
    unknown: (name, near) =>
      `没有 /${name} 这个命令。${near.length > 0 ? `你是不是想用 ${near.map(one => `/${one}`).join('、')}？` : '输入 /help 查看全部命令。'}`,
    noCommand: '这段文字以斜杠开头，但不是命令。若消息本身要以斜杠开头，请输入两个斜杠。',
    help: '命令：',
    zones: {
      system: '系统提示',
      tools: '工具',
      summary: '摘要',
      compactable: '可压缩',
      reserved: '保留',
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
            `窗口：服务器表示是 ${grouped(info.reportedWindow)} 个 token；仍以你设置的 ${grouped(info.window)} 个为准，可在“设置 → 模型”中修改`,
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
    config: row => `${row.key} = ${String(row.value)}`,
    configSet: (key, old, now, all, works) =>
      `${key}：${old} → ${now}，${all ? '适用于所有对话' : '仅适用于本对话'}${works ? '，从下一次请求开始生效' : ''}。`,
    configReset: (key, old, now, by) =>
      `${key}：${old} → ${now}，${by === 'all' ? '即对所有对话设置的值' : by === 'chat' ? '即对本对话设置的值' : '即默认值'}。`,
    configOther: (key, strategy, why) => `${key} 在 ${strategy} 策略下目前不起作用：${why}。`,
    effortIgnored: (model, wanted, instead) =>
      instead === undefined
        ? `目前使用的模型 ${model} 据已知信息不能调节思考程度，因此这项设置对它不起作用。`
        : `目前使用的模型 ${model} 不支持“${wanted}”，实际按“${instead}”请求。`,
    configSource: { default: '默认', all: '所有对话', chat: '本对话' },
    configMore:
      'CowAgent、CoPaw 或 QwenPaw 的配置文件可以直接粘贴在 /config 后面。/config strategies 列出所有策略的配置项。用 default 代替值可取消设置。在值或文件后加 --all，则对所有对话生效。',
    configOfAll: '所有策略都读取：',
    configOf: strategies => `只有 ${strategies} 读取：`,
    configUnder: (strategy, value) => `${strategy} 下为 ${value}`,
    configAnd: '；',
    configNoJson: why => `粘贴的配置不是有效的 JSON，没有做任何设置：${why}`,
    configImported: (count, nothing, all) =>
      `来自文件，适用于${all ? '所有对话' : '本对话'}：${count}${nothing ? '。' : '：'}`,
    configIdle: strategy => `已保存，但在 ${strategy} 策略下不起作用：`,
    configProblems: '未采用：',
    configUnknown: keys => `此处没有、已忽略的项：${keys}`,
    strategyNow: (name, names) => `策略：${name}。可选：${names}。`,
    strategySet: (old, now) => `策略：${old} → ${now}。不会丢失任何内容，从下一次请求开始生效。`,
    strategyUnknown: (name, names) => `没有名为“${name}”的策略。可选：${names}。`,
    strategyOfFile: (old, now, because, all) =>
      all
        ? `新对话以及未单独选择策略的对话：${old} → ${now}，因为${because}。可在“设置 → 上下文”中改回 ${old}。`
        : `策略：${old} → ${now}，因为${because}。输入 /strategy ${old} 可改回；两种做法都不会丢失内容。`,
    strategyMixed: names => `要选用其中之一，请输入 ${names.map(name => `/strategy ${name}`).join(' 或 ')}。`,
    strategyLimits: name => `${name}：`,
    forNewChats: '适用于新对话以及未单独选择策略的对话。',
    differs: (strategy, published, titles) =>
      `${differentZh(strategy, published)}：${titles.join('；')}。原因见 /strategy。`,
    differences: (strategy, published) => `${differentZh(strategy, published)}：`,
    difference: ({ title, published, here, why }) =>
      `**${title}。** 公开说明：${published}。这里：${here}。原因：${why}。`,
    modelNow: (name, id) => `模型：${name}（${id}）。`,
    modelSet: now => `模型：${now}。`,
    modelUnknown: (id, near) => `没有名为“${id}”的模型。${near === '' ? '' : `相近的有：${near}。`}`,
    models: '可选：',
    summaryNone: '还没有摘要。',
    summaryBy: {
      model: '摘要（由模型生成）：',
      extractive: '摘要（未用模型，按规则生成）：',
      person: '摘要（由你编辑）：',
    },
    historyTitle: (messages, tokens) => `下一次请求：${grouped(messages)} 条消息，${grouped(tokens)} 个 token。`,
    searchNone: query => `没有找到“${query}”。`,
    searchMore: count => `另有 ${grouped(count)} 处未在此显示，可在对话列表的搜索中查看。`,
    searchEmpty: '请输入要搜索的内容：/search <关键词>',
    memoryNone: '今天还没有记忆。用 /memory <内容> 添加一条。',
    memoryAdded: '已加入今天的记忆。',
    dreamNothing: '没有需要写入 MEMORY.md 的新内容，什么都没有改动。',
    dreamProposal: (days, by, model) =>
      `已合并 ${grouped(days)} 天的笔记（${by === 'model' ? `由 ${model ?? '模型'} 完成` : '按规则合并，未用模型'}）。这只是提议：你在记忆页接受之前不会写入任何内容，也可以在那里修改。`,
    newChat: title => `新对话：${title}`,
    exporting: { session: '导出本对话。', day: day => `导出 ${day}。`, all: '导出全部内容。' },
    exportUsage: '用法：/export、/export day YYYY-MM-DD 或 /export all',
    exportNoDay: day => `${day} 没有任何内容。`,
    stopped: '已停止。',
    notRunning: '当前没有任务在运行。',
  },
})

function differentEn(strategy: string, published: boolean): string {
  return published
    ? `Different from what is published of ${strategy}`
    : `${capital(strategy)} is Haversack’s own. Different from the published systems, as in every strategy`
}

function differentZh(strategy: string, published: boolean): string {
  return published
    ? `与 ${strategy} 公开的说明不同之处`
    : `${strategy} 是 Haversack 自己的策略。与公开的原系统不同、且所有策略都遵守的有`
}

/** Whether it is done because a request does not fit, and not by the strategy's plan. */
function isEmergency(why: Forecast['why']): boolean {
  return why === 'overflow' || why === 'last resort'
}

export function percentOf(part: number, whole: number): string {
  return `${Math.round((part / Math.max(1, whole)) * 100)} %`
}
