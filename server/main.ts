/**
 * The `web` process of the Procfile: settings, start, and a stop that lets running requests finish.
 */
import { runProcess } from '../lib/platform/telemetry/process.ts'
import { startWeb } from './web.ts'

await runProcess('web', startWeb)
