/** What each setting does, in Chinese; the English stands with the settings (context/config/config.ts). */
import type { ConfigName } from '../../context/config/config.ts'

export const chineseDescriptions: Record<ConfigName, string> = {
  max_input_length: '一次请求最多的 token 数；若模型已知的上限更小，以模型为准。',
  max_output_tokens:
    '一次回答最多的 token 数，思考内容也算在内；窗口会为此预留，最多占一半。0 表示窗口的 20 %、最多 8192，或在设置中为该模型指定的值。',
  reasoning_effort:
    '模型回答前思考多少，仅对可以调节的模型有效：off（不思考）、low、medium、high，或 default（由模型自己决定）。',
  temperature: '模型用词的随意程度，仅对可以调节的模型有效：0 最稳定，数值越大变化越多；default 由模型自己决定。',
  token_counter: 'token 的计数方式：bpe（o200k）、bytes（UTF-8 字节数 / 4）或 script（按文字种类）。',
  agent_max_steps: '你的每条消息最多调用模型几次。',
  agent_max_context_tokens: '一次请求的 token 预算；超出时精简或移出较早的轮次。',
  agent_max_context_turns: '视图中最多保留的轮数；超出时较早的一半移出并写成摘要。',
  restore_after:
    '对话闲置多少小时后，再次打开并发消息时只带上最近几轮（最多轮数的六分之一，至少 3 轮）的问答；0 表示每次打开应用后都如此。',
  memory_compact_ratio: '占用达到窗口的这一比例时，把较早的消息写成摘要。',
  memory_reserve_ratio: '压缩时原样保留的部分占窗口的比例。',
  memory_notes: '把每次压缩的摘要也写进当天的笔记。CowAgent 总是这样做，应急处理在任何策略下也会写。',
  compact_tool:
    '允许模型在一项任务做完、下一项开始时自行请求压缩。为此会向它提供 compact 工具；每次压缩都会显示在对话中，并可撤销。',
  enable_tool_result_compact: '缩短较早的工具结果。',
  tool_result_compact_keep_n: '最近几条工具结果保持完整。',
  tool_result_compact_max_chars: '较早的工具结果最多保留的字符数，首尾各一半。',
  compact_threshold_ratio: '占用达到窗口的这一比例时，把较早的消息写成摘要。',
  reserve_threshold_ratio: '压缩时原样保留的部分占窗口的比例。',
  'context_compact_config.enabled': '自动把较早的消息写成摘要。',
  'tool_result_pruning_config.enabled': '缩短工具结果。',
  pruning_recent_n: '最近几条工具结果算作“较新”。',
  pruning_recent_msg_max_bytes: '较新的工具结果最多保留的字节数。',
  pruning_old_msg_max_bytes: '较早的工具结果最多保留的字节数。',
  token_count_estimate_divisor: '多少字节的文本按一个 token 估算。',
  session_retention_days: '经你同意后，闲置超过这些天的对话会从列表中移走；0 表示全部保留。',
  offload_retention_days: '经你同意后，已不在视图中的工具结果在这些天后删除正文；0 表示全部保留。',
  context_manager_backend: '取值 light 表示选用 qwenpaw 策略，输入命令或写在文件中都一样。',
  memory_manager_backend: '记忆只有一套，所有策略共用。',
  dialog_path: '归档路径的第一段，所有对话都相同。',
}
