/** Channels to other tabs, before Dexie loads. */

/**
 * Whether they can be opened here. Dexie opens one as it loads, wherever there is the class; with site data blocked
 * Firefox has it and refuses to open any, so loading Dexie would end the worker. What cannot be opened is taken away:
 * then it is missing, as in old browsers.
 */
export const canOpenChannels = tryOne()

function tryOne(): boolean {
  try {
    new BroadcastChannel('haversack-probe').close()
    return true
  } catch {
    Reflect.deleteProperty(globalThis, 'BroadcastChannel')
    return false
  }
}
