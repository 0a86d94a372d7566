/**
 * What making so many of a variant takes, over the recipes on all levels, against what is available: netting by low-level code.
 * Pure: no I/O and no clock (docs/rules/planning.md).
 */
import { invalid, type Refusal, refuse } from '../../../kit/api/errors.ts'
import { MICRO_PLACES, type Micro, parseMicro, powerOfTen, timesMicro } from '../../../platform/decimal.ts'

/** A variant that recipes reach, with the lines of the recipe that counts for it. */
export type Component = {
  readonly id: string
  /** For messages. */
  readonly name: string
  /** At the place; not below 0. */
  readonly available: Micro
  /** Per unit of the variant; null: no recipe counts for it. */
  readonly materials: readonly { readonly id: string; readonly quantity: Micro }[] | null
}

/** What is needed of a component; `level` is the longest path from the asked variant. */
export type Need<C extends Component> = {
  readonly component: C
  readonly level: number
  /** Over all that is made of it. */
  readonly gross: Micro
  /** What stock does not cover. */
  readonly net: Micro
  readonly action: 'STOCK' | 'MAKE' | 'BUY'
}

export type Requirements<C extends Component> = {
  readonly needs: readonly Need<C>[]
  readonly isCoverable: boolean
  /** The greatest whole number up to the asked quantity that is coverable. */
  readonly maxQuantity: bigint
}

/** Needs stay below this, as quantities do. */
const QUANTITY_LIMIT = parseMicro('1000000000')
const ONE = powerOfTen(MICRO_PLACES)

/**
 * The needs of making `quantity` of the asked variant: by level, then id; those that come to 0 are left out. `components` are all that its
 * recipes reach, itself included. Refuses `validation_failed` for a need beyond all bounds, and `unprocessable` where something
 * contains itself.
 */
export function requirementsOf<C extends Component>(
  components: readonly C[],
  { itemVariantId, quantity }: { readonly itemVariantId: string; readonly quantity: Micro },
): Requirements<C> | Refusal {
  const nodes = inLevels(components, itemVariantId)
  if ('refusal' in nodes) return nodes
  const netted = net(nodes, quantity, isBeyond)
  const beyond = netted.find(({ gross }) => gross >= QUANTITY_LIMIT)
  if (beyond)
    return invalid('quantity', `needs 1000000000 of ${nodeAt(nodes, netted.indexOf(beyond)).component.name} or more`)
  const needs = netted.flatMap(({ gross, net }, at): Need<C>[] => {
    const { component, level, materials } = nodeAt(nodes, at)
    const action = net === 0n ? 'STOCK' : materials === null ? 'BUY' : 'MAKE'
    return at === 0 || gross === 0n ? [] : [{ component, level, gross, net, action }]
  })
  const isCoverable = needs.every(({ action }) => action !== 'BUY')
  return { needs, isCoverable, maxQuantity: isCoverable ? quantity / ONE : maxQuantity(nodes, quantity) }
}

/** A component in its place: materials lie behind it, by their positions. */
type Node<C> = {
  readonly component: C
  readonly level: number
  readonly materials: readonly { readonly at: number; readonly quantity: Micro }[] | null
}

function nodeAt<C>(nodes: readonly Node<C>[], at: number): Node<C> {
  const node = nodes[at]
  if (node === undefined) throw new Error(`there is no component ${at}`)
  return node
}

/** The components by level, then id; the asked one is the first. */
function inLevels<C extends Component>(components: readonly C[], asked: string): readonly Node<C>[] | Refusal {
  const byId = new Map(components.map(component => [component.id, component]))
  const componentOf = (id: string): C => {
    const component = byId.get(id)
    if (component === undefined) throw new Error(`the component ${id} was not loaded`)
    return component
  }
  /** Lines that lead to a component and whose recipes have not been looked at yet. */
  const waiting = new Map<string, number>()
  for (const { materials } of components)
    for (const { id } of materials ?? []) waiting.set(id, (waiting.get(id) ?? 0) + 1)
  const levels = new Map<string, number>()
  // What is added on the way is walked as well; each component once all that it goes into has been.
  const reached = waiting.has(asked) ? [] : [asked]
  for (const parent of reached) {
    const level = levels.get(parent) ?? 0
    levels.set(parent, level)
    for (const { id } of componentOf(parent).materials ?? []) {
      levels.set(id, Math.max(levels.get(id) ?? 0, level + 1))
      const left = (waiting.get(id) ?? 0) - 1
      waiting.set(id, left)
      if (left === 0) reached.push(id)
    }
  }
  if (reached.length < components.length) {
    const known = new Set(reached)
    const { name } = components.find(({ id }) => !known.has(id)) ?? componentOf(asked)
    return refuse('unprocessable', `item_variant_id: the recipes lead in a circle, by way of ${name}`)
  }
  const levelOf = (id: string): number => levels.get(id) ?? 0
  const sorted = reached.toSorted((a, b) => levelOf(a) - levelOf(b) || a.length - b.length || (a < b ? -1 : 1))
  const positions = new Map(sorted.map((id, at) => [id, at]))
  return sorted.map(id => {
    const component = componentOf(id)
    const materials = component.materials?.map(line => ({ at: positions.get(line.id) ?? 0, quantity: line.quantity }))
    return { component, level: levelOf(id), materials: materials ?? null }
  })
}

type Netted = { readonly gross: Micro; readonly net: Micro }

const isBeyond = (_node: Node<Component>, { gross }: Netted): boolean => gross >= QUANTITY_LIMIT
const isBought = ({ materials }: Node<Component>, { net: missing }: Netted): boolean =>
  materials === null && missing > 0n

/** Gross and net needs by position, up to the first that is an end. The asked variant's own stock does not count. */
function net<C extends Component>(
  nodes: readonly Node<C>[],
  quantity: Micro,
  isEnd: (node: Node<C>, need: Netted) => boolean,
): readonly Netted[] {
  const gross = new Array<Micro>(nodes.length).fill(0n)
  gross[0] = quantity
  const netted: Netted[] = []
  for (const [at, node] of nodes.entries()) {
    const needed = gross[at] ?? 0n
    const left = at === 0 ? needed : needed - node.component.available
    const need = { gross: needed, net: left > 0n ? left : 0n }
    netted.push(need)
    if (isEnd(node, need)) return netted
    if (need.net === 0n) continue
    for (const line of node.materials ?? [])
      gross[line.at] = (gross[line.at] ?? 0n) + timesMicro(line.quantity, need.net)
  }
  return netted
}

/**
 * By halves: more of the asked variant never needs less of anything, since sums, rounded products and what stock leaves of a need
 * all rise with it. So what is coverable ends once, and nothing beyond it is.
 */
function maxQuantity<C extends Component>(nodes: readonly Node<C>[], quantity: Micro): bigint {
  const isCoverable = (units: bigint): boolean => {
    const netted = net(nodes, units * ONE, isBought)
    const [node, need] = [nodes[netted.length - 1], netted.at(-1)]
    return !(node && need && isBought(node, need))
  }
  let [coverable, beyond] = [0n, quantity / ONE + 1n]
  while (beyond - coverable > 1n) {
    const middle = (coverable + beyond) / 2n
    if (isCoverable(middle)) coverable = middle
    else beyond = middle
  }
  return coverable
}
