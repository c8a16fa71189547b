/** The number on the icon of the installed app. */

/** Shows the number, none for 0; does nothing where the browser has no badges. */
export function showBadge(count: number): void {
  // A badge that cannot be set is no reason to disturb anybody.
  if (typeof navigator.setAppBadge !== 'function') return
  void (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => undefined)
}
