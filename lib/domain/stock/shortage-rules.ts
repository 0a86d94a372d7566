/** What is short for all lines of a command together, and how refusals say it. Pure: no I/O and no clock. */
import { asOneFault, type ErrorCode, mention, type Refusal, refuse, type Words } from '../../kit/api/errors.ts'
import { formatMicro, type Micro } from '../../platform/decimal.ts'
import { type Named, nameOf } from './line-rules.ts'
import type { Condition } from './picking-rules.ts'
import { levelOf, type Position, positionKey, type Variant } from './stock.ts'

/** A variant at a place, or one of its batches, of which there is less than needed. */
export type Shortage = {
  /** The body's field that needs it; null if several fields do, or none. */
  readonly field: string | null
  readonly variant: Pick<Variant, 'sku' | 'title'>
  readonly batchNumber: string | null
  /** Null: stock without a place. */
  readonly placeId: string | null
  readonly needed: Micro
  readonly onHand: Micro
  /** The part of `onHand` that can be taken. The rest is quarantined, expired, reserved, or taken by other lines. */
  readonly takeable: Micro
}

/** The most shortages in a message. */
const NAMED_MAX = 10

/** Titles of places. They are loaded only for a refusal's message. */
const placeWords: Words = {
  text: `select id, ' at ' || title as words from storage_places where tenant_id = $1::bigint and id = any ($2::bigint[])`,
}

/**
 * `items[0].quantity: not enough OAK-1 at Main: 5 needed, 3 on hand; not enough MILK (batch B7) at Main: 2 needed, 4 on hand, of which
 * 1 can be taken; and 2 more`
 */
export const notEnough = (refusal: ErrorCode, shortages: readonly Shortage[]): Refusal =>
  listed(refusal, shortages, shortage => `not enough ${words(shortage, 'needed')}`)

/**
 * As `notEnough`, for stock that differs from what the caller expected: `items[0].expected_quantity: OAK-1 at Main: 5 expected, 3 on hand`
 */
export const notAsExpected = (differences: readonly Shortage[]): Refusal =>
  listed('stock_changed', differences, difference => words(difference, 'expected'))

const prefix = (field: string | null) => (field === null ? '' : `${field}: `)

function words(
  { variant, batchNumber, placeId, needed, onHand, takeable }: Shortage,
  verb: 'needed' | 'expected',
): string {
  const name = asOneFault(batchNumber === null ? nameOf(variant) : `${nameOf(variant)} (batch ${batchNumber})`)
  const place = placeId === null ? '' : mention(placeId)
  const found = `${name}${place}: ${formatMicro(needed)} ${verb}, ${formatMicro(onHand)} on hand`
  return takeable === onHand ? found : `${found}, of which ${formatMicro(takeable)} can be taken`
}

function listed(refusal: ErrorCode, all: readonly Shortage[], say: (one: Shortage) => string): Refusal {
  const named = all.slice(0, NAMED_MAX)
  const more = all.length > NAMED_MAX ? [`and ${all.length - NAMED_MAX} more`] : []
  const message = [...named.map(one => `${prefix(one.field)}${say(one)}`), ...more].join('; ')
  const ids = [...new Set(named.flatMap(({ placeId }) => placeId ?? []))]
  const mentions = ids.map(id => ({ words: placeWords, id }))
  return { ...refuse(refusal, message), ...(mentions.length > 0 ? { mentions } : {}) }
}

/** What the lines of a command need so far of one stock. */
export type Demand = Pick<Shortage, 'variant' | 'batchNumber' | 'placeId'> & {
  /** The field of the first line that was short, if the message should name it. */
  field: string | null
  /** On hand before the first line took any. */
  readonly onHand: Micro
  needed: Micro
  missing: Micro
}

/** What the lines of a command need, by stock. Lines that need the same stock are short together. */
export class Demands {
  readonly #byStock = new Map<string, Demand>()

  /** The demand on a position, or on the named batch. Call it before the line takes anything. */
  of(
    variant: Pick<Variant, 'sku' | 'title'>,
    {
      position,
      named,
      condition,
    }: { readonly position: Position; readonly named: Named; readonly condition: Condition },
  ): Demand {
    const batchNumber = named?.number ?? null
    const key = JSON.stringify([positionKey(position), batchNumber, condition])
    const known = this.#byStock.get(key)
    if (known !== undefined) return known
    const demand = {
      field: null,
      variant,
      batchNumber,
      placeId: position.storagePlaceId,
      onHand: onHandOf(position, named),
      needed: 0n,
      missing: 0n,
    }
    this.#byStock.set(key, demand)
    return demand
  }

  /** In the order of the first lines. */
  get short(): readonly Shortage[] {
    return [...this.#byStock.values()]
      .filter(({ missing }) => missing > 0n)
      .map(({ missing, ...demand }) => ({ ...demand, takeable: demand.needed - missing }))
  }
}

/** The physical stock of the named batch, else of the variant at the place. */
export function onHandOf(position: Position, named: Named): Micro {
  if (named === null) return position.quantity
  return named.batch === undefined ? 0n : (levelOf(position, named.batch)?.quantity ?? 0n)
}
