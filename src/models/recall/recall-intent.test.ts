import { describe, expect, it } from 'vitest'
import { intentOf } from './recall-intent.ts'

describe('intentOf', () => {
  it.each([
    ['Hello', 'greeting'],
    ['Hello, what can you do?', 'help'],
    ['你好，你能做什么？', 'help'],
    ['你好', 'greeting'],
    ['你好你会什么', 'help'],
    ['Hi there', 'greeting'],
    ['What is the gate code?', 'question'],
    ['hello world is the first program', 'question'],
    ['…', 'empty'],
  ] as const)('%s: %s', (question, intent) => expect(intentOf(question)).toBe(intent))
})

describe('a statement', () => {
  it.each([
    ['My sister Anna has her birthday on 4 May'],
    ['The gate code of the garden is 4711.'],
    ['I put the passport in the second drawer'],
    ['We decided to use Postgres for the staging proxy, because the old one is too slow.'],
    ['Remember that the boiler is serviced in September'],
    ['Note: the plumber comes on Tuesday'],
    ["don't forget the milk"],
    ["Ben's flight lands at nine"],
    ['It costs 240 euros'],
    ['No meetings on Fridays, ever.'],
    ['Meine Schwester hat am 4. Mai Geburtstag.'],
    ['我妹妹五月四号过生日。'],
    ['护照在第二个抽屉里'],
    ['王芳对花生过敏。'],
    ['记住：水管工星期二来'],
    ['我把相机借给小林了'],
    ['我们决定用新的服务器'],
    ['パスポートは引き出しにあります。'],
    ['鍵は母に渡した'],
    ['여권은 두 번째 서랍에 있어요.'],
  ])('is kept: %s', text => expect(intentOf(text)).toBe('statement'))

  it.each([
    ['What is the gate code of the garden?'],
    ['gate code garden'],
    ['staging proxy port'],
    ['the gate code'],
    ['Anna birthday'],
    ['What did I say about the boat'],
    ['Explain how a bicycle stays upright'],
    ['Find what I said about the boat.'],
    ['Tell me a joke.'],
    ['Is the boiler serviced in September'],
    ['write a poem about autumn'],
    ['Suggest a name for a black cat'],
    ['E_TIMEOUT in worker.ts'],
    ['护照在哪里'],
    ['代理服务器端口'],
    ['王芳的生日'],
    ['解释一下自行车为什么不会倒'],
    ['帮我查一下合同编号'],
    ['写一首关于秋天的诗'],
    ['パスポートはどこですか'],
    ['契約番号を教えて'],
    ['여권은 어디에 있나요?'],
    ['계약 번호 찾아 줘'],
  ])('is none, but looked for: %s', text => expect(intentOf(text)).toBe('question'))
})
