/** English texts of the first screen; they load with it. */
import { groupedNumber } from '../format/format.ts'
import { withIsolatedArguments } from '../../../core/text/display/isolate.ts'

export const startEn = withIsolatedArguments({
  title: 'A chat that forgets nothing',
  lead: 'Everything stays in this browser. The model gets what fits, you see what that is, and anything comes back.',

  // what is here already
  ready: 'To begin with',
  looking: 'Looking whether your models answer…',
  with: (name: string) => `Start with ${name}`,
  why: {
    server: (name: string, server: string) => `${server} answers, and has ${name}.`,
    offline: (name: string) => `${name} is whole on this device and works without a network.`,
    browser: (): string => 'This browser has a model of its own, and it is downloaded.',
    recall: (): string => 'None of your models can be reached. Recall works at once.',
  },
  silent: (servers: string) => `Does not answer now: ${servers}.`,

  // one field
  field: 'Address of a server, or an API key',
  fieldOf: (service: string) => `API key of ${service}`,
  example: 'localhost:8080',
  connect: 'Connect',
  asking: (host: string) => `Asking ${host}…`,
  look: 'Look on this device',
  lookHelp: 'for Ollama, LM Studio, llama.cpp and others',
  lookingHere: 'Looking for model servers on this device…',
  noneHere: 'No model server was found on this device. Start one, or type its address.',
  answersHere: (name: string, models: number) =>
    `${name} answers: ${groupedNumber(models)} ${models === 1 ? 'model' : 'models'}`,
  silentHere: (host: string) => `Somebody is at ${host}, and cannot be asked`,
  choose: 'Choose a model',
  chooseOf: (name: string) => `Choose a model of ${name}`,
  cause: 'Find the cause',
  causeOf: (name: string) => `Find the cause at ${name}`,
  byHand: 'Enter another server by hand…',
  unclear: 'This is neither an address nor a key. An address looks like localhost:8080 or https://example.com/v1.',
  keyOf: (service: string) => `A key of ${service}.`,
  keyOfSeveral: 'Several services have keys like this. Whose is it?',
  keyOfNobody: 'This looks like a key. Whose is it?',
  sendKey: (host: string) => `Connect to ${host}`,
  sendKeyOf: (service: string, host: string) => `${service} · ${host}`,
  otherService: 'Another service…',
  onlyThere: 'The key goes there and nowhere else. It is kept sealed in this browser and never exported.',
  wantsKey: (host: string) => `${host} wants a key. Type it here; it goes there and nowhere else.`,
  keyFor: (host: string) => `Key for ${host}`,
  getKey: (host: string) => `Get a key at ${host}`,
  notTheService: 'Address or another service…',

  // what was found
  answers: (server: string) => `${server} answers.`,
  answersWith: (server: string, models: number) => `${server} answers, with ${groupedNumber(models)} models.`,
  use: 'Use',
  useName: (model: string) => `Use ${model}`,

  // three ways
  ways: 'Other ways to begin',
  device: 'On this device',
  deviceLooking: 'Looking what this device can run…',
  onCard: (name: string, download: string) => `${name} on your graphics card · ${download} once, then offline`,
  onProcessor: (name: string, download: string) => `${name} on the processor · ${download} once, then offline`,
  inBrowser: 'The model of this browser · it is here already, and works offline',
  notHere: {
    insecure: 'Not over plain http: open this page over https, or on this computer, to run models here.',
    files: 'This browser keeps no files for this page now, as in a private window, so no model can run here.',
    space: (needed: string) => `Too little space is free: the smallest model takes ${needed}.`,
  },
  unknownSize: 'its size is shown first',
  service: 'A service',
  serviceText: 'OpenAI, Anthropic, Google, OpenRouter and others, with your key',
  services: 'Services',
  withoutModel: 'Start without a model',
  withoutModelText: 'Just look around: keep notes, import chats, find anything',
  bring: 'Bring your chats:',
  importFile: 'open a file',
  orDrop: 'or drop it anywhere.',

  // at the bottom
  deviceTitle: 'This device',
  facts: {
    webgpu: 'WebGPU is there',
    webgpuBuffer: (size: string) => `largest buffer ${size}`,
    noWebgpu: 'No WebGPU: models run on the processor only',
    memory: (gib: number) => `${gib >= 8 ? '8 GB or more' : `about ${gib} GB`} of memory`,
    cores: (n: number) => `${groupedNumber(n)} processor cores`,
    free: (size: string) => `${size} free for this page`,
    offline: 'No network now',
  },
  firstRules: 'Where your chats live',
  rules: {
    all: 'Chats are kept in this browser, on this device, and nowhere else. Clearing its site data deletes them; Export saves them to a file.',
    safari:
      'Safari deletes what a page keeps after seven days of use without a visit. Added to the Home Screen or the Dock, this page is exempt.',
    private: 'In a private window everything is gone when the window closes.',
  },
})

export type StartTexts = typeof startEn
