/** The oldest browsers that the app is built for and checked against; the README names them. */

/** Versions by the names of MDN's data. Chrome on Android, and Edge, have the versions of Chrome. */
export const oldest = {
  chrome: '120',
  edge: '120',
  chrome_android: '120',
  firefox: '128',
  firefox_android: '128',
  safari: '17.4',
  safari_ios: '17.4',
} as const

export type Browser = keyof typeof oldest

/** The same for the compilers of script and style. */
export const buildTarget = [
  `chrome${oldest.chrome}`,
  `edge${oldest.edge}`,
  `firefox${oldest.firefox}`,
  `safari${oldest.safari}`,
  `ios${oldest.safari_ios}`,
]
