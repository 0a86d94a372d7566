/**
 * The counts of a process since its last flush, by second. It does no I/O and has no clock, costs a fraction of a microsecond per request,
 * and holds a bounded number of cells.
 */
import type { MetricCode } from './counted.ts'

/** Beyond this many cells new ones are dropped and reported. Only a database that refuses for minutes leads to this. */
const CELLS_MAX = 50_000
/**
 * From this many cells on a new network is reported as dropped, and its requests count without it: many requests from many networks still
 * show as many requests.
 */
const CELLS_WITH_NETWORKS_MAX = 20_000

/** The count of one second under the same names. */
export type Cell = {
  readonly tenantId: string
  /** `0`: the tenant's own counts. */
  readonly keyId: string
  /** Seconds since 1970. */
  readonly second: number
  readonly metric: MetricCode
  /** The method of an answer, for its class; empty for other metrics, and for counts that are no requests. */
  readonly method: string
  readonly route: string
  readonly network: string | undefined
  count: number
}

export type Counted = {
  readonly tenantId: string
  readonly keyId: string
  readonly method: string
  readonly route: string
  /** Seconds since 1970. */
  readonly second: number
  readonly classCode: MetricCode
  readonly causeCodes: readonly MetricCode[]
  readonly network: string | undefined
}

type Named = Omit<Cell, 'count'>

const withoutRoute = { method: '', route: '', network: undefined }

export class Tally {
  readonly #cells = new Map<string, Cell>()
  /** The cell of a key's last request. The next request mostly counts in the same cell, so that its name need not be built. */
  readonly #recent = new Map<string, Cell>()
  /** Counts without room. */
  dropped = 0

  get cells(): IteratorObject<Cell> {
    return this.#cells.values()
  }

  /** How many cells there are. A flush is due before there are many. */
  get size(): number {
    return this.#cells.size
  }

  request(counted: Counted): void {
    const { tenantId, keyId, second, classCode, causeCodes, method, route, network } = counted
    const recent = this.#recent.get(keyId)
    if (recent !== undefined && isOf(recent, counted)) recent.count++
    else {
      const cell = this.#count({ tenantId, keyId, second, metric: classCode, method, route, network })
      if (cell !== undefined) this.#recent.set(keyId, cell)
    }
    for (const metric of causeCodes) this.#count({ tenantId, keyId, second, metric, ...withoutRoute })
  }

  /** Counts one of the tenant's own metrics. */
  own(tenantId: string, metric: MetricCode, second: number): void {
    this.#count({ tenantId, keyId: '0', second, metric, ...withoutRoute })
  }

  #count(named: Named): Cell | undefined {
    const { tenantId, keyId, second, metric, method, route, network } = named
    const name = `${tenantId} ${keyId} ${second} ${metric} ${method} ${route} ${network}`
    const known = this.#cells.get(name)
    if (known !== undefined) {
      known.count++
      return known
    }
    const isFull = this.size >= (network === undefined ? CELLS_MAX : CELLS_WITH_NETWORKS_MAX)
    if (isFull) this.dropped++
    if (isFull && network !== undefined) return this.#count({ ...named, network: undefined })
    if (isFull) return undefined
    const made = { ...named, count: 1 }
    this.#cells.set(name, made)
    return made
  }
}

const isOf = (cell: Cell, { tenantId, second, classCode, route, method, network }: Counted): boolean =>
  cell.second === second &&
  cell.metric === classCode &&
  cell.route === route &&
  cell.method === method &&
  cell.network === network &&
  cell.tenantId === tenantId
