/**
 * Prints the bench's results for people: throughput and latency beside the limits and goals, then what each write and read
 * cost.
 */
import { allMs, type Usage } from './usage.ts'

/** What is to be reached: by the service's figure, or by its ratio to the limit. */
export type Goal = { readonly of: 'ratio' | 'service'; readonly is: '>=' | '<='; readonly value: number }
export const ratio = (is: Goal['is'], value: number): Goal => ({ of: 'ratio', is, value })
export const service = (is: Goal['is'], value: number): Goal => ({ of: 'service', is, value })

export type Result = {
  readonly name: string
  readonly goals?: readonly Goal[]
  readonly service: number
  readonly limit?: number
  readonly unit: string
  readonly errors?: number
  /** Milliseconds, of the service. */
  readonly p50?: number
  readonly p99?: number
  /** Of each write or read; the goal in ms of all processes. */
  readonly cost?: { readonly each: Usage; readonly goal?: number | undefined }
}

const figure = (value: number): string =>
  value === 0 ? '0' : value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)
const sign = (isMet: boolean): string => (isMet ? '✓' : '✗')

function isMet({ of, is, value }: Goal, result: Result): boolean {
  const reached = of === 'service' ? result.service : result.service / (result.limit ?? Number.NaN)
  return is === '>=' ? reached >= value : reached <= value
}

const work = ({ name, goals = [], service, limit, unit, errors, p50, p99 }: Result): string[] => [
  name,
  `${figure(service)}${unit}`,
  limit === undefined ? '' : `${figure(limit)}${unit}`,
  limit === undefined ? '' : (service / limit).toFixed(2),
  goals.map(({ of, is, value }) => `${is} ${value}${of === 'service' ? unit : ''}`).join(', '),
  goals.map(goal => sign(isMet(goal, { name, service, unit, ...(limit === undefined ? {} : { limit }) }))).join(' '),
  p50?.toFixed(1) ?? '',
  p99?.toFixed(1) ?? '',
  String(errors ?? 0),
]

function cost({ name, cost }: Result): string[][] {
  if (!cost) return []
  const { each, goal } = cost
  const all = allMs(each)
  const ms = [each.web, each.worker, each.postgres, each.redis, all].map(part => part.toFixed(2))
  const met = goal === undefined ? ['', ''] : [`<= ${goal}`, sign(all <= goal)]
  return [[name, ...ms, ...met, figure(each.wal), figure(each.data)]]
}

export function printTable(results: readonly Result[]): void {
  printLines(['Work', 'Service', 'Limit', 'Ratio', 'Goal', 'Met', 'p50 ms', 'p99 ms', 'Errors'], results.map(work))
  const costs = results.flatMap(cost)
  if (costs.length === 0) return
  process.stdout.write('\nProcessor time of each write or read in ms, and bytes of Postgres\n\n')
  printLines(['Work', 'web', 'worker', 'Postgres', 'Redis', 'all', 'Goal', 'Met', 'log (WAL)', 'data'], costs)
}

export function printLines(head: readonly string[], lines: readonly (readonly string[])[]): void {
  const widths = head.map((title, column) => Math.max(title.length, ...lines.map(line => (line[column] ?? '').length)))
  const row = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`
  const rule = `|${widths.map((width, column) => (column === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`
  process.stdout.write(`${[row(head), rule, ...lines.map(row)].join('\n')}\n`)
}
