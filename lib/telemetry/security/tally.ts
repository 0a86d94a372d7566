/**
 * The counts of a process since its last flush, by minute, with a cell per second. It does no I/O and has no clock, costs
 * about a microsecond per request, and holds a bounded number of rows whatever comes in.
 */
import { countedMetrics, type MetricCode } from './counted.ts'

/** Beyond this many rows in memory new ones are dropped and told: only a database that refuses for minutes gets here. */
const ROWS_MAX = 50_000
/** Networks of one flush interval; a flood from more of them is a flood all the same. */
const NETWORKS_MAX = 20_000
/** Cells are numbered second * 16 + metric. */
const METRICS_PER_SECOND = 16
if (countedMetrics.length > METRICS_PER_SECOND) throw new RangeError('too many metrics for a cell')

export type KeyMinute = {
  readonly tenantId: string
  /** `0`: the tenant's own counts. */
  readonly keyId: string
  /** Minutes since 1970. */
  readonly minute: number
  /** Count by cell number. */
  readonly cells: Map<number, number>
}
export type RouteMinute = {
  readonly tenantId: string
  readonly minute: number
  readonly method: string
  readonly route: string
  /** Requests and errors by second of the minute. */
  readonly cells: Map<number, { requests: number; errors: number }>
}
export type Sighting = {
  readonly tenantId: string
  readonly keyId: string
  readonly network: string
  /** Days since 1970 (UTC). */
  readonly day: number
  /** Seconds since 1970. */
  first: number
  last: number
}

export type Counted = {
  readonly tenantId: string
  readonly keyId: string
  readonly method: string
  readonly route: string
  /** Seconds since 1970. */
  readonly second: number
  readonly isError: boolean
  readonly classCode: MetricCode
  readonly causeCode: MetricCode | undefined
  readonly network: string | undefined
}

export class Tally {
  readonly keyMinutes = new Map<string, KeyMinute>()
  readonly routeMinutes = new Map<string, RouteMinute>()
  readonly sightings = new Map<string, Sighting>()
  /** Counts that found no room. */
  dropped = 0

  get isEmpty(): boolean {
    return this.keyMinutes.size === 0 && this.sightings.size === 0
  }

  /** Rows held; a flush is due before they are many. */
  get size(): number {
    return this.keyMinutes.size + this.routeMinutes.size + this.sightings.size
  }

  request(counted: Counted): void {
    const { second } = counted
    const minute = Math.floor(second / 60)
    const secondOfMinute = second - 60 * minute
    const row = this.#keyMinute(counted.tenantId, counted.keyId, minute)
    if (row === undefined) return
    add(row.cells, secondOfMinute * METRICS_PER_SECOND + counted.classCode)
    if (counted.causeCode !== undefined) add(row.cells, secondOfMinute * METRICS_PER_SECOND + counted.causeCode)
    this.#route(counted, minute, secondOfMinute)
    if (counted.network !== undefined) this.#see(counted, counted.network)
  }

  /** Counts one of the tenant's own metrics. */
  own(tenantId: string, metric: MetricCode, second: number): void {
    const minute = Math.floor(second / 60)
    const row = this.#keyMinute(tenantId, '0', minute)
    if (row !== undefined) add(row.cells, (second - 60 * minute) * METRICS_PER_SECOND + metric)
  }

  #keyMinute(tenantId: string, keyId: string, minute: number): KeyMinute | undefined {
    const name = `${tenantId} ${keyId} ${minute}`
    const known = this.keyMinutes.get(name)
    if (known !== undefined) return known
    if (this.keyMinutes.size >= ROWS_MAX) {
      this.dropped++
      return undefined
    }
    const made = { tenantId, keyId, minute, cells: new Map<number, number>() }
    this.keyMinutes.set(name, made)
    return made
  }

  #route({ tenantId, method, route, isError }: Counted, minute: number, secondOfMinute: number): void {
    const name = `${tenantId} ${minute} ${method} ${route}`
    let row = this.routeMinutes.get(name)
    if (row === undefined) {
      if (this.routeMinutes.size >= ROWS_MAX) {
        this.dropped++
        return
      }
      row = { tenantId, minute, method, route, cells: new Map() }
      this.routeMinutes.set(name, row)
    }
    const cell = row.cells.get(secondOfMinute)
    if (cell === undefined) row.cells.set(secondOfMinute, { requests: 1, errors: isError ? 1 : 0 })
    else {
      cell.requests++
      if (isError) cell.errors++
    }
  }

  #see({ tenantId, keyId, second }: Counted, network: string): void {
    const day = Math.floor(second / 86_400)
    const name = `${tenantId} ${keyId} ${day} ${network}`
    const known = this.sightings.get(name)
    if (known !== undefined) {
      if (second > known.last) known.last = second
      else if (second < known.first) known.first = second
    } else if (this.sightings.size < NETWORKS_MAX) {
      this.sightings.set(name, { tenantId, keyId, network, day, first: second, last: second })
    } else {
      this.dropped++
    }
  }
}

function add(cells: Map<number, number>, cell: number): void {
  cells.set(cell, (cells.get(cell) ?? 0) + 1)
}

/** Second of the minute and metric of a cell number. */
export function readCell(cell: number): { readonly second: number; readonly metric: MetricCode } {
  const metric = cell % METRICS_PER_SECOND
  return { second: (cell - metric) / METRICS_PER_SECOND, metric }
}
