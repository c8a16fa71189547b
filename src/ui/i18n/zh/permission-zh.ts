/** What a tool would do, in Chinese. */
import { groupedNumber } from '../format/format.ts'
import type { PermissionTexts } from '../en/permission-en.ts'
import { withIsolatedArguments } from '../../../core/text/display/isolate.ts'

export const permissionZh: PermissionTexts = withIsolatedArguments({
  write: size => `它要新建一个 ${size} 的文件：`,
  writeUnseen: size => `它要把 ${size} 写入这个文件：`,
  replace: (before, after) => `它要替换这个文件（${before} → ${after}）：`,
  change: '它要修改这个文件的一部分：',
  fetch: '它要连接这台主机：',
  space: { loopback: '本机', local: '你的网络' },
  whoAnswers: {
    public: '对方服务器会看到这个地址和你的 IP。',
    loopback: '应答的是本机上的某个程序，它返回的内容会交给模型。',
    local: '应答的是你网络中的某台设备，例如路由器或打印机，它返回的内容会交给模型。',
  },
  unencrypted: '连接没有加密，途中的其他人可以看到内容。',
  international: '这是国际化域名，读作下面的样子，可能与别的域名十分相似，请以上面的名称为准：',
  sameAs: '等同于',
  thisHostOnly: '选择“始终允许”也只对这台主机有效。',
  address: '地址',
  path: '文件路径',
  content: '文件内容',
  difference: '文件的改动',
  empty: '文件将是空的。',
  linesBetween: n => `… ${groupedNumber(n)} 行 …`,
  lineKinds: { new: '新增', gone: '删除' },
})
