/** What the built-in model says, in English and Chinese. */
import { isolated } from '../../core/text/display/isolate.ts'
import type { Passage } from './recall-passages.ts'

/** Most passages in one answer: more, nobody reads. */
const mostPassages = 5
/** Longest piece of a tool's answer that is shown, code points. */
const mostOfResult = 4_000

type Words = {
  greeting: string
  help: string
  thanks: string
  noTools: string
  nothing(question: string): string
  found(passages: readonly Passage[], around: readonly Passage[]): string
  result(tool: string, text: string): string
  toolFailed(tool: string, text: string): string
}

export const recallTexts: { en: Words; zh: Words } = {
  en: {
    greeting: `Hello. I am **Recall**, the model built into this app. I am not a language model: I do not think up answers, I look up what is kept here and show it with its place.

Ask about something that was said earlier, or type \`/help\` for the commands. For real conversation choose a model in **Settings → Models**; everything you write now stays and is there for that model too.`,
    help: `I am **Recall**, the model built into this app. I am **not a language model**. I need no download, no key and no network, and I can:

- **find** what was said, in all chats, in memory and in tool results: just ask, or use \`/search <words>\`
- **read** a kept text: name its path, for example \`MEMORY.md\` or \`dialog/2026-01-31.jsonl:12\`
- **fetch** a page when you give its address (you are asked first)
- keep everything you write: \`/memory <text>\` adds a line to memory, \`/export\` saves a chat

\`/help\` lists all commands; \`/context\` shows what a model would see. For answers that need thinking, choose a model in **Settings → Models**: a server on this machine (Ollama, LM Studio, llama.cpp) or a provider with your key.`,
    thanks: 'You are welcome. Everything is kept; ask whenever you want to find it again.',
    noTools:
      'I am Recall, not a language model, and in this chat I was given no tool to search with, so I cannot look anything up. Use `/search <words>`, or choose a model in **Settings → Models**.',
    nothing: question => `I found nothing about ${quote(question, '“', '”')} in what is kept here.

I am Recall, not a language model: I only find what was said or saved. You could try other words, the wording that was used then, or a name or number. \`/search <words>\` searches too, \`/help\` lists the commands, and in **Settings → Models** you can choose a model that answers by itself.`,
    found: (
      passages,
      around,
    ) => `${passages.length === 1 ? 'I found one passage' : `I found ${Math.min(passages.length, mostPassages)} passages`} in what is kept here:

${list(passages, { line: 'line', lines: 'lines' })}${context(passages, around, 'Around the first one:', { user: 'You', assistant: 'Assistant', tool: 'Tool' })}

*I am Recall, not a language model: these are the words as they were kept, not an answer of my own.*`,
    result: (tool, text) => `This is what \`${tool}\` gave:

${fenced(text)}

*I am Recall, not a language model: I show it as it is.*`,
    toolFailed: (tool, text) => `\`${tool}\` did not work:

${fenced(text)}

I am Recall, not a language model, and try nothing else by myself. \`/help\` lists the commands.`,
  },
  zh: {
    greeting: `你好，我是 **Recall**，本应用自带的模型。我不是语言模型：我不会自己编写答案，只会查找这里保存的内容，并注明出处。

你可以问以前聊过的事，或输入 \`/help\` 查看命令。想要真正的对话，请在 **设置 → 模型** 中选择一个模型；现在写下的内容都会保留，换模型后也能看到。`,
    help: `我是 **Recall**，本应用自带的模型。我**不是语言模型**，无需下载、密钥或网络。我可以：

- **查找**所有对话、记忆和工具结果里的内容：直接提问，或用 \`/search <关键词>\`
- **读取**保存的文本：写出路径即可，例如 \`MEMORY.md\` 或 \`dialog/2026-01-31.jsonl:12\`
- **抓取**网页：给出网址（会先征求你的同意）
- 保存你写的一切：\`/memory <内容>\` 写入记忆，\`/export\` 导出对话

\`/help\` 列出全部命令，\`/context\` 显示模型会看到什么。需要思考的问题，请在 **设置 → 模型** 中选择模型：本机服务（Ollama、LM Studio、llama.cpp），或使用你自己密钥的服务商。`,
    thanks: '不客气。内容都已保存，需要时随时来问。',
    noTools:
      '我是 Recall，不是语言模型；这个对话没有给我可用的搜索工具，所以无法查找。请使用 `/search <关键词>`，或在 **设置 → 模型** 中选择一个模型。',
    nothing: question => `在保存的内容里没有找到与${quote(question, '“', '”')}有关的记录。

我是 Recall，不是语言模型，只能找到说过或保存过的内容。可以换个说法，用当时的原话、人名或数字再试。也可以用 \`/search <关键词>\` 搜索，用 \`/help\` 查看命令，或在 **设置 → 模型** 中选择一个能自己回答的模型。`,
    found: (passages, around) => `在保存的内容里找到 ${Math.min(passages.length, mostPassages)} 处：

${list(passages, { line: '第', lines: '第', end: '行' })}${context(passages, around, '第一处的上下文：', { user: '你', assistant: '助手', tool: '工具' })}

*我是 Recall，不是语言模型：以上是保存的原文，不是我自己写的回答。*`,
    result: (tool, text) => `\`${tool}\` 返回的内容：

${fenced(text)}

*我是 Recall，不是语言模型，只按原样显示。*`,
    toolFailed: (tool, text) => `\`${tool}\` 没有成功：

${fenced(text)}

我是 Recall，不是语言模型，不会自行再试。输入 \`/help\` 查看命令。`,
  },
}

type LineWords = { line: string; lines: string; end?: string }

function list(passages: readonly Passage[], say: LineWords): string {
  return passages
    .slice(0, mostPassages)
    .map((passage, index) => `${index + 1}. ${placeOf(passage, say)}\n\n${quoted(passage.text, '   ')}`)
    .join('\n\n')
}

function placeOf({ path, from, to, said }: Passage, say: LineWords): string {
  if (!path) return ''
  const chat = said
    ? ` · ${said
        .split(/, (?=\d{4}-\d{2}-\d{2})/)
        .map(isolated)
        .join(' · ')}`
    : ''
  const end = say.end ? ` ${say.end}` : ''
  if (from === undefined) return `\`${path}\`${chat}`
  return to !== undefined && to !== from
    ? `\`${path}\` · ${say.lines} ${from}–${to}${end}${chat}`
    : `\`${path}\` · ${say.line} ${from}${end}${chat}`
}

/** What stands around the best hit, without what was shown already. */
function context(
  passages: readonly Passage[],
  around: readonly Passage[],
  title: string,
  roles: Record<string, string>,
): string {
  const seen = new Set(passages.map(passage => passage.text))
  const fresh = around.filter(
    passage => ![...seen].some(text => text.includes(passage.text) || passage.text.includes(text)),
  )
  if (fresh.length === 0) return ''
  return `\n\n${title}\n\n${fresh
    .slice(0, 3)
    .map(({ who, text }) => quoted(who ? `${roles[who] ?? who}: ${isolated(text)}` : text, ''))
    .join('\n\n')}`
}

function quoted(text: string, indent: string): string {
  return text
    .split('\n')
    .map(line => `${indent}> ${line}`)
    .join('\n')
}

/** A fence longer than any in the text, so that a tool's answer cannot leave it. */
function fenced(text: string): string {
  const points = Array.from(text)
  const cut = points.length > mostOfResult ? `${points.slice(0, mostOfResult).join('')}\n…` : text
  const longest = Math.max(2, ...Array.from(cut.matchAll(/`+/g), run => run[0].length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}text\n${cut.trimEnd()}\n${fence}`
}

function quote(text: string, open: string, close: string): string {
  const points = Array.from(text.replace(/\s+/g, ' '))
  return `${open}${isolated(points.length > 80 ? `${points.slice(0, 80).join('')}…` : points.join(''))}${close}`
}
