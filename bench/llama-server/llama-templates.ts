/**
 * Chat templates for the tiny model, as real ones are made: one that knows tools (Hermes' form), one that opens the
 * thoughts itself.
 */

/**
 * Behind a question the prompt ends with #, behind a result with %: a model that looks at the last byte alone can
 * answer both.
 */
export const toolTemplate = `{%- if tools %}system: You can call tools: <tools>{% for tool in tools %}{{ tool | tojson }}{% endfor %}</tools> Answer with <tool_call>{"name": NAME, "arguments": {}}</tool_call> to call one.
{% endif %}{%- for message in messages %}{%- if message.role == 'tool' %}tool: <tool_response>{{ message.content }}</tool_response>
{% elif message.tool_calls %}assistant: {{ message.content or '' }}{% for call in message.tool_calls %}<tool_call>
{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}
</tool_call>{% endfor %}
{% else %}{{ message.role }}: {{ message.content }}
{% endif %}{%- endfor %}{%- if add_generation_prompt %}assistant{% if messages[-1].role == 'tool' %}%{% else %}#{% endif %}{%- endif %}
`

/**
 * As DeepSeek's and Qwen's: the answer begins inside of the thoughts, unless they are switched off. The prompt ends
 * with > before thoughts, and with a new line before an answer.
 */
export const thinkTemplate = `{%- if tools %}system: <tools>{% for tool in tools %}{{ tool | tojson }}{% endfor %}</tools>
{% endif %}{%- for message in messages %}{%- if message.role == 'assistant' and '</think>' in message.content %}assistant: {{ message.content.split('</think>')[-1] }}
{% elif message.tool_calls %}assistant: {% for call in message.tool_calls %}<tool_call>
{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}
</tool_call>{% endfor %}
{% else %}{{ message.role }}: {{ message.content }}
{% endif %}{%- endfor %}{%- if add_generation_prompt %}assistant: {% if enable_thinking is defined and enable_thinking is false %}<think>

</think>

{% else %}<think>{% endif %}{%- endif %}
`
