/**
 * Owns how the tests of a file are declared and run: by AVA alone, or in one process with the other files of its area
 * (test/areas.ts), which then share a service and a database. Files run one after another. Within a file the serial tests
 * come first and one by one, the others at once, as AVA would run them.
 *
 *     const test = testsOf(import.meta)
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
  readonly before: (hook: Hook) => void
  readonly after: { readonly always: (hook: Hook) => void }
}

/** Tests of one file that run at the same time: all of them at once would wait for a processor for longer than requests may. */
const AT_ONCE = 16

type Declared = { readonly title: string; readonly run: Run; readonly isSerial: boolean; readonly isSkipped: boolean }
type File = {
  readonly name: string
  readonly tests: Declared[]
  readonly before: Hook[]
  readonly after: Hook[]
}

/** The files of the area that are loaded; undefined where AVA runs a file alone. */
let area: File[] | undefined
const ends: Hook[] = []
/** What files of this area have taken, in ms. The rest is taken by loading them, and by services. */
let notedMs = 0
process.once('exit', () => {
  const { file } = ava.meta
  const name = file.slice(file.lastIndexOf('/test/') + '/test/'.length).replace('.areas/', 'loading and services of ')
  noteUsage(name.replace(/\.test\.ts$/, ''), usedMs() - notedMs)
})

/** @param meta the `import.meta` of the test file. */
export function testsOf({ url }: Pick<ImportMeta, 'url'>): Tests {
  if (area === undefined) return ava as Tests
  const name = url.slice(url.lastIndexOf('/test/') + '/test/'.length).replace(/\.test\.ts$/, '')
  const file: File = { name, tests: [], before: [], after: [] }
  area.push(file)
  const declare = (isSerial: boolean): Declare => {
    const as = (isSkipped: boolean) => (title: string, run: Run) =>
      void file.tests.push({ title, run, isSerial, isSkipped })
    return Object.assign(as(false), { skip: as(true) })
  }
  return Object.assign(declare(false), {
    serial: declare(true),
    before: (hook: Hook) => void file.before.push(hook),
    after: { always: (hook: Hook) => void file.after.push(hook) },
  })
}

/** Runs behind all tests of this process, whether they pass or fail: what was opened last is closed first. */
export function whenProcessEnds(hook: Hook): void {
  // AVA runs its hooks at once, so there is one.
  if (ends.push(hook) === 1 && area === undefined) ava.after.always(runEnds)
}

async function runEnds(): Promise<void> {
  const faults: unknown[] = []
  for (const hook of ends.reverse()) await (async () => hook())().catch(error => faults.push(error))
  if (faults.length > 0) throw faults[0]
}

/**
 * Loads the files of an area and hands their tests to AVA. AVA starts a process when its first test is declared, so all files are
 * loaded before.
 */
export async function runArea(files: readonly URL[]): Promise<void> {
  const seed = process.env[TEST_SEED]
  const loaded: File[] = []
  area = loaded
  for (const file of shuffled(files, seed)) await import(file.href)
  let before: Promise<unknown> = Promise.resolve()
  for (const file of loaded) {
    const run = new FileRun(file, before)
    for (const test of shuffled(file.tests, seed)) {
      const title = `${file.name} › ${test.title}`
      if (test.isSkipped) ava.skip(title, test.run)
      else ava(title, t => run.test(t, test))
    }
    ava.after.always(() => run.end)
    before = run.end.catch(() => {})
  }
  ava.after.always(async () => {
    await before
    await runEnds()
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
    const runWithTeardowns = async () => {
      try {
        await run(t)
      } finally {
        for (const hook of teardowns) await hook()
      }
    }
    try {
      if (isSerial) await this.#inTurn(runWithTeardowns)
      else await this.#withOthers(runWithTeardowns)
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
      for (const hook of this.#file.after) await hook()
      this.#end.resolve()
    } catch (error) {
      this.#end.reject(error)
    }
    const ms = usedMs() - this.#usedBefore
    notedMs += ms
    noteUsage(this.#file.name, ms)
  }
}
