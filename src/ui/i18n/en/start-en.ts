/** English texts of the model to begin with; they load with that part of the first screen. */
import { withIsolatedArguments } from '../../../core/text/display/isolate.ts'

export const startEn = withIsolatedArguments({
  title: 'To begin with',
  looking: 'Looking what is here already…',
  browser: 'Browser model',
  with: (name: string) => `Start with ${name}`,
  why: {
    server: (name: string, server: string) => `${server} answers, and has ${name}.`,
    offline: (name: string) => `${name} is whole on this device and works without a network.`,
    browser: (): string => 'This browser has a model of its own, and it is downloaded.',
    recall: (): string => 'No model is here yet. Recall works at once; nothing is downloaded before you choose it.',
  },
  silent: (servers: string) => `Does not answer now: ${servers}.`,
  could: (name: string, download: string, memory: string) =>
    `This device could hold ${name}: about ${download} to download, about ${memory} of graphics memory. It is the best of the usual ones that most likely fits.`,
  unknownSize: 'an unknown size',
  couldNot: {
    software:
      'The graphics of this device are computed in software: a model would run, but far too slowly to talk with. A server will serve you better.',
    small:
      'None of the usual models is sure to fit the memory of this device. A server, or a small model on the processor, will serve you better.',
    none: 'This browser gives models no graphics card. A server, or a small model on the processor, will serve you better.',
  },
})

export type StartTexts = typeof startEn
