/**
 * A second, naive implementation of the rules on manufacturing, to compare the commands with: it copies the whole state before every
 * command, and fractions are pairs of BigInts. It must not import anything of the service.
 */

/** Quantities are in millionths, values and costs in ten-thousandths. */
export type Holding = { quantity: bigint; value: bigint; reserved: bigint; expected: bigint }
export type Status = 'NOT_STARTED' | 'IN_PROGRESS' | 'BLOCKED' | 'PARTIALLY_DONE' | 'DONE'
export type Order = {
  made: string
  status: Status
  before: Status
  quantity: bigint
  released: bigint
  /** The needs follow from the recipe until a caller changes the quantity. Then `perUnit` is null. */
  needs: { variant: string; quantity: bigint; perUnit: bigint | null }[]
  /** Net quantity and value that left the stock for the order, by variant. */
  used: Record<string, { quantity: bigint; value: bigint }>
  /** In hours. */
  duration: bigint
  materials: bigint
  operations: bigint
  posted: bigint
}
/** A deleted order is null. */
export type State = { holdings: Record<string, Holding>; orders: (Order | null)[] }

/** For each unit. There is one operation. */
export type Recipe = { materials: Record<string, bigint>; duration: bigint; costPerHour: bigint }
export type World = { recipes: Record<string, Recipe> }

/** What a change does to the line of a variant: it sets this quantity (and adds the line if there is none), or removes the line (null). */
export type Edit = { variant: string; quantity: bigint | null }

export type Command =
  | { kind: 'adjust'; variant: string; quantity: bigint; unitCost: bigint }
  | { kind: 'create'; made: string; quantity: bigint }
  | { kind: 'change'; order: number; quantity: bigint | null; edit: Edit | null }
  | { kind: 'start' | 'block' | 'unblock' | 'remove'; order: number }
  | { kind: 'materials'; order: number; lines: { variant: string; quantity: bigint }[] }
  | { kind: 'complete'; order: number; quantity: bigint | null; isFinal: boolean; duration: bigint | null }

export class Refused extends Error {}

/** Rounds half up, for numbers of 0 or more. */
const rounded = (numerator: bigint, denominator: bigint) => (2n * numerator + denominator) / (2n * denominator)
const MILLION = 10n ** 6n
function least(a: bigint, b: bigint): bigint {
  if (a < b) return a
  return b
}
const cost = (quantity: bigint, price: bigint) => rounded(quantity * price, 10n ** 8n)

/** The state after the command. Throws `Refused` with the code. The given state stays as it was. */
export function apply(world: World, state: State, command: Command): State {
  const next = structuredClone(state)
  if (command.kind === 'adjust') adjust(next, command)
  else if (command.kind === 'create') create(world, next, command)
  else {
    // This check needs the body alone, so it comes before the order is looked for.
    if (command.kind === 'complete' && command.quantity === 0n && !command.isFinal)
      throw new Refused('validation_failed')
    const order = next.orders[command.order]
    if (!order) throw new Refused('not_found')
    if (command.kind === 'start') start(world, next, order)
    else if (command.kind === 'complete') complete(world, next, order, command)
    else if (command.kind === 'materials') materials(next, order, command.lines)
    else if (command.kind === 'change') change(world, next, order, command)
    else if (command.kind === 'remove') remove(next, order, command.order)
    else block(order, command.kind)
  }
  return next
}

function at(state: State, variant: string): Holding {
  const known = state.holdings[variant]
  if (known) return known
  const made = { quantity: 0n, value: 0n, reserved: 0n, expected: 0n }
  state.holdings[variant] = made
  return made
}

function take(holding: Holding, quantity: bigint): bigint {
  const value = quantity === holding.quantity ? holding.value : rounded(quantity * holding.value, holding.quantity)
  holding.quantity -= quantity
  holding.value -= value
  return value
}

function adjust(state: State, { variant, quantity, unitCost }: Extract<Command, { kind: 'adjust' }>): void {
  const holding = at(state, variant)
  if (holding.quantity + quantity < 0n) throw new Refused('validation_failed')
  if (quantity < 0n) take(holding, -quantity)
  else {
    holding.quantity += quantity
    holding.value += cost(quantity, unitCost)
  }
}

function create(world: World, state: State, { made, quantity }: Extract<Command, { kind: 'create' }>): void {
  const recipe = world.recipes[made]
  if (!recipe) throw new Error(made)
  const needs = Object.entries(recipe.materials).map(([variant, perUnit]) => ({
    variant,
    quantity: rounded(perUnit * quantity, MILLION),
    perUnit,
  }))
  for (const need of needs) at(state, need.variant).reserved += need.quantity
  at(state, made).expected += quantity
  const duration = rounded(recipe.duration * quantity, MILLION)
  const nothing = { released: 0n, materials: 0n, operations: 0n, posted: 0n, used: {} }
  state.orders.push({ made, status: 'NOT_STARTED', before: 'NOT_STARTED', quantity, needs, duration, ...nothing })
}

const require = (holds: boolean) => {
  if (!holds) throw new Refused('manufacturing_order_invalid_status')
}

/** Releases all that the order claims, and then claims what the changed order needs. */
function change(world: World, state: State, order: Order, command: Extract<Command, { kind: 'change' }>): void {
  const { quantity, edit } = command
  if (quantity === null && edit === null) return
  require((order.status === 'BLOCKED' ? order.before : order.status) === 'NOT_STARTED')
  // A material of which the recipe needs nothing has no line.
  const isLine = (need: Order['needs'][number]) => need.perUnit === null || need.quantity > 0n
  const line = order.needs.find(need => need.variant === edit?.variant && isLine(need))
  // Only an existing line can be removed.
  if (edit?.quantity === null && !line) throw new Refused('validation_failed')
  for (const need of order.needs) at(state, need.variant).reserved -= need.quantity
  at(state, order.made).expected -= order.quantity
  if (quantity !== null) {
    order.quantity = quantity
    order.duration = rounded((world.recipes[order.made]?.duration ?? 0n) * quantity, MILLION)
    // A line that returns is the last one.
    order.needs = [...order.needs.filter(isLine), ...order.needs.filter(need => !isLine(need))]
    for (const need of order.needs) if (need.perUnit !== null) need.quantity = rounded(need.perUnit * quantity, MILLION)
  }
  if (edit?.quantity === null) order.needs = order.needs.filter(need => need !== line)
  else if (edit && !line) order.needs.push({ variant: edit.variant, quantity: edit.quantity, perUnit: null })
  else if (edit && line && line.quantity !== edit.quantity)
    Object.assign(line, { quantity: edit.quantity, perUnit: null })
  for (const need of order.needs) at(state, need.variant).reserved += need.quantity
  at(state, order.made).expected += order.quantity
}

function start(world: World, state: State, order: Order): void {
  require(order.status === 'NOT_STARTED')
  for (const { variant, quantity } of order.needs) {
    const holding = at(state, variant)
    holding.reserved -= quantity
    if (holding.quantity < quantity) throw new Refused('unprocessable')
    if (quantity > 0n) use(order, variant, { quantity, value: take(holding, quantity) })
  }
  order.operations = cost(order.duration, world.recipes[order.made]?.costPerHour ?? 0n)
  order.status = 'IN_PROGRESS'
}

function use(order: Order, variant: string, more: { quantity: bigint; value: bigint }): void {
  const used = order.used[variant] ?? { quantity: 0n, value: 0n }
  order.used[variant] = { quantity: used.quantity + more.quantity, value: used.value + more.value }
  order.materials += more.value
}

/** A line that needs too much ends the command. But if a later line gives back too much, the command is refused for that one. */
function materials(state: State, order: Order, lines: { variant: string; quantity: bigint }[]): void {
  require(order.status === 'IN_PROGRESS' || order.status === 'PARTIALLY_DONE')
  let isShort = false
  for (const { variant, quantity } of lines) {
    const holding = at(state, variant)
    if (quantity > 0n) {
      if (holding.quantity < quantity) isShort = true
      const there = least(holding.quantity, quantity)
      use(order, variant, { quantity, value: there === 0n ? 0n : take(holding, there) })
    } else {
      const { quantity: w, value } = order.used[variant] ?? { quantity: 0n, value: 0n }
      if (-quantity > w) throw new Refused('validation_failed')
      const share = -quantity === w ? value : rounded(-quantity * value, w)
      const wip = order.materials + order.operations - order.posted
      const back = least(share, wip)
      use(order, variant, { quantity, value: -back })
      holding.quantity -= quantity
      holding.value += back
    }
  }
  if (isShort) throw new Refused('unprocessable')
}

function complete(world: World, state: State, order: Order, command: Extract<Command, { kind: 'complete' }>): void {
  const { isFinal, duration } = command
  require(order.status === 'IN_PROGRESS' || order.status === 'PARTIALLY_DONE')
  if (duration !== null) order.operations = cost(duration, world.recipes[order.made]?.costPerHour ?? 0n)
  const wip = order.materials + order.operations - order.posted
  if (wip < 0n) throw new Refused('validation_failed')
  const remaining = order.quantity - order.released
  const quantity = command.quantity ?? remaining
  const isLast = isFinal || quantity >= remaining
  const posting = isLast ? wip : rounded(wip * quantity, remaining)
  const holding = at(state, order.made)
  holding.quantity += quantity
  // The cost is expensed if no stock is left to carry it, and so is the cost of an order without output.
  if (holding.quantity > 0n && order.released + quantity > 0n) holding.value += posting
  holding.expected -= isLast ? remaining : quantity
  order.released += quantity
  order.posted += posting
  order.status = isLast ? 'DONE' : 'PARTIALLY_DONE'
}

function block(order: Order, kind: 'block' | 'unblock'): void {
  if (kind === 'block') {
    require(order.status !== 'BLOCKED' && order.status !== 'DONE')
    order.before = order.status
    order.status = 'BLOCKED'
  } else {
    require(order.status === 'BLOCKED')
    order.status = order.before
  }
}

function remove(state: State, order: Order, index: number): void {
  require(order.status === 'NOT_STARTED')
  for (const { variant, quantity } of order.needs) at(state, variant).reserved -= quantity
  at(state, order.made).expected -= order.quantity
  state.orders[index] = null
}
