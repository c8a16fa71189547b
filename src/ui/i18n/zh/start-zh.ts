/** “先从哪个模型开始”的中文文本。 */
import type { StartTexts } from '../en/start-en.ts'
import { withIsolatedArguments } from '../../../core/text/display/isolate.ts'

export const startZh: StartTexts = withIsolatedArguments({
  title: '先从这里开始',
  looking: '正在查看这里已有什么…',
  browser: '浏览器自带的模型',
  with: name => `用${/^[\x20-\x7e]/.test(name) ? ` ${name} ` : name}开始`,
  why: {
    server: (name, server) => `${server} 有响应，可以使用 ${name}。`,
    offline: name => `${name} 已完整保存在本机，没有网络也能用。`,
    browser: () => '这个浏览器自带模型，而且已经下载好了。',
    recall: () => '这里还没有模型。Recall 马上就能用；在你选择之前，不会下载任何东西。',
  },
  silent: servers => `目前没有响应：${servers}。`,
  could: (name, download, memory) =>
    `本机应该放得下 ${name}：下载约 ${download}，约占 ${memory} 显存。在常用模型里，它是很可能放得下的最好的一个。`,
  unknownSize: '未知大小',
  couldNot: {
    software: '本机的图形由软件计算：模型能运行，但慢得没法对话。用服务器会更好。',
    small: '常用的模型都不一定放得进本机的内存。用服务器，或者在处理器上运行小模型会更好。',
    none: '这个浏览器不让模型使用显卡。用服务器，或者在处理器上运行小模型会更好。',
  },
})
