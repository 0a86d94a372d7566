/**
 * The alert rules, tested by Prometheus' own promtool on artificial series, if the machine has promtool (Debian: the package prometheus).
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { pathOf } from '../../lib/tools/embedded/system-program.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const run = promisify(execFile)
const promtool = await pathOf('promtool')
const where = promtool === null ? ' (skipped: there is no promtool on this machine)' : ''

const testWithPromtool = promtool === null ? test.skip : test

testWithPromtool(`Prometheus reads every rule${where}`, async t => {
  const file = fileURLToPath(new URL('../../docs/dashboards/alerts.yml', import.meta.url))
  await t.notThrowsAsync(run(promtool ?? '', ['check', 'rules', file]))
})

testWithPromtool(`an alert fires when its description says so, and not before${where}`, async t => {
  const file = fileURLToPath(new URL('alert-rules.yml', import.meta.url))
  await t.notThrowsAsync(run(promtool ?? '', ['test', 'rules', file]))
})
