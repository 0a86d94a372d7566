/**
 * The counts of a process since its last flush, by minute, with a cell per second. It does no I/O and has no clock, costs
 * a fraction of a microsecond per request, and holds a bounded number of rows whatever comes in.
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
  readonly causeCodes: readonly MetricCode[]
  readonly network: string | undefined
}

/**
 * What a key's last request was counted under: the next one mostly is too, and so needs one look-up instead of three under
 * names that are put together first.
 */
type Recent = {
  readonly keyMinute: KeyMinute
  routeMinute: RouteMinute | undefined
  sighting: Sighting | undefined
}

export class Tally {
  readonly keyMinutes = new Map<string, KeyMinute>()
  readonly routeMinutes = new Map<string, RouteMinute>()
  readonly sightings = new Map<string, Sighting>()
  /** By key; none that is not among the rows above. */
  readonly #recent = new Map<string, Recent>()
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
    const recent = this.#recentOf(counted, minute)
    if (recent === undefined) return
    const { cells } = recent.keyMinute
    add(cells, secondOfMinute * METRICS_PER_SECOND + counted.classCode)
    for (const causeCode of counted.causeCodes) add(cells, secondOfMinute * METRICS_PER_SECOND + causeCode)
    this.#route(counted, recent, secondOfMinute)
    if (counted.network !== undefined) this.#see(counted, counted.network, recent)
  }

  /** Counts one of the tenant's own metrics. */
  own(tenantId: string, metric: MetricCode, second: number): void {
    const minute = Math.floor(second / 60)
    const row = this.#keyMinute(tenantId, '0', minute)
    if (row !== undefined) add(row.cells, (second - 60 * minute) * METRICS_PER_SECOND + metric)
  }

  #recentOf({ tenantId, keyId }: Counted, minute: number): Recent | undefined {
    const known = this.#recent.get(keyId)
    if (known?.keyMinute.minute === minute && known.keyMinute.tenantId === tenantId) return known
    const keyMinute = this.#keyMinute(tenantId, keyId, minute)
    if (keyMinute === undefined) return undefined
    const made = { keyMinute, routeMinute: undefined, sighting: undefined }
    this.#recent.set(keyId, made)
    return made
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

  #route(counted: Counted, recent: Recent, secondOfMinute: number): void {
    const { method, route, isError } = counted
    let row = recent.routeMinute
    if (row === undefined || row.route !== route || row.method !== method)
      row = this.#routeMinute(counted, recent.keyMinute.minute)
    if (row === undefined) return
    recent.routeMinute = row
    const cell = row.cells.get(secondOfMinute)
    if (cell === undefined) row.cells.set(secondOfMinute, { requests: 1, errors: isError ? 1 : 0 })
    else {
      cell.requests++
      if (isError) cell.errors++
    }
  }

  #routeMinute({ tenantId, method, route }: Counted, minute: number): RouteMinute | undefined {
    const name = `${tenantId} ${minute} ${method} ${route}`
    const known = this.routeMinutes.get(name)
    if (known !== undefined) return known
    if (this.routeMinutes.size >= ROWS_MAX) {
      this.dropped++
      return undefined
    }
    const made: RouteMinute = { tenantId, minute, method, route, cells: new Map() }
    this.routeMinutes.set(name, made)
    return made
  }

  #see(counted: Counted, network: string, recent: Recent): void {
    const { second } = counted
    let seen = recent.sighting
    // A minute lies in one day, and a recent sighting in its key's minute.
    if (seen?.network !== network) seen = this.#sighting(counted, network)
    if (seen === undefined) return
    recent.sighting = seen
    if (second > seen.last) seen.last = second
    else if (second < seen.first) seen.first = second
  }

  #sighting({ tenantId, keyId, second }: Counted, network: string): Sighting | undefined {
    const day = Math.floor(second / 86_400)
    const name = `${tenantId} ${keyId} ${day} ${network}`
    const known = this.sightings.get(name)
    if (known !== undefined) return known
    if (this.sightings.size >= NETWORKS_MAX) {
      this.dropped++
      return undefined
    }
    const made = { tenantId, keyId, network, day, first: second, last: second }
    this.sightings.set(name, made)
    return made
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
