/**
 * What to order and make so that no variant is short: netting by low-level code over all short variants together. Pure: no I/O and no clock
 * (docs/rules/planning.md).
 */
import { isRefusal, type Refusal, refuse } from '../../../kit/api/errors.ts'
import type { Micro } from '../../../platform/decimal.ts'
import { needOf } from '../../manufacturing/recipes/need-rules.ts'
import { type Component, inLevels } from '../levels-rules.ts'
import { QUANTITY_LIMIT } from '../requirements/netting-rules.ts'

export type Replenished = Component & {
  /** The variant is short if `projected` is less than `bound`, which is its minimum stock or 0. */
  readonly projected: Micro
  readonly bound: Micro
  /** The lot sizes of an order. */
  readonly ordering: { readonly minimum: Micro | null; readonly multiple: Micro | null }
}

export type Proposal<C> = {
  readonly component: C
  readonly level: number
  /** The quantity that the variants made of it need. */
  readonly dependent: Micro
  readonly net: Micro
  readonly order: Micro
}

/**
 * Proposals by level, then id. `components` are the short variants and everything that their recipes use. Refuses `unprocessable` if a
 * variant contains itself, and for a need beyond the limit.
 */
export function proposalsOf<C extends Replenished>(components: readonly C[]): readonly Proposal<C>[] | Refusal {
  const nodes = inLevels(components)
  if (isRefusal(nodes)) return nodes
  const dependents = new Array<Micro>(nodes.length).fill(0n)
  const proposals: Proposal<C>[] = []
  for (const [at, { component, level, materials }] of nodes.entries()) {
    const dependent = dependents[at] ?? 0n
    const net = component.bound + dependent - component.projected
    if (net <= 0n) continue
    const order = orderOf(net, component.ordering)
    if (order >= QUANTITY_LIMIT)
      return refuse('unprocessable', `1000000000 of ${component.name} or more would be needed`)
    proposals.push({ component, level, dependent, net, order })
    for (const { at: to, share } of materials ?? []) dependents[to] = (dependents[to] ?? 0n) + needOf(share, order)
  }
  return proposals
}

/** The net need, raised to the minimum, then up to the next multiple. */
function orderOf(net: Micro, { minimum, multiple }: Replenished['ordering']): Micro {
  const order = minimum !== null && minimum > net ? minimum : net
  return multiple === null || multiple === 0n ? order : ((order + multiple - 1n) / multiple) * multiple
}

/** The short variants (of `asked`, if there are any) and everything that their recipes use. */
export function reachedFromShort<C extends Replenished>(
  components: readonly C[],
  asked: ReadonlySet<string> | null,
): readonly C[] {
  const byId = new Map(components.map(component => [component.id, component]))
  const isShort = ({ id, projected, bound }: C): boolean => projected < bound && (asked === null || asked.has(id))
  const reached = new Set(components.filter(isShort))
  for (const { materials } of reached)
    for (const { id } of materials ?? []) {
      const material = byId.get(id)
      if (material) reached.add(material)
    }
  return [...reached]
}
