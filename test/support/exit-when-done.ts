/**
 * Owns the end of a test file's process: it exits when its tests are done, whatever they left open.
 * It must not hide leaks; `close()` of the test services tells those.
 */
import { sep } from 'node:path'

// AVA waits for a process to run dry. A test that fails before it closes its server would keep the whole run waiting.
// AVA refuses to be imported elsewhere (a script that uses the same support), so this looks where it is first.
if (process.argv[1]?.includes(['ava', 'lib', 'worker'].join(sep))) {
  const { registerCompletionHandler } = await import('ava')
  registerCompletionHandler(() => process.exit())
}
