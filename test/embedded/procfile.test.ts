/** The reading of the Procfile and of --scale. */
import { commandArguments, parseProcfile, parseScale, planProcesses } from '../../lib/tools/embedded/procfile.ts'
import { SetupError } from '../../lib/tools/embedded/setup-error.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const KINDS = [
  { kind: 'web', command: 'node web.ts' },
  { kind: 'worker', command: 'node worker.ts' },
]

test('a Procfile lists its kinds in order; comments, empty lines and release start nothing', t => {
  const text = '# processes\nrelease: node migrate.ts\n\nweb: node web.ts\nworker:   node worker.ts  \n'
  t.deepEqual(parseProcfile(text), KINDS)
})

test('a Procfile line without a command, or a kind that stands there twice, is refused with its place', t => {
  t.throws(() => parseProcfile('web node'), { instanceOf: SetupError, message: /line 1.*"web node"/ })
  t.throws(() => parseProcfile('web: a\nweb: b'), { instanceOf: SetupError, message: /web stands there twice/ })
})

test('each kind runs once unless --scale says otherwise, and 0 leaves it out', t => {
  const names = (...scales: string[]) => planProcesses(KINDS, parseScale(scales, KINDS)).map(({ name }) => name)
  t.deepEqual(names(), ['web.1', 'worker.1'])
  t.deepEqual(names('worker=2,web=2'), ['web.1', 'web.2', 'worker.1', 'worker.2'])
  t.deepEqual(names('web=0', 'worker=3', 'worker=1'), ['worker.1'])
})

test('a scale that names no kind or no count is refused in one line', t => {
  for (const scale of ['worker', 'worker=', 'worker=-1', 'worker=1.5', 'worker=65', 'worker=2 web=2', '', 'clerk=1']) {
    const error = t.throws(() => parseScale([scale], KINDS), { instanceOf: SetupError }, scale)
    t.notRegex(error?.message ?? '', /\n/)
  }
})

test('plain words are executed themselves, anything more goes through the shell', t => {
  t.deepEqual(commandArguments('node server/main.ts'), { file: 'node', args: ['server/main.ts'] })
  t.deepEqual(commandArguments('A=1 node x.ts').file, '/bin/sh')
  t.deepEqual(commandArguments('node x.ts | tee log'), { file: '/bin/sh', args: ['-c', 'node x.ts | tee log'] })
})
