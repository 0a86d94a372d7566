/** Kits as a follower of the events knows them, by a small reference of its own. */
import { parseScaled } from '../../lib/platform/decimal.ts'
import type { Event, Loose } from './command-context.ts'

export const micro = (quantity: number | string) => parseScaled(String(quantity), 6)
const least = (a: bigint, b: bigint): bigint => {
  if (b < a) return b
  return a
}
export const floor = (a: bigint, b: bigint) => (a >= 0n ? a / b : -((-a + b - 1n) / b))

/** What a follower of the events knows. */
export class KitMirror {
  readonly #available = new Map<string, bigint>()
  readonly #parts = new Map<string, readonly (readonly [id: string, each: bigint])[]>()
  readonly #archived = new Set<string>()
  readonly rows = new Map<string, number | null>()
  readonly #mainPlaceId: string

  constructor(mainPlaceId: string) {
    this.#mainPlaceId = mainPlaceId
  }

  /** @returns what is wrong with the event */
  follow({ type, data, previous }: Event): string | null {
    if (type === 'stock.changed')
      this.#available.set(`${data.item_variant_id} ${data.storage_place_id}`, micro(data.available_quantity))
    if (type === 'product.created' || type === 'product.updated') this.#learn(data)
    if (type !== 'kit.changed') return null
    const key = `${data.item_variant_id} ${data.storage_place_id}`
    const [before, now] = [this.rows.get(key), this.of(data.item_variant_id, data.storage_place_id)]
    // A row that is gone is told as none.
    if (now === undefined) this.rows.delete(key)
    else this.rows.set(key, data.available_quantity)
    if (now === undefined && data.available_quantity === 0) return null
    if (now !== data.available_quantity) return `${key}: ${data.available_quantity}, not ${now}`
    if (previous !== null && before !== undefined && previous.available_quantity !== before)
      return `${key}: ${previous.available_quantity} before, not ${before}`
    return previous === null && data.storage_place_id === this.#mainPlaceId ? `${key}: no previous` : null
  }

  #learn(product: Loose): void {
    if (product.type !== 'KIT') return
    for (const { id, archived, components } of product.variants) {
      const was = this.#archived.has(id)
      const is = product.archived || archived
      if (is) this.#archived.add(id)
      else this.#archived.delete(id)
      const isNew = !this.#parts.has(id)
      this.#parts.set(
        id,
        components.map((part: Loose) => [part.item_variant_id, micro(part.quantity)] as const),
      )
      // Making and unarchiving tell nothing: who follows looks once.
      if (isNew || was || is) for (const place of this.places()) this.#look(id, place)
      // A row of none that a kit loses is not told.
      for (const place of this.places())
        if (this.of(id, place) === undefined && this.rows.get(`${id} ${place}`) === 0)
          this.rows.delete(`${id} ${place}`)
    }
  }

  #look(id: string, place: string): void {
    const now = this.of(id, place)
    if (now === undefined) this.rows.delete(`${id} ${place}`)
    else this.rows.set(`${id} ${place}`, now)
  }

  places = (): readonly string[] => [
    ...new Set([this.#mainPlaceId, ...[...this.#available.keys()].map(key => key.split(' ')[1] ?? '')]),
  ]

  /** How many of the kit there are; undefined where it has no row. */
  of(id: string, place: string): number | undefined {
    const parts = this.#parts.get(id) ?? []
    const levels = parts.map(([part, each]) => [this.#available.get(`${part} ${place}`), each] as const)
    if (this.#archived.has(id)) return undefined
    if (place !== this.#mainPlaceId && levels.every(([available]) => available === undefined)) return undefined
    return Number(levels.map(([available = 0n, each]) => floor(available, each)).reduce(least))
  }

  /** The rows of kits as they should be. */
  expected(): Map<string, number> {
    const all = [...this.#parts.keys()].flatMap(id =>
      this.places().map(place => [`${id} ${place}`, this.of(id, place)] as const),
    )
    return new Map(all.flatMap(([key, now]) => (now === undefined ? [] : [[key, now] as const])))
  }
}
