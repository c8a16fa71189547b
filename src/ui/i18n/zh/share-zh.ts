/** Sharing a chat, in Chinese. */
import type { SecretKind } from '../../../core/text/redaction/secret-kinds.ts'
import { withIsolatedArguments } from '../../../core/text/display/isolate.ts'
import type { ShareTexts } from '../en/share-en.ts'
import { groupedNumber } from '../format/format.ts'

const kinds: Record<SecretKind, string> = {
  'private key': '私钥',
  key: '密钥和令牌',
  password: '密码',
  card: '银行卡号',
  account: '银行账号',
  mail: '邮箱地址',
  phone: '电话号码',
  host: '内网主机',
  user: '路径中的用户名',
}

export const shareZh: ShareTexts = withIsolatedArguments({
  title: chat => `分享“${chat}”`,
  what: '分享哪些内容',
  wholeChat: messages => `整个对话，共 ${groupedNumber(messages)} 条消息`,
  part: '其中一部分',
  from: '从第几条',
  to: '到第几条',
  ofAll: messages => `共 ${groupedNumber(messages)} 条`,
  begins: '开头',
  endsWith: '结尾',
  format: '格式',
  html: '网页',
  htmlHint: '一个 HTML 文件，用任何浏览器都能打开，无需联网',
  markdown: 'Markdown',
  markdownHint: '一个文本文件，适合编辑器和代码仓库',
  tools: '工具调用',
  toolChoices: { none: '不包含', names: '每次一行，与对话中相同', results: '包含读到和写下的全部内容' },
  attachedTexts: files => `包含 ${groupedNumber(files)} 个附件的文字`,
  looking: '正在查找密钥和个人信息…',
  nothingFound: '没有找到密钥或个人信息。按规则查找难免有遗漏，发送前请自己读一遍。',
  found: (removed, kept) =>
    `${removed === 0 ? '没有隐去任何内容' : `已隐去 ${groupedNumber(removed)} 项`}${kept === 0 ? '' : `，保留 ${groupedNumber(kept)} 项`}`,
  foundHint: '打勾的内容会从文件中隐去，无论出现在哪里。按规则查找难免有遗漏。',
  kinds,
  takeOutAll: (kind, count) => `${kind}：${groupedNumber(count)}`,
  places: count => `${groupedNumber(count)} 处`,
  moreFindings: count => `这一类还有 ${groupedNumber(count)} 项，随整类一起隐去或保留`,
  inTitle: '在标题中',
  alsoCarried: '文件中还带有这些消息的数据，以便重新导入；对话的其他版本、思考、摘要和图片都不会带出。',
  saveHtml: '保存 HTML 文件',
  saveMarkdown: '保存 Markdown 文件',
  shareFile: '分享…',
  writing: messages => `正在写入：${groupedNumber(messages)} 条消息`,
  saved: size => `已保存：${size}`,
  sent: '已交给系统分享',
  shareAgain: '文件已准备好，请再点一次“分享”。',
  about: day => `${day} 的对话，由 Haversack 分享`,
  attached: '附件',
  failed: '失败',
})
