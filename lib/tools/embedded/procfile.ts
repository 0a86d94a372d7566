/** Reads the Procfile and the `--scale` option: which processes to run. */
import { SetupError } from './setup-error.ts'

/** One line of the Procfile: the kind of process and its command. */
type ProcessKind = { kind: string; command: string }

/** One process to run. `name` is the kind and its number: `web.1`. */
export type PlannedProcess = { kind: string; name: string; command: string }

const LINE = /^([A-Za-z0-9_-]+):\s*(\S.*)$/
const COUNT_MAX = 64
// A deployment runs it once; it is no process.
const RELEASE = 'release'

/** The process kinds of a Procfile's text, in its order, without `release`. Throws SetupError for an invalid line. */
export function parseProcfile(text: string): ProcessKind[] {
  const kinds: ProcessKind[] = []
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) continue
    const [, kind, command] = LINE.exec(line) ?? []
    if (kind === undefined || command === undefined) {
      throw new SetupError(`Procfile line ${index + 1}: expected "name: command", got "${line}"`)
    }
    if (kinds.some(other => other.kind === kind)) throw new SetupError(`Procfile: ${kind} stands there twice`)
    if (kind !== RELEASE) kinds.push({ kind, command })
  }
  return kinds
}

/**
 * How many processes of each kind: `worker=2,web=2` (several options are combined, the last value of a kind wins), 1 by default, 0 allowed.
 * Throws SetupError for an unknown kind or a count that is no whole number up to 64.
 */
export function parseScale(scales: readonly string[], kinds: readonly ProcessKind[]): Map<string, number> {
  const counts = new Map(kinds.map(({ kind }) => [kind, 1]))
  for (const part of scales.flatMap(scale => scale.split(','))) {
    const [, kind, count] = /^\s*([A-Za-z0-9_-]+)=(\d{1,3})\s*$/.exec(part) ?? []
    if (kind === undefined || Number(count) > COUNT_MAX) {
      throw new SetupError(`--scale ${part}: expected kind=count with a count from 0 to ${COUNT_MAX}, such as worker=2`)
    }
    if (!counts.has(kind)) throw new SetupError(`--scale ${part}: the Procfile has ${[...counts.keys()].join(', ')}`)
    counts.set(kind, Number(count))
  }
  return counts
}

/** Every process to run, by kind in the Procfile's order and then by number. */
export function planProcesses(kinds: readonly ProcessKind[], counts: ReadonlyMap<string, number>): PlannedProcess[] {
  return kinds.flatMap(({ kind, command }) =>
    Array.from({ length: counts.get(kind) ?? 0 }, (_, index) => ({ kind, command, name: `${kind}.${index + 1}` })),
  )
}

/**
 * The program and arguments of a command line. A command of plain words is executed directly, so that the process is the program itself:
 * run.json has its id, its death is noticed, and it gets the signals. Any other command runs in a shell.
 */
export function commandArguments(command: string): { file: string; args: string[] } {
  const [file = '', ...args] = command.split(/\s+/)
  const isPlain = /^[A-Za-z0-9_./:@%+,=\s-]+$/.test(command) && !file.includes('=')
  return isPlain ? { file, args } : { file: '/bin/sh', args: ['-c', command] }
}
