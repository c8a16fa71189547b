/** The differences in what leaves the window and when: cuts and their sizes, summaries, emergencies. */
import type { Difference } from './difference.ts'

export const windowDifferences: readonly Difference[] = [
  {
    id: 'pinned-question',
    of: 'all',
    en: {
      title: 'the question that is being answered is always sent',
      published: 'what is old enough leaves, whatever it is',
      here: 'no cut takes out the running question, whatever its size',
      why: 'without it the model works on without knowing at what',
    },
    zh: {
      title: '正在回答的问题始终发送',
      published: '只要够旧就移出，不论是什么',
      here: '任何裁剪都不会移出正在回答的问题，不论它有多长',
      why: '没有问题，模型就不知道自己在做什么',
    },
  },
  {
    id: 'unanswered-results',
    of: 'all',
    en: {
      title: 'tool results that the model has not read yet are protected',
      published: 'a result is judged by its place and size alone',
      here: 'a result that no answer has followed counts as one of the newest and is never cut away',
      why: 'the model asked for it and has not seen it',
    },
    zh: {
      title: '模型还没读过的工具结果受保护',
      published: '只按结果的位置和大小处理',
      here: '尚未得到回答的结果算作最新的结果，绝不会被移出',
      why: '那是模型自己要的内容，而它还没看到',
    },
  },
  {
    id: 'shares-of-the-window',
    of: ['cowagent', 'qwenpaw'],
    en: {
      title: 'limits are shares of the window as well',
      published: 'fixed numbers: 50 000 tokens, 20 000 characters, 50 000 and 3 000 bytes',
      here: 'the smaller of the number and a share: the budget is at most what the window holds beside the answer; results have at most 30 % of it, older ones of qwenpaw 5 %',
      why: 'many models of a device have a window of 4 096 tokens',
    },
    zh: {
      title: '各项上限同时按窗口比例限制',
      published: '固定数值：50 000 个 token、20 000 个字符、50 000 和 3 000 字节',
      here: '取固定数值与窗口比例中较小的：预算不超过窗口除去回答后的部分；单条结果最多占 30%，qwenpaw 较早的结果最多占 5%',
      why: '本机运行的模型，窗口往往只有 4 096 个 token',
    },
  },
  {
    id: 'known-window',
    of: ['copaw', 'qwenpaw'],
    en: {
      title: 'the window is what the model has',
      published: '`max_input_length` is the window',
      here: 'the smaller of `max_input_length` and what the model is known to have (catalogue, server, a refusal)',
      why: 'a share of a window that is not there fits nothing',
    },
    zh: {
      title: '窗口以模型实际具有的为准',
      published: '`max_input_length` 就是窗口大小',
      here: '取 `max_input_length` 与已知的模型窗口（目录、服务器、被拒绝时得知）中较小的',
      why: '按并不存在的窗口算比例，请求还是放不下',
    },
  },
  {
    id: 'until-it-fits',
    of: ['cowagent'],
    en: {
      title: 'a budget is applied until the request fits',
      published: 'above the budget turns are compressed, or half of them trimmed, once',
      here: 'again and again until the request is within it; the newest turn stays whole',
      why: 'one time is not always enough, and then the provider refuses',
    },
    zh: {
      title: '预算会一直执行到请求放得下为止',
      published: '超出预算时压缩各轮，或再裁掉一半，只做一次',
      here: '反复进行，直到请求不超出预算；最新一轮保持完整',
      why: '一次未必够，不够就会被服务商拒绝',
    },
  },
  {
    id: 'running-turn-whole',
    of: ['cowagent'],
    en: {
      title: 'with fewer than five turns the running one stays whole',
      published: 'all turns keep the first user text and the last reply',
      here: 'all but the running turn do, which keeps its question, calls and results',
      why: 'they are what the model is working with',
    },
    zh: {
      title: '不足五轮时，正在进行的一轮保持完整',
      published: '所有轮次都只保留第一条用户文本和最后一条回复',
      here: '正在进行的一轮除外，它保留问题、调用和结果',
      why: '模型正在使用这些内容',
    },
  },
  {
    id: 'inside-a-turn',
    of: ['copaw', 'qwenpaw'],
    en: {
      title: 'a turn that is too long is cut between its steps',
      published: 'a question and its answer are not split',
      here: 'where one turn alone is above the reserve, its older steps leave and its question stays; a call and its result are never parted',
      why: 'one long task would fill the window, and nothing could leave',
    },
    zh: {
      title: '过长的一轮会在步骤之间裁开',
      published: '不拆开一问一答',
      here: '单独一轮就超过保留量时，移出其中较早的步骤，问题留下；调用和它的结果绝不分开',
      why: '否则一个长任务就会占满窗口，什么也移不出去',
    },
  },
  {
    id: 'a-step',
    of: ['cowagent'],
    en: {
      title: 'a step is a model call',
      published: '`agent_max_steps` counts tool calls',
      here: 'it counts model calls; one answer may hold several tool calls',
      why: 'calls made together are one decision',
    },
    zh: {
      title: '一步是一次模型调用',
      published: '`agent_max_steps` 计的是工具调用次数',
      here: '计的是模型调用次数；一次回答可以包含多个工具调用',
      why: '同时发出的调用出自同一个决定',
    },
  },
  {
    id: 'gain',
    of: ['copaw', 'qwenpaw'],
    en: {
      title: 'it compacts only where that helps',
      published: 'from the threshold on it compacts each time',
      here: 'not where less than 5 % of the threshold would be saved, or where system prompt, tools and summary alone reach it; a note says so',
      why: 'it would ask the summariser at every message, for nothing',
    },
    zh: {
      title: '有用时才压缩',
      published: '达到阈值后每次都压缩',
      here: '若节省不到阈值的 5%，或系统提示、工具和摘要本身就达到阈值，则不压缩，并用备注说明',
      why: '否则每条消息都会白白调用一次摘要模型',
    },
  },
  {
    id: 'by-hand',
    of: ['copaw', 'qwenpaw'],
    en: {
      title: 'a compaction by hand keeps only the last step',
      published: '`/compact` keeps the reserved zone, as one that comes by itself does',
      here: 'all but the last step and its question leaves, unless that is less than 300 tokens; then a note says so',
      why: 'who asks for it wants room now, and a summary of a few lines saves nothing',
    },
    zh: {
      title: '手动压缩只保留最后一步',
      published: '`/compact` 与自动压缩一样保留预留区',
      here: '除最后一步及其问题外全部移出；若不足 300 个 token，则不压缩并用备注说明',
      why: '手动压缩的人现在就需要空间，而几行话写成摘要省不下什么',
    },
  },
  {
    id: 'fallback',
    of: 'all',
    en: {
      title: 'a summary that fails is made by rule',
      published: 'nothing is said of a summary that fails',
      here: 'it is checked, asked for once more, and then made by rule and marked so; the one before stays until a valid one is there',
      why: 'an error text or an empty answer is no summary',
    },
    zh: {
      title: '摘要失败时按规则生成',
      published: '没有说明摘要失败时怎么办',
      here: '先检查，再重试一次，仍不行就按规则生成并注明；有效的摘要出来之前，保留上一份',
      why: '报错文字或空回答不是摘要',
    },
  },
  {
    id: 'one-prompt',
    of: ['copaw', 'qwenpaw'],
    en: {
      title: 'the summariser is one prompt',
      published: 'a ReActAgent (`reme_compactor`)',
      here: 'one prompt, in pieces where the input is long, whose answer is checked: headings, size, names and numbers',
      why: 'it needs no tools, costs one call, and runs on small models as well',
    },
    zh: {
      title: '摘要由一次提示完成',
      published: '由 ReActAgent（`reme_compactor`）完成',
      here: '一次提示，输入较长时分段进行，并检查结果：标题、长度、名称和数字',
      why: '不需要工具，只调用一次，小模型也能胜任',
    },
  },
  {
    id: 'guard',
    of: 'all',
    en: {
      title: 'a request that does not fit is made to fit before it is sent',
      published: 'only an error of the API starts the emergency (CowAgent), or nothing does (CoPaw, QwenPaw)',
      here: 'it is measured before each call, and again after a refusal',
      why: 'a refusal costs time, and some servers cut the beginning off without a word',
    },
    zh: {
      title: '放不下的请求会在发送前先精简',
      published: '只有 API 报错才触发应急处理（CowAgent），或者没有应急处理（CoPaw、QwenPaw）',
      here: '每次调用前先测量，被拒绝后再处理一次',
      why: '被拒绝要耗时间，有的服务器还会悄悄截掉开头',
    },
  },
  {
    id: 'ladder',
    of: 'all',
    en: {
      title: 'an emergency goes step by step and clears nothing',
      published: 'long texts to 10 000 characters and five turns, then the entire context is cleared (CowAgent)',
      here: 'the same first steps in every strategy, in small windows 30 % of the window; at last only the question is sent; each step can be undone',
      why: 'as much as fits is worth more than nothing',
    },
    zh: {
      title: '应急处理逐级进行，什么都不清空',
      published: '长文本限制到 10 000 字符、最多五轮，然后清空整个上下文（CowAgent）',
      here: '各策略都先做同样的几步，小窗口中以窗口的 30% 为限；最后只发送问题；每一步都可撤销',
      why: '能放下多少就留多少，总比全部清空好',
    },
  },
]
