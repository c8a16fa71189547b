/** How the installed app is launched: with files that it opens, or for a place in it. */
import { routeOf, type Route } from '../browser/route.ts'

/** The queue of launches, where the browser has one. */
interface LaunchQueue {
  setConsumer(consumer: (launch: { targetURL?: string; files?: readonly { getFile(): Promise<File> }[] }) => void): void
}

/** Hears of each launch, also of one from before: the browser keeps them until somebody asks. */
export function watchLaunches({
  onFiles,
  onPlace,
}: {
  onFiles: (files: File[]) => void
  onPlace: (route: Route) => void
}): void {
  const queue = (globalThis as { launchQueue?: LaunchQueue }).launchQueue
  queue?.setConsumer(({ targetURL, files = [] }) => {
    if (files.length > 0)
      void Promise.allSettled(files.map(file => file.getFile())).then(taken => onFiles(ready(taken)))
    else if (targetURL !== undefined && URL.canParse(targetURL)) onPlace(routeOf(new URL(targetURL).hash))
  })
}

/** Those that could be read. */
const ready = (taken: readonly PromiseSettledResult<File>[]): File[] =>
  taken.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []))
