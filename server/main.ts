/** The `web` process of the Procfile: reads the settings, starts the server, and stops it after running requests are answered. */
import { runProcess } from '../lib/platform/telemetry/process.ts'
import { startWeb } from './web.ts'

await runProcess('web', startWeb)
