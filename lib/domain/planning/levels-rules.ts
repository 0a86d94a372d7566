/**
 * Low-level codes: the level of a variant is the length of the longest path of recipes that leads to it. Pure: no I/O and no clock
 * (docs/rules/planning.md).
 */
import { type Refusal, refuse } from '../../kit/api/errors.ts'
import type { Share } from '../manufacturing/recipes/need-rules.ts'

/** A variant with the lines of its current recipe. */
export type Component = {
  readonly id: string
  /** The name in messages. */
  readonly name: string
  /** Null: the variant has no recipe. */
  readonly materials: readonly { readonly id: string; readonly share: Share }[] | null
}

/** A component with its level. `at` is the index of a material in the list; materials come after the component. */
export type Node<C> = {
  readonly component: C
  readonly level: number
  readonly materials: readonly { readonly at: number; readonly share: Share }[] | null
}

/** @throws Error for an index without a component: a bug of the caller. */
export function nodeAt<C>(nodes: readonly Node<C>[], at: number): Node<C> {
  const node = nodes[at]
  if (node === undefined) throw new Error(`there is no component ${at}`)
  return node
}

/**
 * The components by level, then id. A component that no recipe uses is at level 0. `components` must contain the materials of each
 * component. Refuses `unprocessable` if a component contains itself.
 */
export function inLevels<C extends Component>(components: readonly C[]): readonly Node<C>[] | Refusal {
  const byId = new Map(components.map(component => [component.id, component]))
  const componentOf = (id: string): C => {
    const component = byId.get(id)
    if (component === undefined) throw new Error(`the component ${id} was not loaded`)
    return component
  }
  /** For each component the number of recipe lines that use it and are not walked yet. */
  const waiting = new Map<string, number>()
  for (const { materials } of components)
    for (const { id } of materials ?? []) waiting.set(id, (waiting.get(id) ?? 0) + 1)
  const levels = new Map<string, number>()
  // The loop also walks what it adds. A component is added after all components that use it.
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
