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
