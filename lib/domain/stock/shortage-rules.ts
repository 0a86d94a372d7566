/**
 * What is short of a command's lines together, and how every command says so. Pure: no I/O and no clock.
 */
import { formatMicro, type Micro } from '../../platform/decimal.ts'
import { type Named, nameOf } from './line-rules.ts'
import type { Condition } from './picking-rules.ts'
import { levelOf, type Position, positionKey, type Variant } from './stock.ts'

/** Less than is needed: of a variant at a place, or of its batch of this number. */
export type Shortage = {
  /** The body's field that asks for it; null where none does, or several do. */
  readonly field: string | null
  readonly variant: Pick<Variant, 'sku' | 'title'>
  readonly batchNumber: string | null
  readonly needed: Micro
  readonly onHand: Micro
  /** Of what is on hand; the rest is quarantined, expired or reserved, or goes to other lines. */
  readonly takeable: Micro
}

/** Shortages that a message names at most. */
const NAMED_MAX = 10

/** `not enough OAK-1: 5 needed, 3 on hand; not enough MILK (batch B7): 2 needed, 4 on hand, of which 1 can be taken; and 2 more` */
export const notEnough = (shortages: readonly Shortage[]): string =>
  listed(shortages.map(({ field, ...shortage }) => `${prefix(field)}not enough ${words(shortage, 'needed')}`))

/** The same of stock that is not what the caller expected: `items[0].expected_quantity: OAK-1: 5 expected, 3 on hand` */
export const notAsExpected = (differences: readonly Shortage[]): string =>
  listed(differences.map(({ field, ...difference }) => `${prefix(field)}${words(difference, 'expected')}`))

const prefix = (field: string | null) => (field === null ? '' : `${field}: `)

function words(
  { variant, batchNumber, needed, onHand, takeable }: Omit<Shortage, 'field'>,
  verb: 'needed' | 'expected',
): string {
  const name = batchNumber === null ? nameOf(variant) : `${nameOf(variant)} (batch ${batchNumber})`
  const found = `${name}: ${formatMicro(needed)} ${verb}, ${formatMicro(onHand)} on hand`
  return takeable === onHand ? found : `${found}, of which ${formatMicro(takeable)} can be taken`
}

function listed(named: readonly string[]): string {
  const more = named.length - NAMED_MAX
  return [...named.slice(0, NAMED_MAX), ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}

/** What the lines of a command ask of one stock so far. */
export type Demand = Pick<Shortage, 'variant' | 'batchNumber'> & {
  /** Of the first line that was short, where the message is to name it. */
  field: string | null
  /** Before the first of them. */
  readonly onHand: Micro
  needed: Micro
  missing: Micro
}

/** What the lines of a command ask, by stock: lines that ask for the same are short together. */
export class Demands {
  readonly #byStock = new Map<string, Demand>()

  /** The demand on a position, or on the batch that is named; to be asked before the line takes anything. */
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
    const demand = { field: null, variant, batchNumber, onHand: onHandOf(position, named), needed: 0n, missing: 0n }
    this.#byStock.set(key, demand)
    return demand
  }

  /** In the order in which they were asked for. */
  get short(): readonly Shortage[] {
    return [...this.#byStock.values()]
      .filter(({ missing }) => missing > 0n)
      .map(({ missing, ...demand }) => ({ ...demand, takeable: demand.needed - missing }))
  }
}

/** Physical stock of the named batch's row, else of the variant at the place. */
export function onHandOf(position: Position, named: Named): Micro {
  if (named === null) return position.quantity
  return named.batch === undefined ? 0n : (levelOf(position, named.batch)?.quantity ?? 0n)
}
