/** The last line of `npm test` never counts a failure as fine. */
import { avaOutcome } from '../support/ava-outcome.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const outcomeOf = (report: string, exitCode: number | null) => {
  const outcome = avaOutcome()
  for (const line of report.split('\n')) outcome.line(line)
  return outcome.end(exitCode)
}

test('every passed test counts, also when others fail', t => {
  const report = '  ✔ a › one\n  ✘ [fail]: a › two\n  ✔ b › three (2.2s)\n    ℹ a log line\n  ─\n\n  1 test failed'
  t.deepEqual(outcomeOf(report, 1), { passed: 2, failed: 1 })
})

test('hooks, exceptions and tests that never end are failures', t => {
  const report =
    '  ✔ a › one\n\n  1 hook failed\n  2 tests failed\n  1 known failure\n  1 test skipped\n  1 unhandled rejection\n' +
    '  2 uncaught exceptions\n  3 tests remained pending after a timeout'
  t.deepEqual(outcomeOf(report, 1), { passed: 1, failed: 9 })
})

test('colours do not matter', t => {
  t.deepEqual(outcomeOf('  \u001b[32m✔\u001b[39m a › one\n  \u001b[31m2 tests failed\u001b[39m', 1), {
    passed: 1,
    failed: 2,
  })
})

test('a run that failed without naming a test is a failure', t => {
  t.deepEqual(outcomeOf('  ✔ a › one\n  1 test passed', 1), { passed: 1, failed: 1 })
  t.deepEqual(outcomeOf('  ✔ a › one\n  1 test passed', null), { passed: 1, failed: 1 })
})

test('a run without tests is a failure', t => {
  t.deepEqual(outcomeOf('  ✘ Couldn’t find any files to test', 0), { passed: 0, failed: 1 })
})
