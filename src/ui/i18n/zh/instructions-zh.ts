/** Instructions, how answers are written, and prompts, in Chinese. */
import { groupedNumber } from '../format/format.ts'
import type { InstructionsTexts } from '../en/instructions-en.ts'
import { withIsolatedArguments } from '../../../core/text/display/isolate.ts'

export const instructionsZh: InstructionsTexts = withIsolatedArguments({
  all: '用于所有对话的指示',
  allText: '希望模型始终了解或遵守的内容：你是谁、用什么语言、什么语气。每次提问都会发送给当前回答的模型。',
  allPlaceholder: '例如：用简体中文回答，尽量简短。我写 TypeScript。',
  chat: '仅用于此对话的指示',
  chatText: '在“所有对话”的指示之外追加；两者不一致时以这里为准。',
  length: (n, most) => `${groupedNumber(n)} / ${groupedNumber(most)} 个字符`,
  saved: '已保存',
  notSaved: '未保存',

  answers: '回答方式',
  temperature: '温度',
  temperatureText: '0 最稳定，2 变化最多。留空则由模型自己决定。',
  byItself: '由模型决定',
  limit: '回答的最大长度（token）',
  limitText: '思考内容也算在内。留空则按窗口大小决定。',
  effort: '思考',
  effortText: '仅对可以调节的模型有效。',

  prompts: '提示词',
  promptsText:
    '经常使用的文字。在输入框中输入 / 和名称，文字就会填入输入框，由你确认后发送。{{双花括号中的内容}} 会被选中，等你填写。它们保存为 workspace/prompts/ 下的文件。',
  noPrompts: '还没有提示词。',
  newPrompt: '新建提示词',
  promptName: '名称',
  promptNameText: '可用文字、数字、- 和 _。',
  promptText: '内容',
  editPrompt: name => `编辑 /${name}`,
  deletePrompt: name => `删除 /${name}`,
  deleted: name => `/${name} 已删除。`,
  undo: '撤销',
  badName: '名称只能包含文字、数字、- 和 _，最多 40 个字符，不能有空格。',
  isCommand: name => `/${name} 是命令，请换一个名称。`,
  nameTaken: name => `已有名为 /${name} 的提示词。请换一个名称，或编辑原有的那个。`,
  noText: '还没有内容。',
  changedElsewhere: '这期间它在别处被改过。请先复制你的文字，再重新打开。',
})
