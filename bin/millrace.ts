/** The entry of the command line: passes on arguments and environment, and exits with the status. lib/tools/cli has everything else. */
import { fileURLToPath } from 'node:url'
import { runCommandLine } from '../lib/tools/cli/main.ts'
import { progressLine } from '../lib/tools/cli/progress.ts'

// A reader that closes early (`| head`) is no fault of the command.
process.stdout.on('error', () => {})

const progress = progressLine(process.stderr)
const afterProgress = (write: (text: string) => void) => (text: string) => {
  progress.forget()
  write(text)
}

process.exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  root: fileURLToPath(new URL('..', import.meta.url)),
  out: afterProgress(console.log),
  err: afterProgress(console.error),
  progress,
})
