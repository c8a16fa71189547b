import { describe, expect, it } from 'vitest'
import type { Code } from '../../core/errors.ts'
import { causeOf, type RefusalCause } from './causes.ts'
import { refusalError } from './server-errors.ts'

/** Bodies as they were seen, with the status that came with them. */
const seen: readonly [string, number, string, RefusalCause, Code][] = [
  [
    'Google, a wrong key',
    400,
    '[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}]',
    'key',
    'model_auth',
  ],
  [
    'Google, an old key',
    400,
    '{"error":{"code":400,"message":"API key expired. Please renew the API key.","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}]}}',
    'key',
    'model_auth',
  ],
  [
    'xAI, a wrong key',
    400,
    '{"code":"Client specified an invalid argument","error":"Incorrect API key provided: xa***ey. You can obtain an API key from https://console.x.ai."}',
    'key',
    'model_auth',
  ],
  [
    'OpenAI',
    401,
    '{"error":{"message":"Incorrect API key provided: sk-abc***. You can find your API key at https://platform.openai.com/account/api-keys.","type":"invalid_request_error","code":"invalid_api_key"}}',
    'key',
    'model_auth',
  ],
  [
    'DashScope',
    401,
    '{"error":{"message":"Incorrect API key provided. ","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}',
    'key',
    'model_auth',
  ],
  [
    'MiniMax, in a 200',
    200,
    '{"base_resp":{"status_code":1004,"status_msg":"login fail: Please carry the API secret key in the \'Authorization\' field of the request header"}}',
    'key',
    'model_auth',
  ],
  ['Zhipu', 401, '{"error":{"code":"401","message":"令牌已过期或验证不正确"}}', 'key', 'model_auth'],
  ['a bare 401', 401, '', 'key', 'model_auth'],
  [
    'Anthropic, no credit',
    400,
    '{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits."}}',
    'credit',
    'model_credit',
  ],
  [
    'OpenAI, no credit',
    429,
    '{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}',
    'credit',
    'model_credit',
  ],
  [
    'SiliconFlow, no credit',
    403,
    '{"code":30001,"message":"Sorry, your account balance is insufficient","data":null}',
    'credit',
    'model_credit',
  ],
  [
    'xAI, no credit',
    403,
    '{"code":"The caller does not have permission to execute the specified operation","error":"Your newly created team doesn\'t have any credits yet. You can purchase credits on https://console.x.ai."}',
    'credit',
    'model_credit',
  ],
  [
    'Zhipu, no credit',
    429,
    '{"error":{"code":"1113","message":"余额不足或无可用资源包,请充值。"}}',
    'credit',
    'model_credit',
  ],
  [
    'Google, too many requests',
    429,
    '[{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details. * Quota exceeded for metric: generativelanguage.googleapis.com/generate_content_free_tier_requests, limit: 0 Please retry in 47.8s.","status":"RESOURCE_EXHAUSTED"}}]',
    'wait',
    'model_rate_limited',
  ],
  [
    'Bedrock, too many requests',
    400,
    '{"__type":"ThrottlingException","message":"Too many tokens, please wait before trying again."}',
    'wait',
    'model_rate_limited',
  ],
  [
    'Google, the region',
    400,
    '[{"error":{"code":400,"message":"User location is not supported for the API use.","status":"FAILED_PRECONDITION"}}]',
    'region',
    'model_not_allowed',
  ],
  [
    'OpenAI, the region',
    403,
    '{"error":{"code":"unsupported_country_region_territory","message":"Country, region, or territory not supported","param":null,"type":"request_forbidden"}}',
    'region',
    'model_not_allowed',
  ],
  [
    'xAI, the region',
    403,
    '{"code":"permission-denied","error":"The model grok-4 is not available in your region."}',
    'region',
    'model_not_allowed',
  ],
  [
    'Anthropic, from a browser',
    401,
    '{"type":"error","error":{"type":"authentication_error","message":"CORS requests are not allowed for this Organization because of its custom data retention settings"}}',
    'organisation',
    'model_not_allowed',
  ],
  [
    'Anthropic, switched off',
    400,
    '{"type":"error","error":{"type":"invalid_request_error","message":"This organization has been disabled."}}',
    'organisation',
    'model_not_allowed',
  ],
  [
    'OpenAI, not verified',
    400,
    '{"error":{"message":"Your organization must be verified to stream this model. Please go to: https://platform.openai.com/settings/organization/general and click on Verify Organization.","type":"invalid_request_error","param":"stream","code":"unsupported_value"}}',
    'organisation',
    'model_not_allowed',
  ],
  [
    'OpenAI, not for this project',
    403,
    '{"error":{"message":"Project `proj_x` does not have access to model `gpt-5`","type":"invalid_request_error","param":null,"code":"model_not_found"}}',
    'organisation',
    'model_not_allowed',
  ],
  [
    'OpenRouter, the data policy',
    404,
    '{"error":{"message":"No endpoints found matching your data policy (Free model publication). Configure: https://openrouter.ai/settings/privacy","code":404}}',
    'policy',
    'model_not_allowed',
  ],
  [
    'LM Studio, no memory',
    404,
    '{"error":{"message":"Failed to load model \\"bartowski/Phi-3.1-mini-128k-instruct-GGUF\\". Error: Model loading aborted due to insufficient system resources. Overloading the system will likely cause it to freeze.","type":"invalid_request_error","param":"model","code":"model_not_found"}}',
    'not loaded',
    'model_not_loaded',
  ],
  [
    'LM Studio, none loaded',
    404,
    '{"error":{"message":"No models loaded. Please load a model in the developer page or use the \'lms load\' command.","type":"invalid_request_error","param":"model","code":null}}',
    'not loaded',
    'model_not_loaded',
  ],
  ['LM Studio, unloaded', 400, '{"error":"Model unloaded."}', 'not loaded', 'model_not_loaded'],
  [
    'Ollama, no memory',
    500,
    '{"error":{"message":"model requires more system memory (5.6 GiB) than is available (3.1 GiB)","type":"api_error","param":null,"code":null}}',
    'not loaded',
    'model_not_loaded',
  ],
  [
    'llama.cpp, starting',
    503,
    '{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}',
    'loading',
    'model_loading',
  ],
  [
    'Hugging Face, starting',
    503,
    '{"error":"Model meta-llama/Llama-3.1-8B-Instruct is currently loading","estimated_time":20.0}',
    'loading',
    'model_loading',
  ],
  [
    'DeepSeek, another model',
    400,
    '{"error":{"message":"Model Not Exist","type":"invalid_request_error","param":null,"code":"invalid_request_error"}}',
    'model',
    'model_not_found',
  ],
  [
    'OpenRouter, another model',
    400,
    '{"error":{"message":"openai/gpt-9 is not a valid model ID","code":400}}',
    'model',
    'model_not_found',
  ],
  [
    'Groq, an old model',
    400,
    '{"error":{"message":"The model `llama3-70b-8192` has been decommissioned and is no longer supported.","type":"invalid_request_error","code":"model_decommissioned"}}',
    'model',
    'model_not_found',
  ],
]

describe('the cause of a refusal', () => {
  it.each(seen)('%s (HTTP %i)', (_, status, body, cause, code) => {
    expect(causeOf(status, body)).toBe(cause)
    expect(
      refusalError({ server: { name: 'S', baseUrl: 'https://api.example/v1', key: 'k' }, model: 'm', status, body })
        .code,
    ).toBe(code)
  })

  it.each<[string, number, string, Code]>([
    [
      'an ordinary refusal',
      400,
      '{"error":{"message":"temperature must be between 0 and 2","type":"invalid_request_error"}}',
      'model_refused',
    ],
    ['a path that is not there', 404, '404 page not found', 'model_not_found'],
    ['a page of a gateway', 502, '<html><head><title>502 Bad Gateway</title></head></html>', 'model_server'],
    [
      'a refusal that quotes the talk',
      400,
      '{"error":{"message":"messages[1].content: invalid character in \'how do I get an api key\'"}}',
      'model_refused',
    ],
    [
      'one request above the tokens of a minute',
      429,
      '{"error":{"message":"Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 45000."}}',
      'model_overflow',
    ],
    [
      'more bytes than a proxy takes',
      413,
      '<html><head><title>413 Request Entity Too Large</title></head></html>',
      'model_too_large',
    ],
  ])('is none of them for %s', (_, status, body, code) => {
    expect(
      refusalError({ server: { name: 'S', baseUrl: 'https://api.example/v1' }, model: 'm', status, body }).code,
    ).toBe(code)
  })
})
