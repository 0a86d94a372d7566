/**
 * A second, naive reading of the rules on manufacturing, to hold the commands against: the whole state copied
 * before every command, fractions as pairs of BigInts. It must not import anything of the service.
 */

/** Millionths; values and costs in ten-thousandths. */
export type Holding = { quantity: bigint; value: bigint; reserved: bigint; expected: bigint }
export type Status = 'NOT_STARTED' | 'IN_PROGRESS' | 'BLOCKED' | 'PARTIALLY_DONE' | 'DONE'
export type Order = {
  made: string
  status: Status
  before: Status
  quantity: bigint
  released: bigint
  /** By recipe, as long as no caller has changed the quantity; then `perUnit` is null. */
  needs: { variant: string; quantity: bigint; perUnit: bigint | null }[]
  /** Net quantity and value that left the stock for it, by variant. */
  used: Record<string, { quantity: bigint; value: bigint }>
  /** Hours. */
  duration: bigint
  materials: bigint
  operations: bigint
  posted: bigint
}
/** Deleted orders leave a hole. */
export type State = { holdings: Record<string, Holding>; orders: (Order | null)[] }

/** Per unit; one operation each. */
export type Recipe = { materials: Record<string, bigint>; duration: bigint; costPerHour: bigint }
export type World = { recipes: Record<string, Recipe> }

/** What becomes of the line of a variant (it is added where there is none): so much, or null: it goes. */
export type Edit = { variant: string; quantity: bigint | null }

export type Command =
  | { kind: 'adjust'; variant: string; quantity: bigint; unitCost: bigint }
  | { kind: 'create'; made: string; quantity: bigint }
  | { kind: 'change'; order: number; quantity: bigint | null; edit: Edit | null }
  | { kind: 'start' | 'block' | 'unblock' | 'remove'; order: number }
  | { kind: 'materials'; order: number; lines: { variant: string; quantity: bigint }[] }
  | { kind: 'complete'; order: number; quantity: bigint | null; isFinal: boolean; duration: bigint | null }

export class Refused extends Error {}

/** Half up, for numbers of 0 or more. */
const rounded = (numerator: bigint, denominator: bigint) => (2n * numerator + denominator) / (2n * denominator)
const MILLION = 10n ** 6n
function least(a: bigint, b: bigint): bigint {
  if (a < b) return a
  return b
}
const cost = (quantity: bigint, price: bigint) => rounded(quantity * price, 10n ** 8n)

/** The state after the command; throws `Refused` with the code. The given state stays as it was. */
export function apply(world: World, state: State, command: Command): State {
  const next = structuredClone(state)
  if (command.kind === 'adjust') adjust(next, command)
  else if (command.kind === 'create') create(world, next, command)
  else {
    // Judged by the body alone, before the order is looked for.
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

/** All that the order claims is released, and claimed again as it then is. */
function change(world: World, state: State, order: Order, command: Extract<Command, { kind: 'change' }>): void {
  const { quantity, edit } = command
  if (quantity === null && edit === null) return
  require((order.status === 'BLOCKED' ? order.before : order.status) === 'NOT_STARTED')
  // What the recipe needs nothing of has no line.
  const isLine = (need: Order['needs'][number]) => need.perUnit === null || need.quantity > 0n
  const line = order.needs.find(need => need.variant === edit?.variant && isLine(need))
  // No line can be taken out that is not there.
  if (edit?.quantity === null && !line) throw new Refused('validation_failed')
  for (const need of order.needs) at(state, need.variant).reserved -= need.quantity
  at(state, order.made).expected -= order.quantity
  if (quantity !== null) {
    order.quantity = quantity
    order.duration = rounded((world.recipes[order.made]?.duration ?? 0n) * quantity, MILLION)
    // A line that comes back is the last one.
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

/** A line that asks for too much ends it, but a later one that gives back too much is what it is refused for. */
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
  // What no stock is left to carry is expensed, and so is the cost of an order without output.
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
