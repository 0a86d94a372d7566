/** The components that come back with a number of kits. Pure (docs/rules/kits.md). */

import { invalid, type Refusal } from '../../../kit/api/errors.ts'
import { divideRounded, formatMicro, type Micro } from '../../../platform/decimal.ts'
import { nameOf } from '../../stock/line-rules.ts'
import type { MovedPart } from '../moved-parts.ts'
import { componentName } from '../orders/component-rules.ts'
import type { Component, Line } from '../orders/noun.ts'
import { lesser } from '../orders/quantity-rules.ts'
import type { NewReturnItem } from './noun.ts'
import { comesIn } from './piece-rules.ts'
import type { PartsLeft } from './returnable.ts'

/** The quantity of a component that comes back with this many kits: its share of all that left, less the share of kits in other returns. */
function shareOf({ shipped_quantity: left }: Component, { kits, held, shipped }: Kits): Micro {
  const until = (count: Micro) => divideRounded(left * count, shipped)
  return until(held + kits) - until(held)
}
/** `kits`: how many of the shipped kits are returned now. `held`: how many other returns and earlier entries return. */
type Kits = { readonly kits: Micro; readonly held: Micro; readonly shipped: Micro }

/**
 * The components that an entry brings back, into the batches from which they left, the last one first. Refuses `validation_failed` and
 * names the kit and the component: for components where none come back, a component that is named twice or not of the kit, and more of one
 * than the kits have.
 */
export function returnedParts(
  {
    at,
    line,
    item,
    held,
  }: { readonly at: string; readonly line: Line; readonly item: NewReturnItem; readonly held: Micro },
  parts: PartsLeft,
): readonly MovedPart[] | Refusal {
  const { components: sent } = item
  if (sent !== undefined && line.components.length === 0)
    return invalid(`${at}.components`, `${nameOf(line)} is no kit`)
  if (!comesIn(item)) {
    if (sent === undefined || line.components.length === 0) return []
    return invalid(`${at}.components`, `nothing of the kit ${nameOf(line)} comes in with this line`)
  }
  const less = new Map<string, { readonly field: string; readonly quantity: Micro }>()
  for (const [index, { item_variant_id: id, quantity }] of (sent ?? []).entries()) {
    const field = `${at}.components[${index}]`
    const part = line.components.find(({ item_variant_id: own }) => own === id)
    if (part === undefined) return invalid(`${field}.item_variant_id`, `is no component of the kit ${nameOf(line)}`)
    if (less.has(id)) return invalid(`${field}.item_variant_id`, `${nameOf(componentName(line, part))} appears twice`)
    less.set(id, { field, quantity })
  }
  const back: MovedPart[] = []
  for (const part of line.components) {
    const share = shareOf(part, { kits: item.quantity, held, shipped: line.shipped_quantity })
    const { field, quantity } = less.get(part.item_variant_id) ?? { field: '', quantity: share }
    if (quantity > share)
      return invalid(
        `${field}.quantity`,
        `at most ${formatMicro(share)} of ${nameOf(componentName(line, part))} come back with so many kits`,
      )
    back.push(...intoBatches(part, quantity, parts))
  }
  return back
}

function intoBatches(part: Component, quantity: Micro, parts: PartsLeft): readonly MovedPart[] {
  const shown = { item_variant_id: part.item_variant_id, sku: part.sku, title: part.title, value: null }
  const back: MovedPart[] = []
  let wanted = quantity
  for (const next of parts.filter(({ part: { partId } }) => partId === part.item_variant_id)) {
    const taken = lesser(next.left, wanted)
    if (taken <= 0n) continue
    next.left -= taken
    wanted -= taken
    back.push({ ...shown, quantity: taken, batch_id: next.part.batchId, batch_number: next.part.batchNumber })
  }
  return back
}

/** The stock value at which a component comes back: the average value at which it left for the line. */
export function valueBack(line: Line, { item_variant_id: id, quantity }: MovedPart): bigint {
  const part = line.components.find(({ item_variant_id: own }) => own === id)
  return part === undefined || part.shipped_quantity === 0n
    ? 0n
    : divideRounded(quantity * part.shipped_value, part.shipped_quantity)
}
