/** Picking: from which levels an outflow takes, first expired first out. Pure: no I/O and no clock. */
import { refuse } from '../../kit/api/errors.ts'
import type { Day } from '../../kit/days.ts'
import { NotLoaded } from '../../kit/documents/next-unit.ts'
import type { Micro } from '../../platform/decimal.ts'
import {
  amountOf,
  byExpiry,
  expiryOf,
  isWithin,
  orderKey,
  quarantinedStock,
  sellableStock,
  unquarantinedStock,
} from './pick-order.ts'
import { type Batch, type Level, levelOf, type PickOrder, type Position } from './stock.ts'

/**
 * What an outflow may take.
 * - `sellable`: neither quarantined nor expired (start and shipment)
 * - `unquarantined`: also expired stock (adjustments and transfers)
 * - `quarantined`: only quarantined stock (transfers out of quarantine)
 */
export type Condition = 'sellable' | 'unquarantined' | 'quarantined'

/** The most levels that the picks of one command may read; docs/rules/stock.md, "Picking", has the rule. */
export const LEVELS_MAX = 5_000

const tooManyLevels = refuse(
  'unprocessable',
  `picking would look at more than ${LEVELS_MAX} stock entries; ask for less at a time, or name batches`,
)

export type Pick = { readonly level: Level; readonly quantity: Micro }

/** What to take, and how much of the wanted quantity is missing. */
type Picked = { readonly picks: readonly Pick[]; readonly missing: Micro }

/** `day`: the day of the document's date. */
type Want = { readonly quantity: Micro; readonly condition: Condition; readonly day: Day }

function orderOf({ condition, day }: Want): PickOrder {
  if (condition === 'sellable') return sellableStock(day)
  return condition === 'quarantined' ? quarantinedStock : unquarantinedStock
}

/**
 * The levels from which to take `quantity` (above 0), in order, up to what is in stock. `batch` undefined: first expired first out. @throws
 * NotLoaded when levels that are not loaded may be the next in order.
 */
export function pick(position: Position, want: Want & { readonly batch: Batch | undefined }): Picked {
  const { batch, quantity } = want
  const order = orderOf(want)
  if (batch !== undefined) {
    const named = levelOf(position, batch)
    return takeFrom(named === undefined ? [] : [named], order, quantity)
  }
  const reach = position.reaches.get(orderKey(order))
  if (reach === undefined) throw new NotLoaded('the position was not opened for picking', tooManyLevels)
  const levels = [...position.levels.values()].sort(byExpiry)
  const picked = takeFrom(
    levels.filter(level => isWithin(reach, level)),
    order,
    quantity,
  )
  if (picked.missing === 0n || reach.to === null) return picked
  const there = reach.expired === null ? null : amountOf(position, order) - reach.expired
  if (there === null || there >= quantity) throw new NotLoaded('not enough levels are loaded', tooManyLevels)
  // All stock is taken and the command is refused. Later lines of the command must find nothing here.
  const loaded = takeFrom(levels, order, quantity)
  const others = there - (quantity - loaded.missing)
  return {
    picks: others === 0n ? loaded.picks : [...loaded.picks, { level: notLoaded(order, others), quantity: others }],
    missing: quantity - there,
  }
}

/** Stands for levels that are not loaded. */
const notLoaded = ({ kind }: PickOrder, quantity: Micro): Level => ({
  id: null,
  batch: null,
  quantity,
  quarantine: kind === 'quarantined' ? quantity : 0n,
  reserved: 0n,
  expected: 0n,
  changed: false,
})

function takeFrom(levels: readonly Level[], order: PickOrder, quantity: Micro): Picked {
  const picks: Pick[] = []
  let missing = quantity
  for (const level of levels) {
    if (missing === 0n) break
    const taken = expiryOf(level.batch) < order.from ? 0n : lesser(amountOf(level, order), missing)
    if (taken === 0n) continue
    picks.push({ level, quantity: taken })
    missing -= taken
  }
  return { picks, missing }
}

/** The first level with stock in the order of picking, also with expired or quarantined stock. @throws NotLoaded as `pick` does. */
export function firstInStock(position: Position): Level | undefined {
  const any = { quantity: 1n, batch: undefined, day: '' }
  const conditions = ['unquarantined', 'quarantined'] as const
  const found = conditions.flatMap(condition => pick(position, { ...any, condition }).picks)
  return found.map(({ level }) => level).sort(byExpiry)[0]
}

// Math.min does not take bigints.
export function lesser(a: Micro, b: Micro): Micro {
  if (a < b) return a
  return b
}
