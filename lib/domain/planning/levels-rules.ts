/**
 * Low-level codes: the level of a variant is the longest path to it over the recipes. Pure: no I/O and no clock (docs/rules/planning.md).
 */
import { type Refusal, refuse } from '../../kit/api/errors.ts'
import type { Share } from '../manufacturing/recipes/need-rules.ts'

/** A variant with the lines of the recipe that counts for it. */
export type Component = {
  readonly id: string
  /** For messages. */
  readonly name: string
  /** Null: no recipe counts for it. */
  readonly materials: readonly { readonly id: string; readonly share: Share }[] | null
}

/** A component in its place: materials lie behind it, by their positions. */
export type Node<C> = {
  readonly component: C
  readonly level: number
  readonly materials: readonly { readonly at: number; readonly share: Share }[] | null
}

/** @throws Error for a position that no component has: a fault of the caller. */
export function nodeAt<C>(nodes: readonly Node<C>[], at: number): Node<C> {
  const node = nodes[at]
  if (node === undefined) throw new Error(`there is no component ${at}`)
  return node
}

/**
 * The components by level, then id. Those into whose recipes no other leads are at level 0. `components` holds the materials of each.
 * Refuses `unprocessable` where something contains itself.
 */
export function inLevels<C extends Component>(components: readonly C[]): readonly Node<C>[] | Refusal {
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
  const walked = components.flatMap(({ id }) => (waiting.has(id) ? [] : [id]))
  for (const parent of walked) {
    const level = levels.get(parent) ?? 0
    levels.set(parent, level)
    for (const { id } of componentOf(parent).materials ?? []) {
      levels.set(id, Math.max(levels.get(id) ?? 0, level + 1))
      const left = (waiting.get(id) ?? 0) - 1
      waiting.set(id, left)
      if (left === 0) walked.push(id)
    }
  }
  const known = new Set(walked)
  const circular = components.find(({ id }) => !known.has(id))
  if (circular)
    return refuse('unprocessable', `item_variant_id: the recipes lead in a circle, by way of ${circular.name}`)
  const levelOf = (id: string): number => levels.get(id) ?? 0
  const sorted = walked.toSorted((a, b) => levelOf(a) - levelOf(b) || a.length - b.length || (a < b ? -1 : 1))
  const positions = new Map(sorted.map((id, at) => [id, at]))
  return sorted.map(id => {
    const component = componentOf(id)
    const materials = component.materials?.map(line => ({ at: positions.get(line.id) ?? 0, share: line.share }))
    return { component, level: levelOf(id), materials: materials ?? null }
  })
}
