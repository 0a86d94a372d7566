/** Owns how much processor time each test file takes: noted by the processes of a run, shown at its end. */
import { appendFileSync, readFileSync } from 'node:fs'

/** By this, test/run.ts names the file in which processes note what they have used. */
export const USAGE_FILE = 'MILLRACE_TEST_USAGE'
const DEAREST = 20

/** Processor time of this process and of the children that it has waited for, in ms. */
export function usedMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000 + childrenMs()
}

/** Linux alone tells it. */
function childrenMs(): number {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    const TICKS_A_SECOND = 100
    return ((Number(fields[13]) + Number(fields[14])) * 1_000) / TICKS_A_SECOND
  } catch {
    return 0
  }
}

export function noteUsage(file: string, ms: number): void {
  const to = process.env[USAGE_FILE]
  if (to) appendFileSync(to, `${JSON.stringify({ file, ms: Math.round(ms) })}\n`)
}

/** A table of the files that took most. The checks, PostgreSQL and Redis of the run stand in the total alone. */
export function dearest(noted: string, totalMs: number): string {
  const lines = noted.split('\n').filter(Boolean)
  const files = lines
    .map(line => JSON.parse(line) as { file: string; ms: number })
    .sort((one, other) => other.ms - one.ms)
  const row = (ms: number, name: string) => `${(ms / 1_000).toFixed(1).padStart(8)} s  ${name}`
  return [
    ...files.slice(0, DEAREST).map(({ file, ms }) => row(ms, file)),
    row(
      files.reduce((sum, { ms }) => sum + ms, 0),
      `all ${files.length} processes and files`,
    ),
    row(totalMs, 'the whole run: the checks, PostgreSQL and Redis too'),
    '',
  ].join('\n')
}
