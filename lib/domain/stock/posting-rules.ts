/**
 * Postings to the stock: inflows, outflows, changes of value, reserved and expected quantities, each with its movement. Pure: no I/O and no
 * clock. A posting that fails leaves the stock half changed, so its command must be refused.
 */

import { dayIn } from '../../kit/days.ts'
import { type Cost, type Micro, parseMicro, powerOfTen } from '../../platform/decimal.ts'
import { outflowValue } from './cost-rules.ts'
import { type Condition, pick } from './picking-rules.ts'
import { type Batch, type Cause, expiredOf, type Level, openLevel, type Position, type Stock, touch } from './stock.ts'

/** A variant's stock at a place is less than this, and so is every single quantity. */
const QUANTITY_LIMIT = parseMicro('1000000000')
/** The limit of reserved and expected quantities, which many documents add up. The column holds no more. */
const PLANNED_LIMIT = parseMicro('1000000000000')
/** The stock value of a variant at a place is less than 10^24 in the tenant's currency. */
const VALUE_LIMIT: Cost = powerOfTen(28)

/** The stock or its value would pass its limit. */
type Overflow = { readonly fault: 'overflow' }

/** What one outflow took from one level. */
type Take = {
  readonly level: Level
  readonly quantity: Micro
  readonly value: Cost
  readonly quantityBefore: Micro
  /** The position's stock just before this take. */
  readonly holdingBefore: { readonly quantity: Micro; readonly value: Cost }
}

type Inflow = {
  readonly position: Position
  readonly batch: Batch | null
  /** Above 0. */
  readonly quantity: Micro
  readonly value: Cost
  readonly quarantine: boolean
}

/** Brings stock in at a given value. */
export function receive(stock: Stock, cause: Cause, inflow: Inflow): Level | Overflow {
  const { position, quantity, value } = inflow
  if (position.quantity + quantity >= QUANTITY_LIMIT || position.value + value >= VALUE_LIMIT)
    return { fault: 'overflow' }
  const level = openLevel(stock, position, inflow.batch)
  post(stock, cause, { position, level, quantity, quarantine: inflow.quarantine ? quantity : 0n, value })
  return level
}

/** Takes stock out of one level, at the average cost. The level must hold the quantity (see `pick`). */
export function takeOut(
  stock: Stock,
  cause: Cause,
  outflow: {
    readonly position: Position
    readonly level: Level
    readonly quantity: Micro
    readonly condition: Condition
  },
): Take {
  const { position, level, quantity, condition } = outflow
  const value = outflowValue(position, quantity)
  const take = {
    level,
    quantity,
    value,
    quantityBefore: level.quantity,
    holdingBefore: { quantity: position.quantity, value: position.value },
  }
  const quarantine = condition === 'quarantined' ? -quantity : 0n
  post(stock, cause, { position, level, quantity: -quantity, quarantine, value: -value })
  return take
}

/**
 * Takes an inflow out again, at the value at which it came in: at most V, and all of V if the place becomes empty. The level must hold the
 * quantity. Returns the value that leaves.
 */
export function giveUp(
  stock: Stock,
  cause: Cause,
  outflow: {
    readonly position: Position
    readonly level: Level
    readonly quantity: Micro
    readonly quarantine: boolean
    readonly value: Cost
  },
): Cost {
  const { position, level, quantity, quarantine } = outflow
  const isAll = quantity === position.quantity || outflow.value > position.value
  const value = isAll ? position.value : outflow.value
  post(stock, cause, {
    ...{ position, level, quantity: -quantity, value: -value },
    quarantine: quarantine ? -quantity : 0n,
  })
  return value
}

/** What was taken, and how much of the wanted quantity was missing. If any was missing, the command must be refused. */
export type Issued = { readonly takes: readonly Take[]; readonly missing: Micro }

/**
 * Takes as much as is in stock, from the named batch or first expired first out, with one movement for each level. `batch` undefined: first
 * expired first out.
 */
export function issue(
  stock: Stock,
  cause: Cause,
  outflow: {
    readonly position: Position
    readonly quantity: Micro
    readonly batch: Batch | undefined
    readonly condition: Condition
  },
): Issued {
  const { position, condition } = outflow
  const { picks, missing } = pick(position, { ...outflow, day: dayIn(stock.timeZone, cause.documentDate) })
  return {
    takes: picks.map(({ level, quantity }) => takeOut(stock, cause, { position, level, quantity, condition })),
    missing,
  }
}

/**
 * Adds to the value of the stock at a place, as a movement of quantity 0 on the batch's level. False: nothing is posted, because no stock
 * is left there.
 */
export function revalue(
  stock: Stock,
  cause: Cause,
  addition: { readonly position: Position; readonly batch: Batch | null; readonly value: Cost },
): boolean | Overflow {
  const { position, value } = addition
  if (position.quantity === 0n) return false
  if (position.value + value >= VALUE_LIMIT) return { fault: 'overflow' }
  if (position.value + value < 0n) throw new Error('a stock value must not fall below 0')
  if (value === 0n) return true
  const level = openLevel(stock, position, addition.batch)
  post(stock, cause, { position, level, quantity: 0n, quarantine: 0n, value })
  return true
}

/** Adds reserved or expected quantity, or releases it (below 0). It writes no movement. */
export function adjustPlanned(
  stock: Stock,
  change: { readonly position: Position; readonly reserved?: Micro; readonly expected?: Micro },
): Overflow | null {
  const level = openLevel(stock, change.position, null)
  const reserved = level.reserved + (change.reserved ?? 0n)
  const expected = level.expected + (change.expected ?? 0n)
  if (reserved < 0n || expected < 0n) throw new Error('more was released than had been reserved or expected')
  if (reserved >= PLANNED_LIMIT || expected >= PLANNED_LIMIT) return { fault: 'overflow' }
  if (reserved === level.reserved && expected === level.expected) return null
  touch(stock, change.position, level)
  level.changed = true
  level.reserved = reserved
  level.expected = expected
  return null
}

type Change = {
  readonly position: Position
  readonly level: Level
  readonly quantity: Micro
  readonly quarantine: Micro
  readonly value: Cost
}

function post(stock: Stock, cause: Cause, { position, level, quantity, quarantine, value }: Change): void {
  touch(stock, position, level)
  const expired = expiredOf(level, stock.today)
  level.quantity += quantity
  level.quarantine += quarantine
  position.expired += expiredOf(level, stock.today) - expired
  level.changed = true
  position.quantity += quantity
  position.quarantine += quarantine
  position.value += value
  position.changed = true
  if (level.quarantine < 0n || level.quarantine > level.quantity) throw new Error('more was taken than the level holds')
  const { command } = stock
  stock.movements.push({ command, cause, position, level, quantity, quarantine, value, quantityAfter: level.quantity })
  stock.undo(() => stock.movements.pop())
}
