/** What servers refuse in an otherwise legal request; asked for in another way they answer. */
import { refuse, said, sample, tell, type Scenario } from './fake-scene.ts'

export const refusalScenarios: Record<string, Scenario> = {
  'refuse-usage': scene =>
    scene.play.body['stream_options']
      ? refuse(scene, 400, said('Unrecognized request argument supplied: stream_options'))
      : tell(scene, sample),
  'refuse-effort': scene =>
    scene.play.body['reasoning_effort']
      ? refuse(scene, 400, said('Unrecognized request argument supplied: reasoning_effort'))
      : tell(scene, sample),
  'refuse-effort-off': scene =>
    scene.play.body['reasoning_effort'] === 'none'
      ? refuse(
          scene,
          400,
          said(
            "Unsupported value: 'reasoning_effort' does not support 'none' with this model. Supported values are: 'minimal', 'low', 'medium', and 'high'.",
          ),
        )
      : tell(scene, sample),
  'refuse-temperature': scene =>
    scene.play.body['temperature'] === undefined
      ? tell(scene, sample)
      : refuse(
          scene,
          400,
          said(
            "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
            { param: 'temperature', code: 'unsupported_value' },
          ),
        ),
  'refuse-max-tokens': scene =>
    scene.play.body['max_tokens']
      ? refuse(
          scene,
          400,
          said(
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            { param: 'max_tokens', code: 'unsupported_parameter' },
          ),
        )
      : tell(scene, sample),
  'refuse-alternation': scene =>
    scene.messages.some((message, i) => message.role === 'user' && scene.messages[i - 1]?.role === 'user')
      ? refuse(scene, 500, said('Conversation roles must alternate user/assistant/user/assistant/...'))
      : tell(scene, sample),
  'refuse-tools': scene =>
    scene.play.body['tools']
      ? refuse(scene, 400, said('registry.ollama.ai/library/x does not support tools'))
      : tell(scene, sample),
  'refuse-user-after-tool': scene =>
    scene.messages.some((message, i) => message.role === 'user' && scene.messages[i - 1]?.role === 'tool')
      ? refuse(
          scene,
          400,
          '{"object":"error","message":"Unexpected role \'user\' after role \'tool\'","type":"invalid_request_message_order"}',
        )
      : tell(scene, sample),

  'refuse-limit': scene =>
    scene.play.body['max_tokens'] || scene.play.body['max_completion_tokens']
      ? refuse(scene, 422, '{"detail":[{"type":"extra_forbidden","msg":"Unrecognized field: max_tokens"}]}')
      : tell(scene, sample),
  'refuse-images': scene =>
    /image_url/.test(JSON.stringify(scene.messages))
      ? refuse(
          scene,
          500,
          said('image input is not supported - hint: if this is unexpected, you may need to provide the mmproj'),
        )
      : tell(scene, sample),
  'refuse-tool-choice': scene =>
    scene.play.body['tool_choice']
      ? refuse(scene, 400, said('deepseek-reasoner does not support this tool_choice'))
      : tell(scene, sample),
  'refuse-nameless': scene =>
    scene.messages.some(message => message.role === 'tool' && !('name' in message))
      ? refuse(
          scene,
          400,
          said('GenerateContentRequest.contents[2].parts[0].function_response.name: Name cannot be empty.'),
        )
      : tell(scene, sample),
  'refuse-thoughtless': scene =>
    scene.messages.some(
      message => message.role === 'assistant' && message.tool_calls && !('reasoning_content' in message),
    )
      ? refuse(scene, 400, said('Missing `reasoning_content` field in the assistant message at message index 2.'))
      : tell(scene, sample),
  'refuse-empty-thought': scene =>
    scene.messages.some(message => message.role === 'assistant' && message.tool_calls && !message.reasoning_content)
      ? refuse(scene, 400, said('Missing `reasoning_content` field in the assistant message at message index 2.'))
      : tell(scene, sample),
  'refuse-any-thought': scene =>
    refuse(
      scene,
      400,
      said('thinking is enabled but reasoning_content is missing in assistant tool call message at index 2'),
    ),
  'refuse-reasoning': scene =>
    scene.messages.some(message => 'reasoning_content' in message)
      ? refuse(
          scene,
          400,
          said(
            "'messages.2' : for 'role:assistant' the following must be satisfied[('messages.2' : property 'reasoning_content' is unsupported)]",
          ),
        )
      : tell(scene, sample),
  'refuse-details': scene =>
    scene.messages.some(message => 'reasoning_details' in message)
      ? refuse(scene, 400, said('messages.1.content.0: Invalid `signature` in `thinking` block'))
      : tell(scene, sample),
  'refuse-unsigned': scene =>
    scene.messages.some(
      message =>
        (message.tool_calls as { extra_content?: unknown }[] | undefined)?.[0] &&
        !(message.tool_calls as { extra_content?: unknown }[])[0]?.extra_content,
    )
      ? refuse(
          scene,
          400,
          '[{"error":{"code":400,"message":"Function call is missing a thought_signature in functionCall parts.","status":"INVALID_ARGUMENT"}}]',
        )
      : tell(scene, sample),
  'refuse-system': scene =>
    scene.messages.some(({ role }) => role === 'system')
      ? refuse(scene, 500, said('System role not supported'))
      : tell(scene, sample),
  'refuse-toolless': scene =>
    scene.messages.some(message => message.tool_calls) && scene.play.body['tools'] === undefined
      ? refuse(scene, 400, said('Anthropic expects the `tools=` param to be set when calls are in the messages.'))
      : tell(scene, sample),
}
