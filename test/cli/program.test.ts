/** `bin/millrace` as a program: from any folder, through a link, and with its exit code. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const program = fileURLToPath(new URL('../../bin/millrace', import.meta.url))

async function run(file: string, args: string[], cwd: string) {
  const { promise, resolve } = Promise.withResolvers<{ status: number; out: string; err: string }>()
  // The environment of a login shell: the Node of this test is not on the PATH.
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin' }
  const child = execFile(file, args, { cwd, env }, (_error, out, err) =>
    resolve({ status: child.exitCode ?? -1, out, err }),
  )
  return promise
}

test('the program runs from any folder, through a link, and exits with the status', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-program-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const link = join(folder, 'millrace')
  await symlink(program, link)
  const help = await run(link, ['--help'], folder)
  t.is(help.status, 0)
  t.regex(help.out, /Usage: bin\/millrace COMMAND/)
  const wrong = await run(link, ['key', 'issue'], folder)
  t.is(wrong.status, 2)
  t.is(wrong.out, '')
  t.regex(wrong.err, /--tenant is required/)
})
