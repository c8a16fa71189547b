/** 模型列表的中文文本，随列表一起加载。 */
import type { ModelsTexts } from '../en/models-en.ts'
import { dollars, groupedNumber } from '../format/format.ts'
import { withIsolatedArguments } from '../../../core/text/display/isolate.ts'

export const modelsZh: ModelsTexts = withIsolatedArguments({
  title: '选择模型',
  list: '模型',
  search: '搜索模型',
  placeholder: n => `搜索 ${groupedNumber(n)} 个模型`,
  none: query => `没有名为“${query}”的模型。`,
  foundCount: n => `${groupedNumber(n)} 个模型`,
  window: tokens => `${groupedNumber(tokens)} token`,
  free: '免费',
  price: ({ input, output }) => `输入 ${dollars(input)}，输出 ${dollars(output)}`,
  priceText: ({ input, output }) => `每百万 token（美元）：读取 ${dollars(input)}，写出 ${dollars(output)}`,
  here: '在本机运行：内容不会离开本机',
  abilities: { tools: '会用工具', images: '能看图片', thinks: '会思考' },
  toolUse: { 'so-so': '工具：一般', no: '不用工具' },
  recall: '不是语言模型：查找你存在这里的内容',
  addServer: '添加服务器…',
  ofDevice: '本机的模型…',
})
