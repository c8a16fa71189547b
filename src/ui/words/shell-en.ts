/** Everything around the talk, in English. */

export const shell = {
  appName: 'Haversack',
}
