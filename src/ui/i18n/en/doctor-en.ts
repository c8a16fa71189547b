/** Servers: what is known of them, what is wrong with one, and what to do; in English. */
import type { WindowSource } from '../../../core/ports/ports.ts'
import type { Diagnosis, ServerFault, ServerKind } from '../../../core/ports/server-diagnosis.ts'
import type { Purpose, OperatingSystem } from '../../../models/diagnosis/server-commands.ts'
import { withIsolatedArguments } from '../../../core/text/display/isolate.ts'

/** What the texts may name. */
export type DiagnosisOfOrigin = Diagnosis & { origin: string }

export const doctorEn = withIsolatedArguments({
  title: 'What is wrong with the server',
  looking: 'Looking for the cause…',
  again: 'Look again',
  fine: (host: string) => `${host} answers as it should. Try again.`,
  says: (said: string, status?: number) => `${status === undefined ? 'It says' : `It says (HTTP ${status})`}: ${said}`,
  useAddress: (baseUrl: string) => `Use ${baseUrl}`,
  server: 'Server',
  system: 'Its system',
  other: 'Another one',
  copy: 'Copy',
  copied: 'Copied',
  command: 'Command',
  faults: {
    address: () => [
      'That is no web address',
      'It starts with http:// or https://, for example http://localhost:11434/v1.',
    ],
    offline: () => ['This device has no network', 'Until it is back, only servers on this computer can be reached.'],
    'mixed content': ({ host }) => [
      'The browser does not let this page ask it',
      `This page came over https, ${host} is asked over http. Chrome and Edge allow that for servers in your own network after a question; other browsers do not, and Safari not even for this computer. Use such a browser, give the server https, or open this app over http from a computer in your network.`,
    ],
    'network refused': ({ host }) => [
      'The browser keeps this page from your local network',
      `Permission to reach ${host} was refused. Click the icon beside the address of this page, open its site settings, allow “Local network” (for this computer: “Apps on device”), and look again.`,
    ],
    'network not asked': ({ host }) => [
      'The browser waits for your permission',
      `To reach ${host}, this page needs your yes. Press “Look again” and choose Allow when the browser asks.`,
    ],
    off: ({ host }) => [
      `Nobody answers at ${host}`,
      'The server is off, or listens at another address. With https it may also be that the browser does not trust its certificate.',
    ],
    port: ({ host, baseUrl }) => [
      `Nobody answers as a model server at ${host}`,
      `But at ${baseUrl} somebody is there.`,
    ],
    scheme: ({ host, baseUrl }) => [`${host} is there, but not that way`, `Try ${baseUrl}.`],
    cors: ({ host, origin }) => [
      `${host} is there, but does not let this page read its answers`,
      `It has to allow the address of this page, ${origin} (CORS).`,
    ],
    preflight: ({ host, origin }) => [
      `${host} refuses the browser’s question before the question`,
      `Before it sends a key or a message, a browser asks whether it may (OPTIONS, CORS). The server does not say yes to ${origin}. Often a proxy in front of it swallows that question, or wants a key even for it.`,
    ],
    headers: ({ host, headers = [] }) => [
      `${host} does not take the header ${headers.join(', ')}`,
      'Remove it under “More headers”. Ollama, for one, takes a fixed list only.',
    ],
    redirect: ({ host }) => [
      `${host} sends on to another address`,
      'Redirects are not followed, so that nothing goes where you did not say. Enter the final address.',
    ],
    silent: ({ host }) => [
      `${host} takes the connection and says nothing`,
      'It may be starting, or be busy with another answer. Wait a little, or start it again.',
    ],
    'key missing': ({ host }) => [`${host} wants a key`, 'Enter it in the form of this server.'],
    'key wrong': ({ host }) => [
      `${host} does not accept the key`,
      'Is it of this provider, complete, and still valid?',
    ],
    credit: ({ host }) => [`There is no credit left at ${host}`, 'Top it up there, or choose another model.'],
    wait: ({ host }) => [`${host} wants you to wait`, 'Too many requests in a short time, or the limit of a free key.'],
    path: ({ baseUrl }) => ['The address is not complete', `The models are at ${baseUrl}.`],
    page: ({ host }) => [
      `A web page answers instead of ${host}`,
      'A proxy, a firewall or the sign-in of a network stands in between. Open the address in a tab of its own to see it.',
    ],
    down: ({ host }) => [
      `${host} has a fault of its own`,
      'That is on its side. Try again later, or look into its log.',
    ],
    loading: ({ host }) => [`${host} is still loading its model`, 'Look again in a moment.'],
    'not loaded': ({ host }) => [
      `${host} has not loaded the model`,
      'Load it there, or choose a smaller one: its memory may not be enough for this one.',
    ],
    region: ({ host }) => [
      `${host} does not serve your country or region`,
      'The key is not the cause. Another provider may offer the same model.',
    ],
    organisation: ({ host }) => [
      `${host} does not allow this for your organisation`,
      'The key itself is right. Somebody who manages the organisation or project there can allow it; for use from a browser it must allow CORS requests.',
    ],
    policy: ({ host }) => [
      `Your privacy settings at ${host} leave no provider for this model`,
      'Change them in your account there, or choose another model.',
    ],
    strange: ({ host }) => [
      `What answers at ${host} is no model server`,
      'Check port and path. OpenAI-compatible addresses mostly end in /v1.',
    ],
    'no models': ({ host }) => [`${host} has no model yet`, 'Fetch or load one there.'],
    model: ({ host, model = '' }) => [
      `${host} does not have the model ${model}`,
      'Fetch it there, or choose one that it lists.',
    ],
  } satisfies Record<ServerFault, (found: DiagnosisOfOrigin) => [string, string]> as Record<
    ServerFault,
    (found: DiagnosisOfOrigin) => [string, string]
  >,
  purposes: {
    start: 'Start it:',
    allow: 'Let it allow this page, and start it again:',
    'allow without service': 'Where it is not installed as a service:',
    restart: 'Then quit it in its menu beside the clock, and start it again.',
    listen: 'By default it listens to its own computer only. To let it listen to the network:',
    'lan switch': 'In its Developer page, switch on “Serve on Local Network”.',
    'get model': 'On the server:',
    'answer with': 'With each answer, also to OPTIONS, it must send:',
  } satisfies Record<Purpose, string>,
  kinds: { ollama: 'Ollama', lmstudio: 'LM Studio', llamacpp: 'llama.cpp', vllm: 'vLLM' } satisfies Record<
    ServerKind,
    string
  >,
  systems: { linux: 'Linux', macos: 'macOS', windows: 'Windows' } satisfies Record<OperatingSystem, string>,
  /** Where the number of a window comes from. */
  windowFrom: ({ by, place }: WindowSource) =>
    ({
      person: 'typed by you',
      server: place === '/models' ? 'told by the server' : `told by the server (${place})`,
      default: 'this server’s default, until it tells more',
      guess: 'a guess, until the server tells',
    })[by],
  windowOf: (tokens: string, from: string) => `Window: ${tokens} tokens, ${from}`,
  output: 'Output limit',
  outputHelp:
    'Most tokens of one answer, thoughts included; so many are kept free in the window, and at most half of it. One number for all models, or one model a line: name, tokens. Empty: 20% of the window, at most 8192.',
  prices: 'Prices',
  pricesHelp:
    'US$ for a million tokens. One model a line: name, read, written, read from the cache (if it differs): gpt-4.1 2 8 0.5. The name * stands for all others.',
  /** Before the first request to it. */
  willAsk:
    'The browser will ask whether this page may reach your local network (or apps on this device). Choose Allow, or it cannot get there.',
})

export type DoctorTexts = typeof doctorEn
