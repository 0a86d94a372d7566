/** Decides on reversals: whether a document can be reversed, and which movements undo its own. Pure (docs/rules/stock.md, "Reversals"). */
import { invalid, type Refusal, refuse } from '../../../kit/api/errors.ts'
import type { Cost, Micro } from '../../../platform/decimal.ts'
import type { Place } from '../../places/noun.ts'
import { refuseArchived } from '../../places/rules.ts'
import { bookDifference } from '../book-rules.ts'
import { nameOf } from '../line-rules.ts'
import { lesser } from '../picking-rules.ts'
import { giveUp, receive, revalue } from '../posting-rules.ts'
import { Demands, notEnough } from '../shortage-rules.ts'
import { type Batch, type Cause, type Level, levelOf, positionOf, type Stock, type Variant } from '../stock.ts'
import type { Booked } from './document-movements.ts'

/**
 * Refuses `already_reversed`, and `validation_failed` for a reversal dated before its document.
 * @param document its number, its own date, and when it was reversed
 */
export function refuseReversal(
  document: { readonly number: string; readonly date: string; readonly reversed_at: string | null },
  date: string,
): Refusal | null {
  if (document.reversed_at !== null) return refuse('already_reversed', `${document.number} is reversed`)
  return date < document.date
    ? invalid('date', `must not be before that of ${document.number}, ${document.date}`)
    : null
}

/** The movements of the document, the last first, and the places that they name. */
type Answered = {
  readonly cause: Cause
  readonly movements: readonly Booked[]
  readonly places: ReadonlyMap<string, Place>
  /**
   * True: each outflow is followed by the inflow of the same goods at another place, as in a transfer. Then the source gets the value that
   * the target gives up.
   */
  readonly inPairs: boolean
}

/**
 * Posts the opposite of each movement. What left comes back at the value at which it left. What came in leaves at the value at which it
 * came in: at most V, and all of V if the place becomes empty. Refuses `conflict` for an archived place that would get goods, for a variant
 * whose batch tracking was changed since, and for a stock beyond the limit; `insufficient_stock` naming each short sku with the needed and
 * the on-hand quantity.
 */
export function postReversal(stock: Stock, answered: Answered): Refusal | null {
  const { cause, movements, inPairs } = answered
  const refused = refuseChanged(stock, answered)
  if (refused) return refused
  const demands = new Demands()
  let givenUp: Cost = 0n
  for (const movement of movements) {
    const position = positionOf(stock, movement)
    const batch = batchOf(stock, movement)
    if (movement.quantity === 0n) {
      if (!answerValue(stock, { cause, movement, batch })) return tooMuch(stock, movement)
      continue
    }
    if (movement.quantity > 0n) {
      givenUp = answerInflow(stock, { cause, movement, batch, demands })
      // In a transfer the source gets what the target gives up, so there is no difference.
      if (!inPairs) bookDifference(stock, cause, { where: position, amount: movement.value - givenUp })
      continue
    }
    const value = inPairs ? givenUp : -movement.value
    const inflow = { position, batch, quantity: -movement.quantity, value, quarantine: movement.quarantine }
    if ('fault' in receive(stock, cause, inflow)) return tooMuch(stock, movement)
  }
  return demands.short.length === 0 ? null : notEnough('insufficient_stock', demands.short)
}

const tooMuch = (stock: Stock, movement: Booked): Refusal =>
  refuse('conflict', `${nameOf(variantOf(stock, movement))}: the stock, or its value, would be more than can be kept`)

/** Takes a change of value back, at most what the stock is worth. False: the value would pass its limit. */
function answerValue(
  stock: Stock,
  { cause, movement, batch }: { readonly cause: Cause; readonly movement: Booked; readonly batch: Batch | null },
): boolean {
  const position = positionOf(stock, movement)
  const value = -lesser(movement.value, position.value)
  const carried = revalue(stock, cause, { position, batch, value })
  if (typeof carried !== 'boolean') return false
  bookDifference(stock, cause, { where: position, amount: movement.value + (carried ? value : 0n) })
  return true
}

/** Takes what a movement brought, as far as it is in stock, and notes what is missing. Returns the value that leaves. */
function answerInflow(
  stock: Stock,
  task: { readonly cause: Cause; readonly movement: Booked; readonly batch: Batch | null; readonly demands: Demands },
): Cost {
  const { cause, movement, batch, demands } = task
  const { quantity, quarantine, value } = movement
  const position = positionOf(stock, movement)
  const named = batch === null ? null : { number: batch.number, batch }
  const condition = quarantine ? 'quarantined' : 'unquarantined'
  const demand = demands.of(variantOf(stock, movement), { position, named, condition })
  const level = levelOf(position, batch)
  const there = level === undefined ? 0n : inState(level, quarantine)
  const taken = there < quantity ? there : quantity
  demand.needed += quantity
  demand.missing += quantity - taken
  if (level === undefined || taken === 0n) return 0n
  return giveUp(stock, cause, { position, level, quantity: taken, quarantine, value })
}

const inState = ({ quantity, quarantine }: Level, quarantined: boolean): Micro =>
  quarantined ? quarantine : quantity - quarantine

function refuseChanged(stock: Stock, { movements, places }: Answered): Refusal | null {
  for (const movement of movements) {
    const variant = variantOf(stock, movement)
    if (variant.batchTracked !== (movement.batchId !== null))
      return refuse('conflict', `${nameOf(variant)} is ${variant.batchTracked ? '' : 'not '}batch-tracked now`)
    const place = movement.storagePlaceId === null ? undefined : places.get(movement.storagePlaceId)
    const refused = movement.quantity < 0n ? refuseArchived(place, 'goods back') : null
    if (refused) return refused
  }
  return null
}

function variantOf(stock: Stock, { itemVariantId }: Booked): Variant {
  const variant = stock.variants.get(itemVariantId)
  if (variant === undefined) throw new Error(`the variant ${itemVariantId} of a movement is gone`)
  return variant
}

function batchOf(stock: Stock, { batchId }: Booked): Batch | null {
  if (batchId === null) return null
  const batch = stock.batches.get(batchId)
  if (batch === undefined) throw new Error(`the batch ${batchId} of a movement is gone`)
  return batch
}
