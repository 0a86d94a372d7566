/** What must hold of the mutants before `npm run mutants` tries them: each replacement is possible, and its tests exist. */
import { fileURLToPath } from 'node:url'
import { atLength } from '../at-length.ts'
import { apart } from '../support/suite.ts'
import { faultsOf, type Mutant } from './mutant.ts'
import { mutants } from './mutants.ts'
import { failingTest } from './tests.ts'

const test = apart(import.meta)

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

test('each mutant finds its text exactly once, and its tests where they run', t => {
  t.true(mutants.length >= 30)
  t.deepEqual(faultsOf(ROOT, mutants), [])
})

test('a mutant that cannot be tried is told by its name', t => {
  const mutant: Mutant = {
    name: 'one',
    breaks: 'Nothing.',
    file: 'test/mutants/mutants.ts',
    find: '/** All mutants',
    replace: '/** Some mutants',
    tests: ['mutants/*'],
  }
  t.deepEqual(faultsOf(ROOT, [mutant]), [])
  const told = (change: Partial<Mutant>) => faultsOf(ROOT, [{ ...mutant, ...change }]).join()
  t.regex(told({ find: 'no such text' }), /^one: test\/mutants\/mutants\.ts: the text to find is there 0 times/)
  t.regex(told({ find: 'import {' }), /^one: .* is there \d+ times, not once/)
  t.regex(told({ file: 'test/none.ts' }), /^one: .*ENOENT/)
  t.regex(told({ replace: mutant.find }), /^one: it changes nothing/)
  t.regex(told({ tests: ['mutants/none'] }), /^one: no test file is named mutants\/none/)
  t.regex(told({ atLength: true }), /^one: test\/mutants\/mutants\.test\.ts runs in `npm test`/)
  t.regex(told({ tests: atLength.slice(0, 1) }), /^one: .* runs in `npm run torture`/)
  t.deepEqual(faultsOf(ROOT, [mutant, mutant]), ['one: another mutant has this name'])
})

test('what noticed a mutant is a test that failed or did not end; a file that does not load has noticed nothing', t => {
  t.is(
    failingTest('\n  ✔ fine\n  ✘ [fail]: one, and "another" 2 is not 1\n  ─\n\n  one, and "another"\n\n'),
    'one, and "another"',
  )
  t.is(failingTest('\n  ✘ Timed out while running tests\n\n  1 tests were pending in a.test.ts\n\n  ◌ slow\n'), 'slow')
  t.is(failingTest('\n  ✘ a.test.ts exited with a non-zero exit code: 1\n  ─\n  1 uncaught exception\n'), null)
})
