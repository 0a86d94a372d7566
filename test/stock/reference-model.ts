/**
 * A second, naive implementation of the stock rules, to compare the ledger with: plain arrays, fractions as pairs of BigInts, and a copy of
 * the whole state before every command. It must not import anything of the ledger.
 */

/** Quantities are in millionths and values in ten-thousandths. */
export type Row = {
  batch: string | null
  expiry: string | null
  /** The order in which the variant's batches were made. */
  rank: number
  quantity: bigint
  quarantine: bigint
}
export type Holding = { rows: Row[]; value: bigint }
/** The holdings by `variant@place`. */
export type State = Map<string, Holding>

export type Line = {
  variant: string
  quantity?: bigint | undefined
  counted?: bigint | undefined
  expected?: bigint | undefined
  unitCost?: bigint | undefined
  batch?: string | undefined
}
export type Adjustment = { kind: 'adjust'; place: string; number: string; lines: Line[] }
export type Move = {
  variant: string
  quantity: bigint
  batch?: string | undefined
  fromQuarantine: boolean
  toQuarantine: boolean
}
export type Transfer = { kind: 'transfer'; from: string; to: string; moves: Move[] }

/** Tracked variants, and the expiry date of each batch number (others have none). */
export type World = { tracked: Set<string>; expiry: Record<string, string> }

/** Rounds half away from zero, for numbers of 0 or more. */
const rounded = (numerator: bigint, denominator: bigint) => {
  const floor = numerator / denominator
  return (numerator % denominator) * 2n >= denominator ? floor + 1n : floor
}
const sum = (numbers: bigint[]) => numbers.reduce((a, b) => a + b, 0n)
export const quantityOf = (holding: Holding) => sum(holding.rows.map(row => row.quantity))

export class Refused extends Error {}

/** The state after the command. Throws `Refused` with the code. The given state stays as it was. */
export function apply(world: World, state: State, command: Adjustment | Transfer): State {
  const next: State = structuredClone(state)
  if (command.kind === 'adjust') for (const line of command.lines) adjust(world, next, command, line)
  else for (const move of command.moves) transfer(next, command, move)
  return next
}

function at(state: State, variant: string, place: string): Holding {
  const key = `${variant}@${place}`
  const known = state.get(key)
  if (known) return known
  const made = { rows: [], value: 0n }
  state.set(key, made)
  return made
}

function adjust(world: World, state: State, { place, number }: Adjustment, line: Line): void {
  const holding = at(state, line.variant, place)
  const named = line.batch === undefined ? undefined : holding.rows.find(row => row.batch === line.batch)
  const stock = line.batch === undefined ? quantityOf(holding) : (named?.quantity ?? 0n)
  if (line.expected !== undefined && line.expected !== stock) throw new Refused('stock_changed')
  const tracked = world.tracked.has(line.variant)
  if (line.counted !== undefined && tracked && line.batch === undefined) throw new Refused('validation_failed')
  const change = line.counted === undefined ? (line.quantity ?? 0n) : line.counted - stock
  if (change <= 0n && line.unitCost !== undefined) throw new Refused('validation_failed')
  if (change < 0n)
    take(holding, { quantity: -change, batch: line.batch, quarantined: false, code: 'validation_failed' })
  if (change <= 0n) return
  const total = quantityOf(holding)
  const added =
    line.unitCost !== undefined
      ? rounded(change * line.unitCost, 10n ** 8n)
      : total === 0n
        ? 0n
        : rounded(change * holding.value, total)
  const batch = tracked ? (line.batch ?? number) : null
  put(state, holding, {
    variant: line.variant,
    batch,
    expiry: world.expiry[batch ?? ''] ?? null,
    quantity: change,
    held: false,
  })
  holding.value += added
}

function transfer(state: State, { from, to }: Transfer, move: Move): void {
  take(at(state, move.variant, from), {
    quantity: move.quantity,
    batch: move.batch,
    quarantined: move.fromQuarantine,
    code: 'insufficient_stock',
    after: (row, quantity, value) => {
      const target = at(state, move.variant, to)
      const { batch, expiry } = row
      put(state, target, { variant: move.variant, batch, expiry, quantity, held: move.toQuarantine })
      target.value += value
    },
  })
}

function take(
  holding: Holding,
  want: {
    quantity: bigint
    batch: string | undefined
    quarantined: boolean
    code: string
    after?: (row: Row, quantity: bigint, value: bigint) => void
  },
): void {
  const free = (row: Row) => (want.quarantined ? row.quarantine : row.quantity - row.quarantine)
  const rows = holding.rows
    .filter(row => want.batch === undefined || row.batch === want.batch)
    .sort((a, b) => (a.expiry ?? '9').localeCompare(b.expiry ?? '9') || a.rank - b.rank)
  if (sum(rows.map(free)) < want.quantity) throw new Refused(want.code)
  let left = want.quantity
  const plan = rows.map(row => {
    const enough = free(row) >= left
    const quantity = enough ? left : free(row)
    left -= quantity
    return { row, quantity }
  })
  for (const { row, quantity } of plan.filter(part => part.quantity > 0n)) {
    const total = quantityOf(holding)
    const value = quantity === total ? holding.value : rounded(quantity * holding.value, total)
    row.quantity -= quantity
    if (want.quarantined) row.quarantine -= quantity
    holding.value -= value
    want.after?.(row, quantity, value)
  }
}

function put(
  state: State,
  holding: Holding,
  inflow: { variant: string; batch: string | null; expiry: string | null; quantity: bigint; held: boolean },
): void {
  let row = holding.rows.find(known => known.batch === inflow.batch)
  if (row === undefined) {
    const siblings = [...state].filter(([key]) => key.startsWith(`${inflow.variant}@`)).flatMap(([, { rows }]) => rows)
    const known = siblings.find(sibling => sibling.batch === inflow.batch)
    const rank = known?.rank ?? siblings.length
    row = { batch: inflow.batch, expiry: inflow.expiry, rank, quantity: 0n, quarantine: 0n }
    holding.rows.push(row)
  }
  row.quantity += inflow.quantity
  if (inflow.held) row.quarantine += inflow.quantity
}
