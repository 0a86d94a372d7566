/**
 * The counts of a process since its last flush, by second. It does no I/O and has no clock, costs a fraction of a microsecond
 * per request, and holds a bounded number of cells whatever comes in.
 */
import type { MetricCode } from './counted.ts'

/** Beyond this many cells new ones are dropped and told: only a database that refuses for minutes gets here. */
const CELLS_MAX = 50_000
/** From this many on, a new network is told as dropped, and its requests count without it: a flood from many is a flood all the same. */
const CELLS_WITH_NETWORKS_MAX = 20_000

/** What was counted in one second under the same names. */
export type Cell = {
  readonly tenantId: string
  /** `0`: the tenant's own counts. */
  readonly keyId: string
  /** Seconds since 1970. */
  readonly second: number
  readonly metric: MetricCode
  /** Of answers, by class; empty for what falls under a class besides, and for what is no request. */
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
  /** Where a key's last request was counted: the next one mostly is too, without putting its name together. */
  readonly #recent = new Map<string, Cell>()
  /** Counts that found no room. */
  dropped = 0

  get cells(): IteratorObject<Cell> {
    return this.#cells.values()
  }

  /** Cells held; a flush is due before they are many. */
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
