/** Made by the build (.ci/wllama-files.ts): the addresses of the files that run a model on the processor. */
declare module 'virtual:wllama-files' {
  type RunFiles = { thread: string; helper: string; program: string }
  export const usual: RunFiles
  /** For browsers without Memory64 or JSPI. */
  export const older: RunFiles
}
