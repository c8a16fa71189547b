/** Servers: what is known of them, what is wrong with one, and what to do; in Chinese. */
import type { DoctorTexts } from '../en/doctor-en.ts'
import { withIsolatedArguments } from '../../../core/text/display/isolate.ts'

export const doctorZh: DoctorTexts = withIsolatedArguments({
  title: '服务器出了什么问题',
  looking: '正在查找原因…',
  again: '重新检查',
  fine: host => `${host} 回答正常，请再试一次。`,
  says: (said, status) => `${status === undefined ? '对方的说明' : `对方的说明（HTTP ${status}）`}：${said}`,
  useAddress: baseUrl => `改用 ${baseUrl}`,
  server: '服务器',
  system: '它所在的系统',
  other: '其他',
  copy: '复制',
  copied: '已复制',
  command: '命令',
  faults: {
    address: () => ['这不是网址', '网址应以 http:// 或 https:// 开头，例如 http://localhost:11434/v1。'],
    offline: () => ['本设备没有网络', '网络恢复之前，只能连接本机上的服务器。'],
    'mixed content': ({ host }) => [
      '浏览器不允许本页面访问它',
      `本页面通过 https 打开，而 ${host} 使用 http。对于你自己网络中的服务器，Chrome 和 Edge 会在询问后放行；其他浏览器不会，Safari 连本机也不放行。请改用这类浏览器，为服务器启用 https，或从你网络中的一台电脑通过 http 打开本应用。`,
    ],
    'network refused': ({ host }) => [
      '浏览器不允许本页面访问你的本地网络',
      `访问 ${host} 的权限已被拒绝。请点击地址栏旁的图标，打开网站设置，允许“本地网络”（若是本机，则为“设备上的应用”），然后重新检查。`,
    ],
    'network not asked': ({ host }) => [
      '浏览器在等待你的许可',
      `访问 ${host} 需要你的许可。请点击“重新检查”，并在浏览器询问时选择“允许”。`,
    ],
    off: ({ host }) => [
      `${host} 没有回应`,
      '服务器没有运行，或者监听在别的地址。如果用的是 https，也可能是浏览器不信任它的证书。',
    ],
    port: ({ host, baseUrl }) => [`${host} 上没有模型服务器`, `但 ${baseUrl} 有回应。`],
    scheme: ({ host, baseUrl }) => [`${host} 在运行，但协议不对`, `请试试 ${baseUrl}。`],
    cors: ({ host, origin }) => [
      `${host} 在运行，但不允许本页面读取它的回答`,
      `需要让它允许本页面的地址 ${origin}（CORS）。`,
    ],
    preflight: ({ host, origin }) => [
      `${host} 拒绝了浏览器的预检请求`,
      `发送密钥或消息之前，浏览器会先询问是否允许（OPTIONS，CORS），而服务器没有对 ${origin} 表示同意。常见原因是前面的代理吞掉了这个请求，或者连它也要求密钥。`,
    ],
    headers: ({ host, headers = [] }) => [
      `${host} 不接受请求头 ${headers.join('、')}`,
      '请在“其他请求头”中删除它。例如 Ollama 只接受固定的一组请求头。',
    ],
    redirect: ({ host }) => [
      `${host} 跳转到了别的地址`,
      '本应用不跟随跳转，以免数据去往你没有指定的地方。请填写最终的地址。',
    ],
    silent: ({ host }) => [
      `${host} 接受了连接，却没有回应`,
      '它可能正在启动，或正忙于另一个回答。请稍等，或重新启动它。',
    ],
    'key missing': ({ host }) => [`${host} 需要密钥`, '请在该服务器的设置中填写。'],
    'key wrong': ({ host }) => [`${host} 不接受这个密钥`, '请确认它属于这家服务商、完整且仍然有效。'],
    credit: ({ host }) => [`${host} 的余额已用完`, '请到服务商处充值，或选择其他模型。'],
    wait: ({ host }) => [`${host} 要求稍后再试`, '短时间内请求过多，或达到了免费密钥的限额。'],
    path: ({ baseUrl }) => ['地址不完整', `模型列表在 ${baseUrl}。`],
    page: ({ host }) => [
      `回应的是网页，而不是 ${host}`,
      '中间有代理、防火墙或网络登录页。请在新标签页中打开该地址查看。',
    ],
    down: ({ host }) => [`${host} 自身出错了`, '问题在对方。请稍后再试，或查看它的日志。'],
    loading: ({ host }) => [`${host} 还在加载模型`, '请稍后重新检查。'],
    'not loaded': ({ host }) => [`${host} 没有加载这个模型`, '请在服务器上加载它，或换用更小的模型：内存可能不够。'],
    region: ({ host }) => [`${host} 不向你所在的国家或地区提供服务`, '密钥没有问题。其他服务商可能提供同样的模型。'],
    organisation: ({ host }) => [
      `${host} 不允许你所在的组织这样使用`,
      '密钥本身没有问题。请联系该组织或项目的管理员开通；要在浏览器中使用，还需允许 CORS 请求。',
    ],
    policy: ({ host }) => [
      `按你在 ${host} 的隐私设置，没有可用的服务商提供这个模型`,
      '请在你的账户中调整设置，或选择其他模型。',
    ],
    strange: ({ host }) => [`${host} 上回应的不是模型服务器`, '请检查端口和路径。OpenAI 兼容的地址大多以 /v1 结尾。'],
    'no models': ({ host }) => [`${host} 还没有模型`, '请先在服务器上下载或加载一个。'],
    model: ({ host, model = '' }) => [`${host} 没有模型 ${model}`, '请在服务器上下载它，或选择列表中的模型。'],
  },
  purposes: {
    start: '启动它：',
    allow: '让它允许本页面，并重新启动：',
    'allow without service': '如果没有安装为系统服务：',
    restart: '然后在任务栏或菜单栏的菜单中退出它，再重新启动。',
    listen: '默认情况下它只监听本机。要让它监听网络：',
    'lan switch': '请在它的 Developer 页面打开“Serve on Local Network”。',
    'get model': '在服务器上运行：',
    'answer with': '每个回答（包括对 OPTIONS 的回答）都必须带上：',
  },
  kinds: { ollama: 'Ollama', lmstudio: 'LM Studio', llamacpp: 'llama.cpp', vllm: 'vLLM' },
  systems: { linux: 'Linux', macos: 'macOS', windows: 'Windows' },
  windowFrom: ({ by, place }) =>
    ({
      person: '由你填写',
      server: place === '/models' ? '由服务器告知' : `由服务器告知（${place}）`,
      default: '该服务器的默认值，以服务器告知的为准',
      guess: '估计值，以服务器告知的为准',
    })[by],
  windowOf: (tokens, from) => `窗口：${tokens} 个 token，${from}`,
  output: '输出上限',
  outputHelp:
    '一次回答最多的 token 数，思考内容也算在内；窗口会为此预留，最多占一半。填一个数字对所有模型生效，或每行一个模型：名称、token 数。留空则为窗口的 20 %，最多 8192。',
  prices: '价格',
  pricesHelp:
    '每百万 token 的美元价格。每行一个模型：名称、读取、输出、从缓存读取（如有不同），例如：gpt-4.1 2 8 0.5。名称 * 代表其余所有模型。',
  willAsk: '浏览器会询问是否允许本页面访问你的本地网络（或本机上的应用）。请选择“允许”，否则无法连接。',
})
