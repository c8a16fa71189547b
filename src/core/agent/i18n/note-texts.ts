/** The texts of notes, by language. They are for the person; the model never reads them. */
import type { Language } from '../api/api.ts'
import { withIsolatedArguments } from '../../text/display/isolate.ts'

/** What a request is made of, tokens. */
export type RequestSizes = Record<'total' | 'window' | 'system' | 'tools' | 'summary' | 'messages', number>

/**
 * What an undo or redo did: messages that came back into the window, by a redo left it again, and in `left` the other
 * way round, where what was lifted was Put back; texts that are whole or short again, notes of a day that stay.
 */
export type UndoCounts = { messages: number; left: number; texts: number; notes: number }

/** Texts of one language. Numbers come in as numbers; `grouped` writes them. */
export type NoteTexts = {
  stopped: string
  notSent: string
  sentBefore: (model: string) => string
  failed: (message: string) => string
  cutOff: (message: string) => string
  waitLonger: (seconds: number) => string
  loopBroken: (tool: string) => string
  stepLimit: (steps: number) => string
  /** `faults`: the same fault three times; `repeats`: only calls that had been made already. */
  circle: (how: 'faults' | 'repeats') => string
  circleEnded: string
  /** `limit`: the output limit that ended it, tokens. */
  thoughtOnly: (limit: number | undefined) => string
  emptyAnswer: string
  restored: (characters: number) => string
  restoredCalls: (count: number) => string
  smallWindow: (how: 'short prompt' | 'two tools' | 'no tools', window: number) => string
  suspectTruncation: (reported: number, expected: number) => string
  heldBack: (server: string) => string
  toolsInWords: (model: string) => string
  overWindow: (reported: number, window: number) => string
  saidTruncated: string
  windowLearnt: (limit: number, before: number) => string
  windowTold: (told: number, typed: number, refused: boolean) => string
  stillTooLong: (sizes: RequestSizes) => string
  liftedAgain: string
  /** `limit`: what one request may have, tokens. */
  ceilingLearnt: (limit: number) => string
  /** `limit`: as it was told, bytes. */
  tooManyBytes: (bytes: number, limit: number | undefined, said: string) => string
  textTooLong: (characters: number, said: string) => string
  quietOverflow: (prompt: number, window: number) => string
  toolsLost: (reported: number, expected: number) => string
  undone: (done: UndoCounts) => string
  redone: (done: UndoCounts) => string
  nothingToUndo: string
  undoneAlready: string
  nothingFits: string
  nothingToRedo: string
  redoIsPast: string
  cleared: (messages: number) => string
  compacted: (messages: number, before: number, after: number) => string
  unfollowed: string
  nothingToClear: string
  nothingToCompact: string
  notYet: (now: {
    total: number
    threshold: number | undefined
    turns: number
    turnLimit: number | undefined
  }) => string
  pinsCapped: (tokens: number, most: number) => string
}

const words: Record<Language, NoteTexts> = withIsolatedArguments({
  en: {
    stopped: 'Stopped. What was written until then is kept.',
    notSent: 'Not sent. Choose a model of this device to go on here, or start a new chat.',
    sentBefore: model =>
      `This chat has been sent to ${model || 'a model elsewhere'} before. What is said now is answered on this device, but goes along when a model elsewhere is chosen again. For what should stay here, start a new chat.`,
    failed: message => `The model did not answer: ${message}`,
    cutOff: message => `The answer was cut off: ${message} What had come is kept.`,
    waitLonger: seconds => `The server asks to wait ${grouped(seconds)} seconds. Retry when you like.`,
    loopBroken: tool =>
      `${tool} was called a third time with the same arguments and the same result, so it was not run again.`,
    stepLimit: steps =>
      `${grouped(steps)} steps were made for this message, the most that is set. The model was asked for its final answer.`,
    circle: how =>
      how === 'faults'
        ? 'The model made the same faulty call three times in a row. It was asked to answer without tools.'
        : 'The model only repeated calls whose results it has already. It was asked to answer without tools.',
    circleEnded: 'It went on calling tools instead of answering, so it was stopped here. Continue lets it try again.',
    thoughtOnly: limit =>
      limit === undefined
        ? 'The model only thought and gave no answer. Its thoughts are kept.'
        : `The model thought until its output limit of ${grouped(limit)} tokens and had none left for the answer. What it thought is kept; nothing is asked again by itself.`,
    emptyAnswer: 'The model answered twice with nothing.',
    restored: characters =>
      `The app was closed while an answer was being written. The ${grouped(characters)} characters that had come are kept.`,
    restoredCalls: count =>
      `${grouped(count)} tool ${count === 1 ? 'call' : 'calls'} did not finish before the app was closed.`,
    smallWindow: (how, window) =>
      ({
        'short prompt': `This model's window is small (${grouped(window)} tokens): it gets a short system prompt.`,
        'two tools': `This model's window is small (${grouped(window)} tokens): it gets a short system prompt and only read_file and memory_search.`,
        'no tools': `This model's window is very small (${grouped(window)} tokens): it gets no tools.`,
      })[how],
    toolsInWords: model =>
      `The server of ${model} takes no tools as it is set up. The model is told of them in words instead, which works less surely; this is remembered for a day. Servers such as vLLM and llama.cpp take tools when they are started with the options for it.`,
    heldBack: server =>
      `The answers of ${server} come all at once, after the wait for the whole of them: the server or a proxy in front of it holds the stream back. Nothing is lost, but nothing can be read or stopped in between. In nginx, “proxy_buffering off” for this path helps.`,
    suspectTruncation: (reported, expected) =>
      `The server says that it read ${grouped(reported)} tokens, but about ${grouped(expected)} were sent. It may have cut off the beginning without saying so. Check the window that the server is set to.`,
    overWindow: (reported, window) =>
      `The server says that it read ${grouped(reported)} tokens, more than the window of ${grouped(window)}. What does not fit may have been left out without a word. The next request is made smaller.`,
    saidTruncated:
      'The server says that its window was full: it left the oldest part out, or stopped writing there. Check the window that the server is set to, or type /compact.',
    windowLearnt: (limit, before) =>
      `The server's window is ${grouped(limit)} tokens, not ${grouped(before)}. From now on the smaller number counts.`,
    windowTold: (told, typed, refused) =>
      `The server says that its window is ${grouped(told)} tokens; you set ${grouped(typed)}. ${refused ? 'This message is made to fit what the server says; with the next one your number counts again' : 'Your number goes on counting'}, until you change or empty it in Settings → Servers.`,
    stillTooLong: ({ total, window, system, tools, summary, messages }) =>
      `The request does not fit the model's window, even with everything shortened. It has ${grouped(total)} tokens (system prompt ${grouped(system)}, tools ${grouped(tools)}, summary ${grouped(summary)}, messages ${grouped(messages)}) and the window ${grouped(window)}; nothing more can be left out.`,
    liftedAgain: 'What had been taken out for this message is back in the window.',
    ceilingLearnt: limit =>
      `This provider takes at most ${grouped(limit)} tokens in one request, because your plan there has no more a minute. Requests are made to fit that; a higher plan lifts it.`,
    tooManyBytes: (bytes, limit, said) =>
      `The request has ${grouped(bytes)} bytes${limit === undefined ? ', more than' : `, and ${grouped(limit)} are`} what the server or a proxy in front of it takes (HTTP 413, “payload too large”). This is no limit of the model's window, and nothing was left out for it: whoever runs that server can raise it (in nginx: client_max_body_size).${said}`,
    textTooLong: (characters, said) =>
      `The server takes at most ${grouped(characters)} characters in one text, and none is left that could be shortened for it.${said}`,
    quietOverflow: (prompt, window) =>
      `The server answered nothing to ${grouped(prompt)} tokens, more than it has ever answered here. Its window may be smaller than ${grouped(window)}: the request was made smaller.`,
    toolsLost: (reported, expected) =>
      `The server says that it read ${grouped(reported)} tokens, but about ${grouped(expected)} were sent. The difference is as large as the tools: they seem not to have reached the model, which then cannot use any. With llama.cpp a chat template that knows tools helps (--jinja).`,
    undone: ({ messages, left, texts, notes }) =>
      `Undone: ${
        [
          ...(left > 0
            ? [`${grouped(left)} ${left === 1 ? 'message has' : 'messages have'} left the window again`]
            : []),
          ...(messages > 0
            ? [`${grouped(messages)} ${messages === 1 ? 'message is' : 'messages are'} in the window again`]
            : []),
          ...(texts > 0 ? [`${grouped(texts)} ${texts === 1 ? 'text is' : 'texts are'} as long as before`] : []),
        ].join('; ') || 'the newest change to the context'
      }.${notes > 0 ? ' The note of the day that came with it stays; it can be removed on the Memory page.' : ''}`,
    redone: ({ messages, left, texts }) =>
      `Restored: ${
        [
          ...(left > 0 ? [`${grouped(left)} ${left === 1 ? 'message is' : 'messages are'} in the window again`] : []),
          ...(messages > 0
            ? [`${grouped(messages)} ${messages === 1 ? 'message has' : 'messages have'} left the window again`]
            : []),
          ...(texts > 0 ? [`${grouped(texts)} ${texts === 1 ? 'text is' : 'texts are'} shortened again`] : []),
        ].join('; ') || 'the change that was undone'
      }.`,
    nothingToUndo: 'There is nothing to undo: no change of the window stands in this chat.',
    undoneAlready: 'This change was undone already.',
    nothingFits: 'Nothing of it would fit the window beside what is there.',
    nothingToRedo: 'There is nothing to redo: nothing is undone now.',
    redoIsPast: 'There is nothing to redo: a newer change stands since the last undo.',
    cleared: messages =>
      messages === 0
        ? 'Context cleared: only a summary stood in the window, and it is no longer sent. It stays in the chat; /undo brings it back.'
        : `Context cleared: ${grouped(messages)} ${messages === 1 ? 'message is' : 'messages are'} no longer sent. They stay in the chat and in the archive; /undo brings them back.`,
    compacted: (messages, before, after) =>
      `Compact complete. Messages compacted: ${grouped(messages)} (${grouped(before)} → ${grouped(after)} tokens). Compressed Summary: in the card above.`,
    unfollowed: 'No model could write it, so it was made by rule, and your instruction could not be followed.',
    nothingToClear: 'There is nothing to clear: no message is in the window.',
    nothingToCompact: 'There is nothing to compact.',
    notYet: ({ total, threshold, turns, turnLimit }) => {
      const limits = [
        ...(turnLimit === undefined ? [] : [`with more than ${grouped(turnLimit)} turns (now ${grouped(turns)})`]),
        ...(threshold === undefined
          ? []
          : [
              `${turnLimit === undefined ? `from ${grouped(threshold)} tokens on` : `above ${grouped(threshold)} tokens`} (now ${grouped(total)})`,
            ]),
      ]
      return limits.length === 0
        ? 'This strategy does not compact by itself: that is switched off.'
        : `This strategy would take nothing out with the next message. It does so ${limits.join(', or ')}.`
    },
    pinsCapped: (tokens, most) =>
      `Not pinned: with it ${grouped(tokens)} tokens would be pinned, and pins may take at most ${grouped(most)} of this window.`,
  },
  zh: {
    stopped: '已停止，已写出的内容会保留。',
    notSent: '没有发送。要在这里继续，请选择本机上的模型；或者新建一个对话。',
    sentBefore: model =>
      `这个对话之前已经发给${model ? ` ${model}` : '本机以外的模型'}。现在说的内容由本机的模型回答，但以后如果再选择本机以外的模型，也会一起发出去。不想发出去的内容，请在新对话里说。`,
    failed: message => `模型没有回答：${message}`,
    cutOff: message => `回答中断：${message} 已收到的内容会保留。`,
    waitLonger: seconds => `服务器要求等待 ${grouped(seconds)} 秒，稍后可手动重试。`,
    loopBroken: tool => `${tool} 第三次以相同的参数调用，且前几次结果相同，因此没有再次执行。`,
    stepLimit: steps => `这条消息已执行 ${grouped(steps)} 步，达到上限，已要求模型直接给出最终回答。`,
    circle: how =>
      how === 'faults'
        ? '模型连续三次发出同样有误的调用，已要求它不用工具直接回答。'
        : '模型只是在重复已有结果的调用，已要求它不用工具直接回答。',
    circleEnded: '模型没有回答，仍在继续调用工具，因此在此停止。点“继续”可让它再试。',
    thoughtOnly: limit =>
      limit === undefined
        ? '模型只进行了思考，没有给出回答。思考内容已保留。'
        : `模型一直思考到 ${grouped(limit)} 个 token 的输出上限，没有余量写出回答。思考内容已保留，不会自动重新请求。`,
    emptyAnswer: '模型连续两次返回了空回答。',
    restored: characters => `上次回答写到一半时应用被关闭，已收到的 ${grouped(characters)} 个字符已保留。`,
    restoredCalls: count => `应用关闭时有 ${grouped(count)} 个工具调用尚未完成。`,
    smallWindow: (how, window) =>
      ({
        'short prompt': `该模型的窗口较小（${grouped(window)} 个 token），已改用精简的系统提示。`,
        'two tools': `该模型的窗口较小（${grouped(window)} 个 token），已改用精简的系统提示，只提供 read_file 和 memory_search。`,
        'no tools': `该模型的窗口很小（${grouped(window)} 个 token），不提供工具。`,
      })[how],
    toolsInWords: model =>
      `${model} 所在的服务器按目前的设置不接受工具，因此改用文字向模型说明工具，效果不如直接支持可靠；这一情况会记住一天。vLLM、llama.cpp 等服务器用相应选项启动后即可支持工具。`,
    heldBack: server =>
      `${server} 的回答是等全部写完后一次送达的：服务器或它前面的代理缓存了数据流。内容不会丢失，但中途既看不到也停不下来。如果是 nginx，可为该路径设置“proxy_buffering off”。`,
    suspectTruncation: (reported, expected) =>
      `服务器称只读取了 ${grouped(reported)} 个 token，而实际发送了约 ${grouped(expected)} 个，开头部分可能被悄悄截掉了。请检查服务器设置的窗口大小。`,
    overWindow: (reported, window) =>
      `服务器称读取了 ${grouped(reported)} 个 token，超过了 ${grouped(window)} 个 token 的窗口，放不下的部分可能已被悄悄丢弃。下一次请求会缩小。`,
    saidTruncated:
      '服务器表示它的窗口已满：最早的部分已被丢弃，或回答提前结束。请检查服务器设置的窗口大小，或使用 /compact 压缩。',
    windowLearnt: (limit, before) =>
      `服务器的窗口是 ${grouped(limit)} 个 token，而不是 ${grouped(before)} 个。此后以较小的数值为准。`,
    windowTold: (told, typed, refused) =>
      `服务器表示其窗口是 ${grouped(told)} 个 token，而你设置的是 ${grouped(typed)} 个。${refused ? '这条消息会按服务器的数值精简；从下一条消息起仍' : '仍'}以你的设置为准，可在“设置 → 服务器”中修改或清空。`,
    stillTooLong: ({ total, window, system, tools, summary, messages }) =>
      `即使全部精简，请求仍超出模型的窗口：共 ${grouped(total)} 个 token（系统提示 ${grouped(system)}，工具 ${grouped(tools)}，摘要 ${grouped(summary)}，消息 ${grouped(messages)}），而窗口为 ${grouped(window)} 个，已没有可以再省去的内容。`,
    liftedAgain: '为这条消息移出的内容已全部恢复。',
    ceilingLearnt: limit =>
      `你在该服务商的套餐限制了每分钟的 token 数，因此单次请求最多 ${grouped(limit)} 个 token。之后的请求会控制在这个范围内；升级套餐可放宽。`,
    tooManyBytes: (bytes, limit, said) =>
      `请求有 ${grouped(bytes)} 字节，超过了服务器或它前面的代理允许的大小${limit === undefined ? '' : `（${grouped(limit)} 字节）`}（HTTP 413）。这不是模型窗口的限制，因此没有移出任何内容；可由服务器的管理者调高（nginx 中是 client_max_body_size）。${said}`,
    textTooLong: (characters, said) =>
      `服务器规定单段文本最多 ${grouped(characters)} 个字符，而现在已没有可以再缩短的文本。${said}`,
    quietOverflow: (prompt, window) =>
      `服务器对 ${grouped(prompt)} 个 token 的请求没有给出任何回答，而此前回答过的请求都比它小。窗口可能小于 ${grouped(window)}，因此已缩小请求。`,
    toolsLost: (reported, expected) =>
      `服务器称只读取了 ${grouped(reported)} 个 token，而实际发送了约 ${grouped(expected)} 个，差额正好相当于工具说明：工具似乎没有传到模型，模型也就无法使用它们。如果是 llama.cpp，请换用支持工具的对话模板（--jinja）。`,
    undone: ({ messages, left, texts, notes }) =>
      `已撤销：${
        [
          ...(left > 0 ? [`${grouped(left)} 条消息再次移出窗口`] : []),
          ...(messages > 0 ? [`${grouped(messages)} 条消息回到窗口`] : []),
          ...(texts > 0 ? [`${grouped(texts)} 段文本恢复到之前的长度`] : []),
        ].join('，') || '最近一次上下文改动'
      }。${notes > 0 ? '当时写入的当天笔记会保留，可在记忆页删除。' : ''}`,
    redone: ({ messages, left, texts }) =>
      `已恢复：${
        [
          ...(left > 0 ? [`${grouped(left)} 条消息回到窗口`] : []),
          ...(messages > 0 ? [`${grouped(messages)} 条消息再次移出窗口`] : []),
          ...(texts > 0 ? [`${grouped(texts)} 段文本再次缩短`] : []),
        ].join('，') || '刚撤销的改动'
      }。`,
    nothingToUndo: '没有可撤销的改动：本对话的窗口没有被改动过。',
    undoneAlready: '这项改动已经撤销过了。',
    nothingFits: '窗口里已放不下其中任何一条。',
    nothingToRedo: '没有可恢复的改动：目前没有被撤销的改动。',
    redoIsPast: '没有可恢复的改动：上次撤销之后又有了新的改动。',
    cleared: messages =>
      messages === 0
        ? '上下文已清空：窗口里只有摘要，它不再发送给模型。它仍保留在对话中，可用 /undo 恢复。'
        : `上下文已清空：${grouped(messages)} 条消息不再发送给模型。它们仍保留在对话和归档中，可用 /undo 恢复。`,
    compacted: (messages, before, after) =>
      `压缩完成。已压缩消息：${grouped(messages)} 条（${grouped(before)} → ${grouped(after)} 个 token）。压缩摘要：见上方卡片。`,
    unfollowed: '没有模型能写这份摘要，它是按规则生成的，因此未能按你的要求处理。',
    nothingToClear: '没有可清空的内容：窗口里还没有消息。',
    nothingToCompact: '没有可压缩的内容。',
    notYet: ({ total, threshold, turns, turnLimit }) => {
      const limits = [
        ...(turnLimit === undefined ? [] : [`超过 ${grouped(turnLimit)} 轮（现在 ${grouped(turns)} 轮）`]),
        ...(threshold === undefined
          ? []
          : [
              `${turnLimit === undefined ? '达到' : '超过'} ${grouped(threshold)} 个 token（现在 ${grouped(total)} 个）`,
            ]),
      ]
      return limits.length === 0
        ? '该策略不会自动压缩：此功能已关闭。'
        : `发送下一条消息时，该策略不会移出任何内容；${limits.join('或')}时才会移出。`
    },
    pinsCapped: (tokens, most) =>
      `未固定：加上它固定内容将占 ${grouped(tokens)} 个 token，而当前窗口最多允许 ${grouped(most)} 个。`,
  },
})

/**
 * The texts in the page's language. Code that is loaded at start does not import this, because it needs no texts yet.
 */
export function noteTexts({ language }: { language: Language }): NoteTexts {
  return words[language]
}

/** Groups of three digits, as English and Chinese both write them: 131,072. */
export function grouped(value: number): string {
  return wholes.format(value)
}
const wholes = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
