import { expect, it } from 'vitest'
import { retryAfter } from './retry-after.ts'

const now = Date.UTC(2026, 10, 28, 12)

it.each<[string, Record<string, string>, string, number]>([
  ['seconds in the header', { 'retry-after': '2' }, '', 2_000],
  ['ms in the header', { 'retry-after-ms': '1500', 'retry-after': '2' }, '', 1_500],
  ['a date in the header', { 'retry-after': 'Sat, 28 Nov 2026 12:00:30 GMT' }, '', 30_000],
  [
    'the bound that is used up',
    {
      'x-ratelimit-remaining-requests': '14',
      'x-ratelimit-reset-requests': '2s',
      'x-ratelimit-remaining-tokens': '0',
      'x-ratelimit-reset-tokens': '7m12s',
    },
    '',
    432_000,
  ],
  [
    'the date of a bound',
    { 'anthropic-ratelimit-tokens-remaining': '0', 'anthropic-ratelimit-tokens-reset': '2026-11-28T12:00:45Z' },
    '',
    45_000,
  ],
  ['minutes and seconds', {}, 'Rate limit reached. Please try again in 7m12s. Visit https://console.groq.com', 432_000],
  ['a part of a second', {}, 'Please try again in 4.77s. Need more tokens?', 4_770],
  ['milliseconds', {}, 'Rate limit reached. Please try again in 806ms.', 806],
  ['hours', {}, 'tpm limit reached, resets in 2 hours', 7_200_000],
  ['all units', {}, 'try again in 1h2m3.5s', 3_723_500],
  [
    'Azure',
    {},
    'have exceeded token rate limit of your current OpenAI S0 pricing tier. Please retry after 86400 seconds. Please go here',
    86_400_000,
  ],
  [
    'GitHub',
    {},
    'Rate limit of 50 per 86400s exceeded for UserByModelByDay. Please wait 3000 seconds before retrying.',
    3_000_000,
  ],
  [
    'Google',
    {},
    '{"error":{"details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"47s"}]}}',
    47_000,
  ],
  ['Google, inside a text', {}, '{"error":{"message":"{\\"details\\":[{\\"retryDelay\\":\\"33.8s\\"}]}"}}', 33_800],
  ['Google, in words', {}, 'Quota exceeded. Please retry in 47.823s.', 47_823],
  ['Hugging Face', {}, '{"error":"Model x is currently loading","estimated_time":20.0}', 20_000],
  ['a moment', {}, `{"error":{"type":"usage_limit_reached","resets_at":${now / 1000 + 90}}}`, 90_000],
  [
    'OpenRouter',
    {},
    `{"error":{"message":"Rate limit exceeded: free-models-per-min.","code":429,"metadata":{"headers":{"X-RateLimit-Reset":"${now + 12_000}"}}}}`,
    12_000,
  ],
  ['Discord’s way', {}, '{"message":"slow down","retry_after":1.5}', 1_500],
  ['Chinese', {}, '请求过于频繁，请在 30 秒后重试', 30_000],
  ['Chinese minutes', {}, '请等待 2 分钟再试', 120_000],
  ['German', {}, 'Zu viele Anfragen. Bitte erneut in 30 Sekunden versuchen.', 30_000],
])('reads %s', (_, headers, body, ms) => {
  expect(retryAfter(headers, body, now)).toBe(ms)
})

it.each([
  '',
  'Too many requests',
  'Limit 30000, Used 29000, Requested 5000.',
  'The context is 8192 tokens; try again with fewer.',
  '{"retry_after":null}',
  'Try again later in Studio 5.',
])('finds none in %j', body => {
  expect(retryAfter({}, body, now)).toBeUndefined()
})
