/** What /config, /strategy and /model answer, by language. */
import type { Difference } from '../../context/strategies/difference.ts'
import type { Language } from '../api/api.ts'
import type { ConfigRow } from '../api/context-api.ts'
import { capital } from '../../text/display/capital.ts'
import { withIsolatedArguments } from '../../text/display/isolate.ts'

type SettingTexts = {
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
}

export const settingTexts: Record<Language, SettingTexts> = withIsolatedArguments({
  en: {
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
  },
  zh: {
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
