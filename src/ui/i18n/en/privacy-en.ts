/** English texts of keys and of what leaves the device; they load with their part of the screen. */
import { withIsolatedArguments } from '../../../core/text/display/isolate.ts'

export const privacyEn = withIsolatedArguments({
  keys: 'Keys',
  keysBy: {
    device:
      'Sealed by a key of this browser that no script can read out. They go to their own server only, and into no export.',
    passphrase: 'Sealed by your passphrase. It is asked for once after each start, and kept nowhere.',
    memory:
      'Here the browser cannot seal anything (plain http, or some private windows): keys are kept in memory only and are gone when the tab closes.',
  },
  locked: 'The keys are locked. Models of servers with a key answer once you have unlocked them.',
  passphrase: 'Passphrase',
  newPassphrase: 'New passphrase (8 characters or more)',
  unlock: 'Unlock',
  setPassphrase: 'Lock with a passphrase…',
  changePassphrase: 'Change the passphrase…',
  set: 'Set',
  removePassphrase: 'Do without a passphrase',
  forget: 'Forget all keys…',
  forgetAsk:
    'Forget all keys? Without the passphrase they cannot be read any more in any case; type them again afterwards.',
  wrong: 'That is not the passphrase.',
  cancel: 'Cancel',
  /** What a chat may do without asking, where that is not named after a tool. */
  grants: {
    'other chats': 'Models elsewhere may read other chats, notes and files',
    'chats of this device': 'Models elsewhere may read chats and files that never left this device',
    'this chat': 'Models elsewhere may be sent this chat',
  } as Readonly<Record<string, string>>,
})

export type PrivacyTexts = typeof privacyEn
