/** What became of files, in Chinese. */
import { withIsolatedArguments } from '../../../core/text/display/isolate.ts'
import type { FilesTexts } from '../en/files-en.ts'

export const filesZh: FilesTexts = withIsolatedArguments({
  about: '文件',
  dismiss: '知道了',
  attached: n => `已将 ${n} 个文件附加到对话`,
  refused: n => `有 ${n} 个文件未采用：`,
  line: (names, more, why) => `${names.join('、')}${more > 0 ? `等 ${names.length + more} 个` : ''}：${why}`,
  imported: (name, said) => `${name}：${said}`,
  foreign: (names, app) => `${names.join('、')}：这是 ${app} 的导出文件，Haversack 暂时还不能导入。`,
  foreignMessages: names => `${names.join('、')}：这是 OpenAI 格式的消息，Haversack 暂时还不能导入。`,
  asText: n => (n === 1 ? '作为文本附加' : `将 ${n} 个文件作为文本附加`),
  why: (why, limit, most) =>
    ({
      empty: '文件是空的',
      'too large': `超过 ${limit}`,
      'together too large': `加上它，整条消息会超过 ${limit}`,
      picture: '图片；目前只能附加文本',
      pdf: 'PDF；目前只能附加文本，可以复制其中的文字再粘贴',
      document: '办公软件的文档；请另存为纯文本，或复制其中的文字再粘贴',
      packed: '压缩文件（zip、gzip 等）；请先解压',
      'sound or film': '音频或视频；目前只能附加文本',
      model: '模型文件；请在“设置 → 本机模型”中添加',
      binary: '不是文本',
      encoding: '不是 UTF-8 编码；请先另存为 UTF-8',
      unreadable: '无法读取；可能已被移走，或没有读取权限',
      'too many': `一次最多 ${most} 个文件`,
      'left out': '由程序保存的文件，不会从文件夹中采用',
    })[why],
})
