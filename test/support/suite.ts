/**
 * Owns how the tests of a file are declared and run. A file joins the process of its area (test/areas.ts), which shares a service
 * and a database, or stands apart in a process of its own:
 *
 *     const test = testsOf(import.meta)     joins its area
 *     const test = apart(import.meta)       has a process of its own
 *
 * The files of an area run one after another. Within a file the serial tests come first and one by one, then the others at once.
 * No test file imports AVA itself, so that processor time is noted and a seed shuffles for all of them.
 */
import ava, { type ExecutionContext } from 'ava'
import { shuffled, TEST_SEED } from './shuffled.ts'
import { noteUsage, usedMs } from './usage.ts'

type Run = (t: ExecutionContext) => unknown
type Hook = () => unknown
type Declare = { (title: string, run: Run): void; readonly skip: (title: string, run: Run) => void }

/** What a file declares its tests with: the part of AVA's interface that this project uses. */
export type Tests = Declare & {
  readonly serial: Declare
  /** Opens what the file has to itself: all files of an area are loaded before the first of them runs. */
  readonly before: (hook: Hook) => void
  readonly beforeEach: (hook: Hook) => void
  readonly afterEach: { readonly always: (hook: Hook) => void }
  readonly after: { readonly always: (hook: Hook) => void }
}

/** Tests of one file that run at the same time: all of them at once would wait for a processor for longer than requests may. */
const AT_ONCE = 16

type Declared = { readonly title: string; readonly run: Run; readonly isSerial: boolean; readonly isSkipped: boolean }
type File = {
  readonly name: string
  readonly isOneStory: boolean
  readonly tests: Declared[]
  readonly before: Hook[]
  readonly beforeEach: Hook[]
  readonly afterEach: Hook[]
  readonly after: Hook[]
}

/** The files of the area that are loaded; undefined where AVA runs a file alone. */
let area: File[] | undefined
const ends: Hook[] = []
/** What files of this area have taken, in ms. The rest is taken by loading them, and by services. */
let notedMs = 0
process.once('exit', () => {
  const name = nameOf(ava.meta.file).replace('.areas/', 'loading and services of ')
  noteUsage(name, usedMs() - notedMs)
})

/** Below `test/`, without its ending. */
const nameOf = (url: string): string =>
  url.slice(url.lastIndexOf('/test/') + '/test/'.length).replace(/\.test\.ts$/, '')

/**
 * The tests of a file that shares the process, the database and the service of its area.
 *
 * @param meta its `import.meta`
 * @param isSerial all of its tests run one by one
 * @param isOneStory they also build on each other, so a seed keeps their order
 */
export function testsOf({ url }: Pick<ImportMeta, 'url'>, { isOneStory = false, isSerial = false } = {}): Tests {
  const file: File = { name: nameOf(url), isOneStory, tests: [], before: [], beforeEach: [], afterEach: [], after: [] }
  area?.push(file)
  const declare = (inTurn: boolean): Declare => {
    const as = (isSkipped: boolean) => (title: string, run: Run) => {
      // AVA starts as soon as it knows a test. The file has declared all of its own when its microtasks run.
      if (area === undefined && file.tests.length === 0) queueMicrotask(() => handOver([file]))
      file.tests.push({ title, run, isSerial: inTurn, isSkipped })
    }
    return Object.assign(as(false), { skip: as(true) })
  }
  const into = (hooks: Hook[]) => (hook: Hook) => void hooks.push(hook)
  return Object.assign(declare(isSerial || isOneStory), {
    serial: declare(true),
    before: into(file.before),
    beforeEach: into(file.beforeEach),
    afterEach: { always: into(file.afterEach) },
    after: { always: into(file.after) },
  })
}

/**
 * The tests of a file with a process of its own (test/areas.ts finds this word): it kills or freezes its own process, changes what the
 * whole process shares, or measures its memory or event loop. @param meta its `import.meta`
 */
export const apart = testsOf

/** Runs behind all tests of this process, whether they pass or fail; the hook that was given last runs first. */
export function whenProcessEnds(hook: Hook): void {
  ends.push(hook)
}

/** The last first: what was opened last is closed first. All of them run, also when one fails. */
async function runBackwards(hooks: readonly Hook[]): Promise<void> {
  const faults: unknown[] = []
  for (const hook of hooks.toReversed()) await (async () => hook())().catch(error => faults.push(error))
  if (faults.length > 0) throw faults[0]
}

/** Loads the files of an area and hands their tests to AVA. */
export async function runArea(files: readonly URL[]): Promise<void> {
  const loaded: File[] = []
  area = loaded
  for (const file of shuffled(files, process.env[TEST_SEED])) await import(file.href)
  handOver(loaded)
}

function handOver(files: readonly File[]): void {
  let before: Promise<unknown> = Promise.resolve()
  for (const file of files) {
    const run = new FileRun(file, before)
    for (const test of file.isOneStory ? file.tests : shuffled(file.tests, process.env[TEST_SEED])) {
      const title = area === undefined ? test.title : `${file.name} › ${test.title}`
      if (test.isSkipped) ava.skip(title, test.run)
      else ava(title, t => run.test(t, test))
    }
    ava.after.always(() => run.end)
    before = run.end.catch(() => {})
  }
  ava.after.always(async () => {
    await before
    await runBackwards(ends)
  })
}

/** Runs the tests of a file once those of the file before it have ended. */
class FileRun {
  readonly #file: File
  readonly #begun: Promise<void>
  readonly #serialDone = Promise.withResolvers<void>()
  readonly #end = Promise.withResolvers<void>()
  #serial: Promise<void>
  #serialLeft: number
  #left: number
  #free = AT_ONCE
  readonly #waiting: (() => void)[] = []
  #usedBefore = usedMs()

  constructor(file: File, before: Promise<unknown>) {
    this.#file = file
    const run = file.tests.filter(({ isSkipped }) => !isSkipped)
    this.#left = run.length
    this.#serialLeft = run.filter(({ isSerial }) => isSerial).length
    if (this.#serialLeft === 0) this.#serialDone.resolve()
    this.#begun = before.then(async () => {
      this.#usedBefore = usedMs()
      for (const hook of file.before) await hook()
    })
    this.#begun.catch(() => {}) // each test tells it
    if (this.#left === 0) void this.#finish()
    this.#serial = this.#begun
    this.#end.promise.catch(() => {}) // AVA's hook tells it
  }

  /** Settles when the tests of the file and its own hooks have run. */
  get end(): Promise<void> {
    return this.#end.promise
  }

  async test(t: ExecutionContext, { run, isSerial }: Declared): Promise<void> {
    const teardowns: Hook[] = []
    // AVA would run them after the next test has begun.
    Object.assign(t, { teardown: (hook: Hook) => void teardowns.unshift(hook) })
    const runWithHooks = async () => {
      try {
        for (const hook of this.#file.beforeEach) await hook()
        await run(t)
      } finally {
        for (const hook of [...teardowns, ...this.#file.afterEach]) await hook()
      }
    }
    try {
      if (isSerial) await this.#inTurn(runWithHooks)
      else await this.#withOthers(runWithHooks)
    } finally {
      if (isSerial && --this.#serialLeft === 0) this.#serialDone.resolve()
      if (--this.#left === 0) await this.#finish()
    }
  }

  async #inTurn(run: () => Promise<void>): Promise<void> {
    const turn = this.#serial.then(run)
    this.#serial = turn.catch(() => this.#begun)
    this.#serial.catch(() => {}) // each test tells it
    await turn
  }

  async #withOthers(run: () => Promise<void>): Promise<void> {
    await this.#begun
    await this.#serialDone.promise
    if (this.#free === 0) await new Promise<void>(resolve => this.#waiting.push(resolve))
    else this.#free--
    try {
      await run()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
  }

  async #finish(): Promise<void> {
    try {
      await this.#begun.catch(() => {})
      await runBackwards(this.#file.after)
      this.#end.resolve()
    } catch (error) {
      this.#end.reject(error)
    }
    if (area === undefined) return // the whole process is noted
    const ms = usedMs() - this.#usedBefore
    notedMs += ms
    noteUsage(this.#file.name, ms)
  }
}
