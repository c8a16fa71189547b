/**
 * The limits of each strategy in words, with the numbers that hold, by language: for /strategy and Settings. Loaded
 * when somebody asks.
 */
import type { Config, ConfigName, ConfigValue } from '../../context/config/config.ts'
import { fewTurns } from '../../context/steps/fit-budget.ts'
import { localAt, tuned } from '../../context/strategies/balanced.ts'
import { earlierResultMax, restoredTurns, resultShare } from '../../context/strategies/cowagent.ts'
import { resultShares } from '../../context/strategies/qwenpaw.ts'
import type { StrategyName } from '../../context/strategy.ts'
import type { Language } from '../api/api.ts'
import { grouped } from './note-texts.ts'
import { withIsolatedArguments } from '../../text/display/isolate.ts'

type Limits = Readonly<Record<StrategyName, (config: Config) => string[]>>

/**
 * What each strategy does at which limit, a sentence or two each. A number that is a setting is followed by its key.
 */
export const strategyLimits: Readonly<Record<Language, Limits>> = withIsolatedArguments({
  en: {
    balanced: config => [
      'The window here is what is left of it beside the room for the answer, which is a fifth, at most 8 192 tokens.',
      `A tool result above ${percent(tuned.arrivalAbove)} of it is shortened to ${percent(tuned.arrivalKeep)} on arrival.`,
      `From ${percent(tuned.olderFrom)} on, answered results behind the newest ${percent(tuned.olderWhole)} show ${grouped(tuned.olderKeep.used)} bytes where the model wrote names from them, else ${grouped(tuned.olderKeep.unused)}, ${grouped(tuned.olderKeep.edited)} of files that were changed since, and ${grouped(tuned.olderKeep.repeated)} where the same call was made again; at most ${percent(tuned.olderMost)} each, all in one go and only where that saves ${percent(tuned.olderGain)}.`,
      `At ${percent(tuned.compactAt)} older messages are summarised and ${percent(tuned.reserve)} stays as it is; a model of this device does it after an answer, from ${percent(localAt)} on.`,
      'These shares were measured together; they are no settings.',
      steps(config),
    ],
    qwenpaw: config => [
      config['tool_result_pruning_config.enabled']
        ? `The newest ${set(config, 'pruning_recent_n', 'tool results')}, and those not answered yet, show at most ${set(config, 'pruning_recent_msg_max_bytes', 'bytes')}, older ones ${set(config, 'pruning_old_msg_max_bytes', 'bytes')}; in a small window at most ${percent(resultShares.recent)} and ${percent(resultShares.old)} of it.`
        : 'Tool results stay whole (tool_result_pruning_config.enabled is false).',
      config['context_compact_config.enabled']
        ? `At ${share(config, 'compact_threshold_ratio')} of the window older messages are summarised; the newest ${share(config, 'reserve_threshold_ratio')} stays as it is.`
        : 'It does not summarise by itself (context_compact_config.enabled is false).',
      `${set(config, 'token_count_estimate_divisor', 'bytes')} count as a token.`,
      steps(config),
    ],
    copaw: config => [
      `Tool results stay whole unless enable_tool_result_compact is true (now ${String(config.enable_tool_result_compact)}); then all but the newest ${set(config, 'tool_result_compact_keep_n', 'results')} show at most ${set(config, 'tool_result_compact_max_chars', 'characters')}, half from each end.`,
      `At ${share(config, 'memory_compact_ratio')} of the window older messages are summarised; the newest ${share(config, 'memory_reserve_ratio')} stays as it is. 4 bytes count as a token.`,
      'Where calls and results of a log do not match, it compacts only when asked, with /compact.',
      steps(config),
    ],
    cowagent: config => [
      `With more than ${set(config, 'agent_max_context_turns', 'turns')} in view the older half leaves before the next answer and is summarised after it; the summary is sent from the next message on.`,
      `Above ${set(config, 'agent_max_context_tokens', 'tokens')}, in a small window above what it holds beside the answer, the older half of the turns leaves; with fewer than ${fewTurns} turns, all but the running one keep only question and last answer. This goes on until the request fits.`,
      `Results of earlier turns show at most ${grouped(earlierResultMax)} characters, half from each end, in a small window at most ${percent(resultShare)} of it; results of the running turn stay whole.`,
      `Where nothing was said for ${config.restore_after} hours (restore_after) when the chat is opened anew, it goes on from your next message with its newest ${restoredTurns(config.agent_max_context_turns)} turns, as question and answer without tool calls: a sixth of agent_max_context_turns, at least 3.`,
      steps(config),
    ],
  },
  zh: {
    balanced: config => [
      '这里的窗口指除去回答预留后的部分；预留为五分之一，最多 8 192 个 token。',
      `单条工具结果超过窗口的 ${percent(tuned.arrivalAbove)} 时，到达即缩短到 ${percent(tuned.arrivalKeep)}。`,
      `占用达到 ${percent(tuned.olderFrom)} 后，最近 ${percent(tuned.olderWhole)} 之前、已得到回答的结果会缩短：模型用过其中名称的显示 ${grouped(tuned.olderKeep.used)} 字节，其余 ${grouped(tuned.olderKeep.unused)} 字节；文件之后被改过的 ${grouped(tuned.olderKeep.edited)} 字节；同样的调用之后又做过的 ${grouped(tuned.olderKeep.repeated)} 字节；每条最多占 ${percent(tuned.olderMost)}。一次完成，并且只在能省下 ${percent(tuned.olderGain)} 时进行。`,
      `占用达到 ${percent(tuned.compactAt)} 时把较早的消息写成摘要，${percent(tuned.reserve)} 原样保留；本机模型从 ${percent(localAt)} 起，在回答之后进行。`,
      '这些比例是一起测定的，不是配置项。',
      stepsZh(config),
    ],
    qwenpaw: config => [
      config['tool_result_pruning_config.enabled']
        ? `最近 ${setZh(config, 'pruning_recent_n', '条')}工具结果和尚未得到回答的结果，最多显示 ${setZh(config, 'pruning_recent_msg_max_bytes', '字节')}，更早的为 ${setZh(config, 'pruning_old_msg_max_bytes', '字节')}；窗口较小时，分别不超过窗口的 ${percent(resultShares.recent)} 和 ${percent(resultShares.old)}。`
        : '工具结果保持完整（tool_result_pruning_config.enabled 为 false）。',
      config['context_compact_config.enabled']
        ? `占用达到窗口的 ${shareZh(config, 'compact_threshold_ratio')}时把较早的消息写成摘要，最近的 ${shareZh(config, 'reserve_threshold_ratio')}原样保留。`
        : '不会自动写摘要（context_compact_config.enabled 为 false）。',
      `每 ${setZh(config, 'token_count_estimate_divisor', '字节')}算一个 token。`,
      stepsZh(config),
    ],
    copaw: config => [
      `除非 enable_tool_result_compact 为 true（现为 ${String(config.enable_tool_result_compact)}），工具结果保持完整；开启后，除最近 ${setZh(config, 'tool_result_compact_keep_n', '条')}外，更长的结果只显示 ${setZh(config, 'tool_result_compact_max_chars', '个字符')}，首尾各一半。`,
      `占用达到窗口的 ${shareZh(config, 'memory_compact_ratio')}时把较早的消息写成摘要，最近的 ${shareZh(config, 'memory_reserve_ratio')}原样保留。每 4 字节算一个 token。`,
      '若日志中的调用与结果不对应，只在你输入 /compact 时才压缩。',
      stepsZh(config),
    ],
    cowagent: config => [
      `视图中超过 ${setZh(config, 'agent_max_context_turns', '轮')}时，较早的一半在下一次回答前移出，回答之后写成摘要；摘要从再下一条消息起发送。`,
      `超过 ${setZh(config, 'agent_max_context_tokens', '个 token')}时（窗口较小时，超过除去回答后的部分），移出较早一半的轮次；不足 ${fewTurns} 轮时，除正在进行的一轮外，只保留问题和最后一次回答。直到请求放得下为止。`,
      `较早轮次的结果最多显示 ${grouped(earlierResultMax)} 个字符，首尾各一半；窗口较小时最多占窗口的 ${percent(resultShare)}。正在进行的一轮的结果保持完整。`,
      `重新打开应用时，若对话已闲置 ${config.restore_after} 小时（restore_after），从你的下一条消息起只用最近 ${restoredTurns(config.agent_max_context_turns)} 轮继续，只含问题和回答，不含工具调用：agent_max_context_turns 的六分之一，至少 3 轮。`,
      stepsZh(config),
    ],
  },
})

function steps(config: Config): string {
  return `At most ${set(config, 'agent_max_steps', 'model calls')} for one message of yours.`
}

function stepsZh(config: Config): string {
  return `你的每条消息最多调用模型 ${setZh(config, 'agent_max_steps', '次')}。`
}

/** The number that holds, and its key. */
function set(config: Config, key: ConfigName, unit: string): string {
  return `${shown(config[key])} ${unit} (${key})`
}

function setZh(config: Config, key: ConfigName, unit: string): string {
  return `${shown(config[key])} ${unit}（${key}）`
}

function shown(value: ConfigValue): string {
  return typeof value === 'number' && Number.isInteger(value) ? grouped(value) : String(value)
}

function share(config: Config, key: ConfigName): string {
  return `${percent(Number(config[key]))} (${key})`
}

function shareZh(config: Config, key: ConfigName): string {
  return `${percent(Number(config[key]))}（${key}）`
}

/** A share as a person writes it; of settings also with tenths. */
function percent(part: number): string {
  return `${Math.round(part * 1000) / 10}%`
}
