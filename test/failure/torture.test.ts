/** The help and the output of `npm run torture`. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const TORTURE = fileURLToPath(new URL('torture.ts', import.meta.url))
const said = (...options: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [TORTURE, ...options], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

test('torture says what it takes, and what is wrong with an option, without running anything', t => {
  const help = said('--help')
  t.like(help, { status: 0, stderr: '' })
  for (const option of ['list', 'only', 'minutes', 'rounds', 'tenants', 'clients', 'seed', 'help'])
    t.true(help.stdout.includes(`\n  --${option} `), option)
  for (const wrong of [
    ['--minuts', '1'],
    ['--only', 'no such attack'],
  ]) {
    const { status, stdout, stderr } = said(...wrong)
    t.deepEqual([status, stdout], [2, ''])
    t.regex(stderr, /^[^\n]+: see npm run torture -- --(help|list)\n$/)
  }
})
