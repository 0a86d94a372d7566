/**
 * The stock that a command sees, or several in turn: levels, batches and values in memory, and what they have posted so far.
 * While they run nobody else writes for their tenant, so this is the truth; it must not do I/O.
 */

import type { Day, TimeZone } from '../../kit/days.ts'
import { NextUnit } from '../../kit/documents/next-unit.ts'
import type { Cost, Micro } from '../../platform/decimal.ts'
import type { Account } from '../accounting/accounts.ts'

export type Variant = {
  readonly id: string
  readonly itemId: string
  readonly itemType: 'PRODUCT' | 'MATERIAL' | 'SERVICE' | 'KIT'
  readonly sku: string | null
  readonly title: string
  readonly category: string | null
  readonly price: Micro | null
  readonly purchasePrice: Micro | null
  readonly isSellable: boolean
  readonly isProducible: boolean
  readonly isPurchasable: boolean
  /** In effect: the variant or its item. */
  readonly archived: boolean
  readonly batchTracked: boolean
  readonly shelfLifeDays: number | null
  /** Of a kit, which holds no stock; these variants come with it. */
  readonly components: readonly { readonly itemVariantId: string; readonly quantity: Micro }[]
}

export type Batch = {
  readonly id: string
  readonly itemVariantId: string
  readonly number: string
  /** `2026-11-21` */
  readonly manufactureDate: string | null
  readonly expiryDate: string | null
}

/** A stock entry: the part of a position in one batch, or in none. */
export type Level = {
  /** Null until it is stored for the first time. */
  readonly id: string | null
  readonly batch: Batch | null
  quantity: Micro
  /** Of the quantity. */
  quarantine: Micro
  /** Reserved and expected stand on the level without a batch. */
  reserved: Micro
  expected: Micro
  changed: boolean
}

/** What of a level has expired by this day, outside quarantine. */
export const expiredOf = ({ batch, quantity, quarantine }: Level, today: Day): Micro =>
  batch !== null && batch.expiryDate !== null && batch.expiryDate < today ? quantity - quarantine : 0n

/** A place in the order of picking: by expiry, then by batch id. */
export type PickPlace = {
  /** As PostgreSQL writes dates, so that texts compare as dates do: `2026-11-21`; `infinity` without an expiry. */
  readonly expiry: string
  /** `0` without a batch. */
  readonly batchId: string
}

/** What picking without a batch takes, in the order of expiry: stock outside quarantine, or stock in quarantine. */
export type PickOrder = {
  readonly kind: 'free' | 'quarantined'
  /** The first expiry date; `-infinity` where expired stock is taken too. */
  readonly from: string
}

/** How far the levels of a pick order are loaded. */
export type Reach = {
  /** Every level up to this place is loaded; null: every level. */
  readonly to: PickPlace | null
  /**
   * What the levels before the first expiry date hold; null: unknown. Only materials that come back add to it in a command that picks sellable
   * stock: where more than all loaded levels is asked for then, the refusal counts them as if they could be taken.
   */
  readonly expired: Micro | null
}

/** Quantities of a position over all its batches. */
export type Totals = {
  readonly quantity: Micro
  readonly quarantine: Micro
  /** Outside quarantine. */
  readonly expired: Micro
  readonly reserved: Micro
  readonly expected: Micro
}

/** What of it can be sold or used. */
export const availableOf = ({ quantity, quarantine, expired, reserved }: Totals): Micro =>
  quantity - quarantine - expired - reserved

/** A variant at a place (or at none), with the value that all its batches share. */
export type Position = {
  readonly itemVariantId: string
  readonly storagePlaceId: string | null
  /**
   * By batch id; `''` is the level without a batch, which is always here. The others are here when a command named their batch, or as
   * far as they were loaded to be picked.
   */
  readonly levels: Map<string, Level>
  /** By `orderKey`: the orders in which stock can be picked here without naming a batch. */
  readonly reaches: Map<string, Reach>
  quantity: Micro
  quarantine: Micro
  /** What has expired by the tenant's day, outside quarantine, over all levels, loaded or not. */
  expired: Micro
  /** What was told of it last, and is stored. */
  toldExpired: Micro
  /** The day before which that had expired, where more may have expired since then; else null. It is loaded once the tenant's day is known. */
  mayTurnSince: string | null
  /** V of docs/rules/stock.md. */
  value: Cost
  /** Whether its balance is stored: every level is to have it beside it, so that reading joins them plainly. */
  isStored: boolean
  /** Whether its own quantities or value were: reservations change its levels alone. */
  changed: boolean
}

/** Why stock moves: the document and its date. Documents make it with `causeOf` (cause.ts). */
export type Cause = {
  readonly kind: string
  readonly sourceType: string
  readonly sourceId: string
  /** `2026-11-21T05:00:00.000Z` */
  readonly documentDate: string
}

/** What a command books beside its movements (book-rules.ts). */
export type BookLine = {
  readonly command: number
  readonly cause: Cause
  readonly account: Account
  /** Null where the account names no variant and place. */
  readonly where: Where | null
  /** Debit above 0, credit below. */
  readonly amount: Cost
}

/** One change of a level's quantity or value, signed. */
export type Movement = {
  readonly command: number
  readonly cause: Cause
  readonly position: Position
  readonly level: Level
  readonly quantity: Micro
  readonly quarantine: Micro
  readonly value: Cost
  /** Of the level. */
  readonly quantityAfter: Micro
}

export type Stock = {
  readonly timeZone: TimeZone
  /** The time of the commands. */
  readonly now: string
  /** The tenant's day then. */
  readonly today: Day
  readonly variants: ReadonlyMap<string, Variant>
  /** By id: the asked ones, those that were loaded to be picked, and the command's new ones. */
  readonly batches: Map<string, Batch>
  readonly newBatches: Batch[]
  readonly positions: ReadonlyMap<string, Position>
  readonly movements: Movement[]
  readonly bookLines: BookLine[]
  /** Counts the commands of the unit of work: each has an entry of its own in the books. */
  command: number
  /** An id for what the command makes. @throws Error when it asked for too few. */
  readonly takeId: () => string
  /** Whether the batch of this number was asked for: then it is here, or there is none. */
  readonly isKnownNumber: (itemVariantId: string, number: string) => boolean
  /** Notes how to undo what the command under way has posted: see `Work.undo`. */
  readonly undo: (how: () => void) => void
  /** The positions that the command under way has changed, in the order in which it did, with their totals before. */
  readonly touched: Map<Position, Totals>
  /** Sends later commands that asked whether the position's product or place has stock to the next unit of work. */
  readonly forget: (position: Position) => void
}

/** Which variant, and where; null is stock without a place. */
export type Where = { readonly itemVariantId: string; readonly storagePlaceId: string | null }

export const positionKey = ({ itemVariantId, storagePlaceId }: Where): string =>
  `${itemVariantId}@${storagePlaceId ?? ''}`

/** @throws NextUnit when no command asked for the position: its stock would seem to be nothing. */
export function positionOf(stock: Stock, where: Where): Position {
  const position = stock.positions.get(positionKey(where))
  if (position === undefined) throw new NextUnit(`the position ${positionKey(where)} was not asked for`)
  return position
}

/** The level of a batch (null: without one), or undefined while there never was any. */
export function levelOf(position: Position, batch: Batch | null): Level | undefined {
  return position.levels.get(batch?.id ?? '')
}

export const hasChangedLevel = ({ levels }: Position): boolean => levels.values().some(level => level.changed)

/**
 * The level of a batch, made where there is none yet.
 * @throws NextUnit for a batch that the command did not ask for: a stored level of it might be overlooked.
 */
export function openLevel(stock: Stock, position: Position, batch: Batch | null): Level {
  const known = levelOf(position, batch)
  if (known !== undefined) return known
  if (batch !== null && !stock.batches.has(batch.id)) throw new NextUnit(`the batch ${batch.id} was not asked for`)
  const level: Level = { id: null, batch, quantity: 0n, quarantine: 0n, reserved: 0n, expected: 0n, changed: false }
  position.levels.set(batch?.id ?? '', level)
  stock.undo(() => position.levels.delete(batch?.id ?? ''))
  return level
}

/** Takes a position and a level of it down as they are, before they are changed. */
export function touch(stock: Stock, position: Position, level: Level): void {
  const [positionState, levelState] = [{ ...position }, { ...level }]
  stock.undo(() => {
    Object.assign(position, positionState)
    Object.assign(level, levelState)
  })
  if (stock.touched.has(position)) return
  stock.touched.set(position, totalsOf(position))
  stock.undo(() => stock.touched.delete(position))
  stock.forget(position)
}

/** Quantities of the position now, over all its batches. */
export function totalsOf(position: Position): Totals {
  const bare = levelOf(position, null)
  return {
    quantity: position.quantity,
    quarantine: position.quarantine,
    expired: position.expired,
    reserved: bare?.reserved ?? 0n,
    expected: bare?.expected ?? 0n,
  }
}

/** The batch of a variant by its number, as far as the command asked for it or made it. */
export function batchByNumber(stock: Stock, itemVariantId: string, number: string): Batch | undefined {
  for (const batch of stock.batches.values()) {
    if (batch.itemVariantId === itemVariantId && batch.number === number) return batch
  }
  return undefined
}
