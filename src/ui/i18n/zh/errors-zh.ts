/** What errors say, in Chinese: their own messages come in English, from servers and from this app. */
import type { Code } from '../../../core/errors.ts'
import { withIsolatedArguments } from '../../../core/text/display/isolate.ts'
import { groupedNumber } from '../format/format.ts'

type Data = Readonly<Record<string, unknown>>

const server = (data: Data) => (typeof data['server'] === 'string' ? data['server'] : '服务器')
const host = (data: Data) => (typeof data['host'] === 'string' ? ` ${data['host']}` : '服务器')
const model = (data: Data) => (typeof data['model'] === 'string' ? `模型 ${data['model']}` : '这个模型')
const status = (data: Data) => (typeof data['status'] === 'number' ? `（HTTP ${data['status']}）` : '')

/** Why a model of this device cannot be used: the `reason` of its error. */
const reasons: Record<string, string> = {
  'no-webgpu': '这个浏览器没有提供 WebGPU。请更新浏览器、打开硬件加速，或使用服务器上的模型。',
  'no-f16': '这块显卡不支持半精度计算。请选择全精度（f32）的版本。',
  'too-large': '这个模型对这台设备来说太大。请选择更小的模型。',
  'out-of-memory': '内存不足。请关闭其他标签页和程序，或选择更小的模型或窗口。',
  'device-lost': '显卡中断了连接。请重新加载；如果再次发生，请选择更小的模型或窗口。',
  'not-downloaded': '模型文件还不完整。请在“设置 → 本机模型”里下载缺少的部分。',
  unfinished: '这个模型上次没有加载完，因此不会自动加载。请手动加载，或选择更小的模型。',
  program: '引擎的程序无法启动。请在“设置 → 本机模型”里点“修复”；如果没有用，请更新浏览器。',
  unsupported: '引擎不认识这种模型。请选择其他模型。',
  'no-page': '页面没有启动这个模型的引擎。请重新加载页面。',
  busy: '引擎正忙，或中途被结束。请稍后重试。',
  'no-storage': '浏览器不让本页面保存文件。',
  quota: '浏览器没有足够的空间存放模型文件。请删除其他模型，或释放设备空间。',
}

const sentences: Partial<Record<Code, (data: Data) => string>> = {
  model_overflow: data =>
    typeof data['total'] === 'number' && typeof data['window'] === 'number'
      ? `按本页面的计数，请求有 ${groupedNumber(data['total'])} 个 token，窗口是 ${groupedNumber(data['window'])} 个。能精简的都已精简，${data['total'] < data['window'] ? '服务器仍然说太长' : '仍然放不下'}。可以换用窗口更大的模型，或新建对话。`
      : '请求比模型的窗口还长。可以先压缩，或换用窗口更大的模型。',
  model_too_large: data =>
    `请求的字节数超过了${server(data)}或它前面的代理允许的大小${status(data)}。这不是模型窗口的限制，可由服务器的管理者调高。`,
  model_output_cap: () => '要求的输出长度超过了模型的上限。请在设置里把它调小。',
  model_auth: data => `${server(data)} 需要有效的密钥${status(data)}。请在“设置 → 服务器”里检查密钥。`,
  model_credit: data => `${server(data)} 上的额度已用完${status(data)}。请充值，或换用其他模型。`,
  model_not_found: data =>
    `${server(data)} 上没有${model(data)}${status(data)}。请选择服务器列出的模型，并检查地址是否以 /v1 结尾。`,
  model_rate_limited: data => `${server(data)} 要求放慢速度${status(data)}。请稍等片刻再试，或换用其他模型。`,
  model_server: data => `${server(data)} 内部出错${status(data)}。问题在服务器一方，稍后重试往往有用。`,
  model_loading: data => `${server(data)} 还在加载模型${status(data)}，请稍候。`,
  model_not_loaded: data =>
    `${server(data)} 没有加载${model(data)}${status(data)}。请在服务器上加载它，或换用更小的模型。`,
  model_not_allowed: data =>
    (data['why'] === 'region'
      ? `${server(data)} 不向这台设备所在的国家或地区提供服务${status(data)}。`
      : data['why'] === 'policy'
        ? `按你在 ${server(data)} 的隐私设置，没有可用的服务商${status(data)}。`
        : `${server(data)} 不允许你所在的组织或项目这样使用${status(data)}。`) + '密钥没有问题。',
  model_refused: data => `${server(data)} 拒绝了这个请求${status(data)}。它给出的原因见详情。`,
  model_protocol: () =>
    '收到的内容不是兼容 OpenAI 的应答：多半是地址填错，或者中间有代理或登录页面。请检查设置里的地址。',
  model_unavailable: data =>
    reasons[String(data['reason'])] ??
    '所选的模型现在无法使用：还没有配置或加载，或者这台设备不支持。请在设置里选择其他模型。',
  network: data => {
    if (data['why'] === 'offline' || data['reason'] === 'offline') return '这台设备当前离线。'
    if (data['why'] === 'mixed content')
      return '本页面通过 https 打开，浏览器会拦截它对 http 地址的请求。请为服务器启用 https，或在局域网里用 http 打开本应用。'
    if (data['begun'] === true) return '与服务器的连接中断了。已经收到的内容会保留，点“重试”可以接着写。'
    return `连不上${host(data)}：服务器没有启动、地址有误、网络中断，或者它不允许本页面访问（CORS）。`
  },
  blocked_address: data =>
    data['redirect'] === true
      ? `${host(data).trim()} 要求转到另一个地址。为了不把内容发给未经允许的主机，不会跟随跳转。`
      : `${host(data).trim()} 不在你指定的服务器之列，因此什么也没有发送。`,
  storage_full: () => '浏览器不再提供空间，这次的内容没有保存。请释放磁盘空间，或导出并删除一些对话。',
  storage_lost: () => '浏览器断开了数据库的连接，重新打开也没有成功。请重新加载页面。',
  storage_blocked: () => '另一个标签页里的旧版本占用着数据库。请关闭其他标签页。',
  storage_newer: () => '这些对话由更新的版本保存：在这里可以阅读和导出，不能修改。请重新加载以使用新版本。',
  storage_gone: () =>
    '本页面保存的内容在打开期间被删除了，在这里说的话不再保存。请先把还打开着的内容存成文件，再重新加载。',
  storage_unavailable: () => '数据库报告了错误，这次没有成功。',
  not_found: () => '要找的内容不在这里，可能已被删除。',
  bad_input: () => '输入的内容无法使用，原因见详情。',
  bad_json: () => '这不是有效的 JSON，出错的位置见详情。',
  busy: () => '这个对话里正在写回答。请先停止，或等它写完。',
  tool_failed: () => '工具没有成功，原因见详情。',
  worker_lost: () => '后台线程停止了应答。已保存的内容都在。',
  new_version: () => '这个页面比服务器上的旧，请重新加载后继续。',
  unknown: () => '发生了意料之外的错误，内容见详情。',
}

/** The sentence for an error of this code with the numbers and names in its data; undefined where there is none. */
export const explain = withIsolatedArguments((code: Code, data: Data): string | undefined => sentences[code]?.(data))

const wantedTypes: Record<string, string> = {
  'a text': '文本',
  'a number': '数字',
  'a list': '列表',
  'an object': '对象',
  'a list of texts': '文本列表',
  'true or false': 'true 或 false',
}

const faults: readonly (readonly [RegExp, (count: string) => string])[] = [
  [/^the id (\S+) comes twice in this file/, id => `文件中有两条记录使用 id ${id}；这一条已改用新的 id`],
  [/^follows (\S+), which is not there/, id => `它接在 ${id} 之后，但文件中没有这条记录；已接到前一条之后`],
  [/^"(.*)" is no path of a document$/s, path => `“${path}”不是文档的路径`],
  [/^MEMORY\.md has (\d+) bytes; only/, bytes => `MEMORY.md 有 ${bytes} 字节，太长，无法作为提议`],
  [/^taken, without fields that are not known: (.*)$/s, fields => `已导入，但不含无法识别的字段：${fields}`],
  [/^(\d+) more lines could not be read$/, n => `另有 ${n} 行无法读取`],
  [/^(\d+) results? answers? no call/, n => `${n} 个结果没有对应的调用；已保留，但不会发给模型`],
  [/^(\d+) calls? (?:has|have) no result/, n => `${n} 个调用没有结果；会如实告诉模型`],
  [/^(\d+) answers? makes? two calls with one id/, n => `${n} 个回答里有两个调用用了同一个 id；只发送其中第一个`],
  [/^(\d+) changes? of the context names? a message/, n => `${n} 处上下文改动指向不存在的消息；已保留，但不起作用`],
  [/^(\d+) messages? (?:is|are) older than the one before/, n => `${n} 条消息比前一条还早；仍按文件中的顺序保留`],
]

/** Why a line of an imported file could not be read; as it came where it is no known wording. */
export function importReason(reason: string): string {
  const json = /^not JSON: (.*)$/s.exec(reason)
  if (json) return `不是有效的 JSON（${json[1]}）`
  const missing = /^(\S+) is missing$/.exec(reason)
  if (missing) return `缺少 ${missing[1]}`
  const wrong = /^(\S+) is not (.+)$/.exec(reason)
  if (wrong) return `${wrong[1]} 应为${wantedTypes[wrong[2]!] ?? ` ${wrong[2]}`}`
  for (const [pattern, said] of faults) {
    const found = pattern.exec(reason)
    if (found) return said(found[1]!)
  }
  return reason
}
