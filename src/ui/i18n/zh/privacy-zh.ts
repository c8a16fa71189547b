/** 密钥与数据去向的中文文本。 */
import type { PrivacyTexts } from '../en/privacy-en.ts'
import { withIsolatedArguments } from '../../../core/text/display/isolate.ts'

export const privacyZh: PrivacyTexts = withIsolatedArguments({
  keys: '密钥',
  keysBy: {
    device: '已加密保存，加密用的钥匙由浏览器保管，任何脚本都读不出来。密钥只发给各自的服务器，也不会被导出。',
    passphrase: '已用你的口令加密。每次启动后询问一次，口令本身不保存在任何地方。',
    memory: '浏览器在这里无法加密（普通 http 页面或某些隐私窗口）：密钥只放在内存里，关闭标签页就没有了。',
  },
  locked: '密钥已锁定。解锁之后，需要密钥的服务器模型才能回答。',
  passphrase: '口令',
  newPassphrase: '新口令（至少 8 个字符）',
  unlock: '解锁',
  setPassphrase: '用口令锁定…',
  changePassphrase: '更换口令…',
  set: '设置',
  removePassphrase: '不再使用口令',
  forget: '忘记所有密钥…',
  forgetAsk: '要忘记所有密钥吗？没有口令，它们反正也读不出来了；之后请重新输入。',
  wrong: '口令不对。',
  cancel: '取消',
  grants: {
    'other chats': '本机以外的模型可以读取其他对话、笔记和文件',
    'chats of this device': '本机以外的模型可以读取只在本机的对话和文件',
    'this chat': '本机以外的模型可以收到这个对话',
  },
})
