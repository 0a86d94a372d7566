/**
 * The stock that the commands of a unit of work see: levels, batches and values in memory, with all that the commands have posted so far.
 * Meanwhile no other process writes for their tenant, so the memory is exact. No I/O here.
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
  /** The variant or its item is archived. */
  readonly archived: boolean
  readonly batchTracked: boolean
  readonly shelfLifeDays: number | null
  /** The components of a kit, which itself holds no stock. Their variants are loaded with it. */
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

/** A stock entry: the part of a position in one batch, or without a batch. */
export type Level = {
  /** Null until it is stored for the first time. */
  readonly id: string | null
  readonly batch: Batch | null
  quantity: Micro
  /** Part of the quantity. */
  quarantine: Micro
  /** Reserved and expected quantities are on the level without a batch. */
  reserved: Micro
  expected: Micro
  changed: boolean
}

/** The part of a level that has expired by this day, outside of quarantine. */
export const expiredOf = ({ batch, quantity, quarantine }: Level, today: Day): Micro =>
  batch !== null && batch.expiryDate !== null && batch.expiryDate < today ? quantity - quarantine : 0n

/** A position in the order of picking: by expiry, then by batch id. */
export type PickPlace = {
  /** In PostgreSQL's format, whose texts sort as the dates do: `2026-11-21`; `infinity` without an expiry. */
  readonly expiry: string
  /** `0` without a batch. */
  readonly batchId: string
}

/** What picking takes without a named batch, in the order of expiry: stock outside of quarantine, or stock in quarantine. */
export type PickOrder = {
  readonly kind: 'free' | 'quarantined'
  /** The first expiry date; `-infinity` where expired stock may be taken. */
  readonly from: string
}

/** How far the levels of a pick order are loaded. */
export type Reach = {
  /** Null: every level is loaded. Else all levels up to this position are. */
  readonly to: PickPlace | null
  /**
   * The stock of the levels before the first expiry date; null: unknown. In a command that picks sellable stock, only returned materials
   * add to this stock. A command that needs more than all loaded levels is refused, and the refusal counts this stock as if it could be
   * taken.
   */
  readonly expired: Micro | null
}

/** Quantities of a position over all its batches. */
export type Totals = {
  readonly quantity: Micro
  readonly quarantine: Micro
  /** The expired part outside of quarantine. */
  readonly expired: Micro
  readonly reserved: Micro
  readonly expected: Micro
}

/** The part that can be sold or used. */
export const availableOf = ({ quantity, quarantine, expired, reserved }: Totals): Micro =>
  quantity - quarantine - expired - reserved

/** A variant at a place, or without a place, with the value that all its batches share. */
export type Position = {
  readonly itemVariantId: string
  readonly storagePlaceId: string | null
  /**
   * The levels by batch id. `''` is the level without a batch, which is always loaded. Others are loaded if a command names their batch, or
   * for picking.
   */
  readonly levels: Map<string, Level>
  /** The loaded pick orders, by `orderKey`. */
  readonly reaches: Map<string, Reach>
  quantity: Micro
  quarantine: Micro
  /** The expired part by the tenant's day, outside of quarantine, of all levels, loaded or not. */
  expired: Micro
  /** The expired quantity that the last event showed. The database stores it. */
  toldExpired: Micro
  /**
   * The day up to which `expired` is right, if more may have expired since; else null. `expired` is loaded once the tenant's day is known.
   */
  mayTurnSince: string | null
  /** V of docs/rules/stock.md. */
  value: Cost
  /** Whether its balance is stored. Every stored level must have a balance, so that reads can join it. */
  isStored: boolean
  /** Whether the position's own quantities or value changed. Reservations change only its levels. */
  changed: boolean
}

/** Why stock moves: the document and its date. Make it with `causeOf` (cause.ts). */
export type Cause = {
  readonly kind: string
  readonly sourceType: string
  readonly sourceId: string
  /** `2026-11-21T05:00:00.000Z` */
  readonly documentDate: string
}

/** A line that a command books without a movement (book-rules.ts). */
export type BookLine = {
  readonly command: number
  readonly cause: Cause
  readonly account: Account
  /** Null if the account has no variant and place. */
  readonly where: Where | null
  /** Debit above 0, credit below 0. */
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
  /** The quantity of the level after the movement. */
  readonly quantityAfter: Micro
}

export type Stock = {
  readonly timeZone: TimeZone
  /** The time of the commands of this unit. */
  readonly now: string
  /** The tenant's day at that time. */
  readonly today: Day
  readonly variants: ReadonlyMap<string, Variant>
  /** Batches by id: those that commands name, those that were loaded for picking, and new ones. */
  readonly batches: Map<string, Batch>
  readonly newBatches: Batch[]
  readonly positions: ReadonlyMap<string, Position>
  readonly movements: Movement[]
  readonly bookLines: BookLine[]
  /** The number of the current command in the unit of work. Each command has its own entry in the books. */
  command: number
  /** An id for a new record. @throws Error when the command reserved too few. */
  readonly takeId: () => string
  /** Whether the batch with this number was looked up. Then it is in `batches`, or there is none. */
  readonly isKnownNumber: (itemVariantId: string, number: string) => boolean
  /** Adds how to undo what the current command has posted: see `Work.undo`. */
  readonly undo: (how: () => void) => void
  /** The positions that the current command has changed, in the order of the changes, with their totals before. */
  readonly touched: Map<Position, Totals>
  /** Sends later commands to the next unit of work if they loaded whether the position's product or place has stock. */
  readonly forget: (position: Position) => void
}

/** A variant and its place; null is stock without a place. */
export type Where = { readonly itemVariantId: string; readonly storagePlaceId: string | null }

export const positionKey = ({ itemVariantId, storagePlaceId }: Where): string =>
  `${itemVariantId}@${storagePlaceId ?? ''}`

/** @throws NextUnit when no command loaded the position: it would look like a position without stock. */
export function positionOf(stock: Stock, where: Where): Position {
  const position = stock.positions.get(positionKey(where))
  if (position === undefined) throw new NextUnit(`the position ${positionKey(where)} was not asked for`)
  return position
}

/** The level of a batch (null: without one); undefined if none ever was. */
export function levelOf(position: Position, batch: Batch | null): Level | undefined {
  return position.levels.get(batch?.id ?? '')
}

export const hasChangedLevel = ({ levels }: Position): boolean => levels.values().some(level => level.changed)

/**
 * The level of a batch, which is made if there is none. @throws NextUnit for a batch that no command loaded: a stored level of it might
 * exist.
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

/** Keeps the state of a position and one of its levels before they change. */
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

/** The position's quantities now, over all its batches. */
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

/** The variant's batch with this number, among the batches that the command loaded or made. */
export function batchByNumber(stock: Stock, itemVariantId: string, number: string): Batch | undefined {
  for (const batch of stock.batches.values()) {
    if (batch.itemVariantId === itemVariantId && batch.number === number) return batch
  }
  return undefined
}
