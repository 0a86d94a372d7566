/**
 * What a quantity of a variant needs over all levels of recipes, compared with the available stock: netting by low-level code. Pure: no I/O
 * and no clock (docs/rules/planning.md).
 */
import { invalid, isRefusal, type Refusal } from '../../../kit/api/errors.ts'
import { MICRO_PLACES, type Micro, parseMicro, powerOfTen } from '../../../platform/decimal.ts'
import { needOf } from '../../manufacturing/recipes/need-rules.ts'
import { inLevels, type Component as Levelled, type Node, nodeAt } from '../levels-rules.ts'

/** A variant or one of its materials at any depth. */
export type Component = Levelled & {
  /** The available stock at the place; not below 0. */
  readonly available: Micro
}

/** The need of a component. `level` is the longest path from the variant that the query names. */
export type Need<C extends Component> = {
  readonly component: C
  readonly level: number
  /** The need of all variants that are made of it. */
  readonly gross: Micro
  /** The part that stock does not cover. */
  readonly net: Micro
  readonly action: 'STOCK' | 'MAKE' | 'BUY'
}

export type Requirements<C extends Component> = {
  readonly needs: readonly Need<C>[]
  readonly isCoverable: boolean
  /** The greatest whole quantity, up to the queried one, that stock covers. */
  readonly maxQuantity: bigint
}

/** Needs are less than this, as quantities are. */
export const QUANTITY_LIMIT = parseMicro('1000000000')
const ONE = powerOfTen(MICRO_PLACES)

/**
 * The needs of making `quantity` of a variant, by level, then id, without needs of 0. `components` are the variant and everything that its
 * recipes use. Refuses `validation_failed` for a need beyond the limit, and `unprocessable` where a variant contains itself.
 */
export function needsOf<C extends Component>(components: readonly C[], quantity: Micro): readonly Need<C>[] | Refusal {
  const nodes = inLevels(components)
  return isRefusal(nodes) ? nodes : needsIn(nodes, quantity)
}

/** These needs, whether stock covers them, and how many units it would cover. Refuses as `needsOf` does. */
export function requirementsOf<C extends Component>(
  components: readonly C[],
  quantity: Micro,
): Requirements<C> | Refusal {
  const nodes = inLevels(components)
  if (isRefusal(nodes)) return nodes
  const needs = needsIn(nodes, quantity)
  if (isRefusal(needs)) return needs
  const isCoverable = needs.every(({ action }) => action !== 'BUY')
  return { needs, isCoverable, maxQuantity: isCoverable ? quantity / ONE : maxQuantity(nodes, quantity) }
}

function needsIn<C extends Component>(nodes: readonly Node<C>[], quantity: Micro): readonly Need<C>[] | Refusal {
  const netted = net(nodes, quantity, isBeyond)
  const beyond = netted.find(({ gross }) => gross >= QUANTITY_LIMIT)
  if (beyond)
    return invalid('quantity', `needs 1000000000 of ${nodeAt(nodes, netted.indexOf(beyond)).component.name} or more`)
  return netted.flatMap(({ gross, net }, at): Need<C>[] => {
    const { component, level, materials } = nodeAt(nodes, at)
    const action = net === 0n ? 'STOCK' : materials === null ? 'BUY' : 'MAKE'
    return at === 0 || gross === 0n ? [] : [{ component, level, gross, net, action }]
  })
}

type Netted = { readonly gross: Micro; readonly net: Micro }

const isBeyond = (_node: Node<Component>, { gross }: Netted): boolean => gross >= QUANTITY_LIMIT
const isBought = ({ materials }: Node<Component>, { net: missing }: Netted): boolean =>
  materials === null && missing > 0n

/** Gross and net needs by index, up to the first need for which `isEnd` is true. The stock of the variant itself does not count. */
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
    for (const { at: to, share } of node.materials ?? []) gross[to] = (gross[to] ?? 0n) + needOf(share, need.net)
  }
  return netted
}

/**
 * Searches by halves. More units of the variant never need less of a component: sums, rounded needs and net needs all rise with the units.
 * So there is one greatest quantity that stock covers.
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
