/**
 * Prints the bench's results as one table for people.
 */
export type Result = {
  readonly name: string
  readonly goal: string
  readonly service: number
  readonly limit: number
  readonly unit: string
  readonly errors: number
  /** Milliseconds, of the service. */
  readonly p50: number
  readonly p99: number
}

const figure = (value: number): string =>
  value === 0 ? '0' : value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)

export function printTable(results: readonly Result[]): void {
  const head = ['Work', 'Service', 'Limit', 'Ratio', 'Goal', 'p50 ms', 'p99 ms', 'Errors']
  const lines = results.map(({ name, service, limit, unit, goal, errors, p50, p99 }) => [
    name,
    `${figure(service)}${unit}`,
    limit === 0 ? '' : `${figure(limit)}${unit}`,
    limit === 0 ? '' : (service / limit).toFixed(2),
    goal,
    p50 === 0 ? '' : p50.toFixed(1),
    p99 === 0 ? '' : p99.toFixed(1),
    String(errors),
  ])
  const widths = head.map((title, column) => Math.max(title.length, ...lines.map(line => (line[column] ?? '').length)))
  const row = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`
  const rule = `|${widths.map((width, column) => (column === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`
  process.stdout.write(`${[row(head), rule, ...lines.map(row)].join('\n')}\n`)
}
