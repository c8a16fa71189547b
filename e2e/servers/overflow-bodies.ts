/**
 * What real servers answer when a request does not fit, one of each kind. A status of 200 stands for an error inside
 * the stream.
 */
export type OverflowBody = { provider: string; status: number; body: string; limit?: number /* tokens */ }

export const overflowBodies: readonly OverflowBody[] = [
  {
    provider: 'anthropic',
    status: 400,
    body: '{"type": "error", "error": {"type": "invalid_request_error", "message": "prompt is too long: 213462 tokens > 200000 maximum"}}',
    limit: 200000,
  },
  {
    provider: 'openai',
    status: 200,
    body: 'data: {"type":"error","error":{"type":"invalid_request_error","code":"context_length_exceeded","message":"Your input exceeds the context window of this model. Please adjust your input and try again.","param":"input"},"sequence_number":2}',
  },
  {
    provider: 'azure-openai',
    status: 400,
    body: '{"error": {"message": "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 509178 tokens. Please reduce the length of the messages.", "type": "invalid_request_error", "param": "messages", "code": "context_length_exceeded"}}',
    limit: 272000,
  },
  {
    provider: 'gemini',
    status: 400,
    body: '{"error": {"code": 400, "message": "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).", "status": "INVALID_ARGUMENT"}}',
    limit: 1048575,
  },
  { provider: 'bedrock', status: 400, body: 'Input is too long for requested model.' },
  {
    provider: 'bedrock-mantle',
    status: 400,
    body: 'Amazon Bedrock Mantle OpenAI Responses API error (400): invalid_prompt: prompt tokens (330095) exceed model maximum (278528) for base model abc',
    limit: 278528,
  },
  {
    provider: 'cerebras',
    status: 400,
    body: 'Please reduce the length of the messages or completion. Current length is 42328 while limit is 40000',
    limit: 40000,
  },
  {
    provider: 'mistral',
    status: 400,
    body: 'Prompt contains 300000 tokens, too large for model with 131072 maximum context length',
    limit: 131072,
  },
  {
    provider: 'deepseek',
    status: 400,
    body: '{"error": {"message": "This model\'s maximum context length is 131072 tokens. However, you requested 141403 tokens (133211 in the messages, 8192 in the completion). Please reduce the length of the messages or completion.", "type": "invalid_request_error", "param": null, "code": "invalid_request_error"}}',
    limit: 131072,
  },
  {
    provider: 'openrouter',
    status: 400,
    body: '{"error": {"message": "This endpoint\'s maximum context length is 256000 tokens. However, you requested about 256493 tokens (194895 of text input, 10398 of tool input, 51200 in the output). Please reduce the length of either one, or use the context-compression plugin to compress your prompt automatically.", "code": 400}}',
    limit: 256000,
  },
  {
    provider: 'openai-compatible',
    status: 400,
    body: "Input length (265330) exceeds model's maximum context length (262144).",
    limit: 262144,
  },
  {
    provider: 'together',
    status: 400,
    body: '{"id": "ovq5", "error": {"message": "The input (170071 tokens) is longer than the model\'s context length (131072 tokens).", "type": "invalid_request_error", "param": null, "code": null}}',
    limit: 131072,
  },
  {
    provider: 'litellm',
    status: 400,
    body: '{"error": {"message": "litellm.ContextWindowExceededError: litellm._pre_call_checks: Context Window exceeded for given call. No models have context window large enough for this call.", "type": "invalid_request_error", "param": null, "code": "400"}}',
  },
  {
    provider: 'llama.cpp',
    status: 400,
    body: '{"error": {"code": 400, "message": "request (13392 tokens) exceeds the available context size (8192 tokens), try increasing it", "type": "exceed_context_size_error", "n_prompt_tokens": 13392, "n_ctx": 8192}}',
    limit: 8192,
  },
  {
    provider: 'lmstudio',
    status: 400,
    body: '{"error": "Trying to keep the first 50785 tokens when context the overflows. However, the model is loaded with context length of only 45217 tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input"}',
    limit: 45217,
  },
  { provider: 'ollama', status: 400, body: 'prompt too long; exceeded max context length by 100918 tokens' },
  {
    provider: 'vllm-0.18',
    status: 400,
    body: '{"error": {"message": "This model\'s maximum context length is 100000 tokens. However, you requested 32000 output tokens and your prompt contains at least 68001 input tokens, for a total of at least 100001 tokens. Please reduce the length of the input prompt or the number of requested output tokens.", "type": "BadRequestError", "param": "input_tokens", "code": 400}}',
    limit: 100000,
  },
  {
    provider: 'vllm-0.16',
    status: 400,
    body: '{"error": {"message": "You passed 68001 input tokens and requested 32000 output tokens. However, the model\'s context length is only 100000 tokens, resulting in a maximum input length of 68000 tokens. Please reduce the length of the input prompt.", "type": "BadRequestError", "param": "input_tokens", "code": 400}}',
    limit: 100000,
  },
  {
    provider: 'vllm-0.11',
    status: 400,
    body: '{"error": {"message": "\'max_tokens\' or \'max_completion_tokens\' is too large: 32000. This model\'s maximum context length is 100000 tokens and your request has 95000 input tokens (32000 > 100000 - 95000).", "type": "BadRequestError", "param": null, "code": 400}}',
    limit: 100000,
  },
  {
    provider: 'vllm-legacy',
    status: 400,
    body: '{"object": "error", "message": "This model\'s maximum context length is 100000 tokens. However, you requested 100500 tokens in the messages, Please reduce the length of the messages.", "type": "BadRequestError", "param": null, "code": 400}',
    limit: 100000,
  },
  {
    provider: 'vllm',
    status: 500,
    body: '{"error": {"message": "This model\'s maximum context length is 32768 tokens. However, your request has 40000 input tokens.", "code": 500}}',
    limit: 32768,
  },
  {
    provider: 'vllm-engine',
    status: 400,
    body: '{"error": {"message": "The decoder prompt (length 100001) is longer than the maximum model length of 100000. Make sure that `max_model_len` is no smaller than the number of text tokens.", "type": "BadRequestError", "param": null, "code": 400}}',
    limit: 100000,
  },
  {
    provider: 'sglang',
    status: 400,
    body: '{"object": "error", "message": "The input (100500 tokens) is longer than the model\'s context length (100000 tokens).", "type": "BadRequestError", "param": null, "code": 400}',
    limit: 100000,
  },
  {
    provider: 'tgi',
    status: 200,
    body: 'data: {"error":{"message":"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 100000. Given: 99500 `inputs` tokens and 1024 `max_new_tokens`","http_status_code":422}}',
    limit: 100000,
  },
  { provider: 'mlx-serve', status: 400, body: '400 Prompt exceeds maximum context length' },
  {
    provider: 'moonshot',
    status: 400,
    body: 'Invalid request: Your request exceeded model token limit: 262144 (requested: 291351)',
    limit: 262144,
  },
  { provider: 'minimax', status: 400, body: 'invalid params, context window exceeds limit (2013)' },
  { provider: 'zhipu', status: 400, body: "{'error': {'code': '1261', 'message': 'Prompt exceeds max length'}}" },
  { provider: 'dashscope', status: 400, body: 'Range of input length should be [1, 983616]', limit: 983616 },
  { provider: 'cohere', status: 400, body: "total tokens exceeds the model's maximum limit of 4096", limit: 4096 },
  {
    provider: 'generic',
    status: 400,
    body: 'Model context window is 128k tokens, you requested 256k tokens',
    limit: 128000,
  },
  {
    provider: 'vertex',
    status: 400,
    body: '{"error": {"code": 400, "message": "prompt is too long: 201000 tokens > 200000 maximum", "status": "INVALID_ARGUMENT"}}',
    limit: 200000,
  },
  {
    provider: 'xai',
    status: 400,
    body: '{"code": "Client specified an invalid argument", "error": "This model\'s maximum prompt length is 131072 but the request contains 150000 tokens."}',
    limit: 131072,
  },
]
