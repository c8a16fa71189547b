/** The thread that reads other apps' exports. */
import { serveExports } from '../src/bridge/worker/serve-exports.ts'

serveExports()
