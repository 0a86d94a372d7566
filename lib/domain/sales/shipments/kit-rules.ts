/**
 * The components that leave with a number of kits, from batches that the body names or first expired first out. Pure (docs/rules/kits.md).
 */

import { invalid, isRefusal, type Refusal } from '../../../kit/api/errors.ts'
import { divideRounded, formatMicro, type Micro } from '../../../platform/decimal.ts'
import { nameOf } from '../../stock/line-rules.ts'
import { issue } from '../../stock/posting-rules.ts'
import type { Demands } from '../../stock/shortage-rules.ts'
import { type Batch, type Cause, positionOf, type Stock } from '../../stock/stock.ts'
import type { MovedPart } from '../moved-parts.ts'
import { componentName } from '../orders/component-rules.ts'
import type { Component, Line } from '../orders/noun.ts'

/** A batch of a component that the body names; `at` is its place in the body. */
export type NamedPart = {
  readonly at: string
  readonly partId: string
  readonly batch: Batch
  readonly quantity: Micro
}

type SentPart = { readonly item_variant_id: string; readonly batch_id: string; readonly quantity: Micro }

/**
 * The batches that an entry of a shipment names. `at`: `items[3]`. Refuses `validation_failed` and names the kit and the component: for
 * components of a line that is no kit, components of another kit or without batches, and a batch that is of another variant or named twice.
 */
export function namedParts(
  stock: Stock,
  { at, line, sent }: { readonly at: string; readonly line: Line; readonly sent: readonly SentPart[] | undefined },
): readonly NamedPart[] | Refusal {
  if (sent === undefined) return []
  if (line.components.length === 0) return invalid(`${at}.components`, `${nameOf(line)} is no kit`)
  const seen = new Set<string>()
  const named: NamedPart[] = []
  for (const [index, { item_variant_id: partId, batch_id: batchId, quantity }] of sent.entries()) {
    const field = `${at}.components[${index}]`
    const part = line.components.find(({ item_variant_id: id }) => id === partId)
    if (part === undefined) return invalid(`${field}.item_variant_id`, `is no component of the kit ${nameOf(line)}`)
    const name = nameOf(componentName(line, part))
    if (!part.holds_stock || stock.variants.get(partId)?.batchTracked !== true)
      return invalid(`${field}.batch_id`, `${name} is not batch-tracked`)
    const batch = stock.batches.get(batchId)
    if (batch?.itemVariantId !== partId) return invalid(`${field}.batch_id`, `no such batch of ${name}`)
    if (seen.has(batchId)) return invalid(`${field}.batch_id`, `the batch ${batch.number} of ${name} appears twice`)
    seen.add(batchId)
    named.push({ at: field, partId, batch, quantity })
  }
  return named
}

/** The quantity of a component that leaves with this many kits. The last kits take all the rest. Never below 0. */
export function shareOf({ quantity, shipped_quantity: left }: Component, line: Line, kits: Micro): Micro {
  const shipped = line.shipped_quantity + kits
  const until = shipped === line.quantity ? quantity : divideRounded(quantity * shipped, line.quantity)
  return until > left ? until - left : 0n
}

/** The entry of a kit's line in a shipment. */
type KitEntry = {
  readonly line: Line
  readonly quantity: Micro
  readonly storagePlaceId: string | null
  /** `items[3]`; null if the body has no items. */
  readonly at: string | null
  readonly named: readonly NamedPart[]
}

/**
 * Takes as much of the components as is in stock. Refuses `validation_failed` if the named batches of a component add up to another
 * quantity than leaves.
 */
export function takeKit(
  stock: Stock,
  cause: Cause,
  { entry, demands }: { readonly entry: KitEntry; readonly demands: Demands },
): readonly MovedPart[] | Refusal {
  const parts: MovedPart[] = []
  for (const part of entry.line.components) {
    const taken = takePart(stock, cause, { entry, demands, part })
    if (isRefusal(taken)) return taken
    parts.push(...taken)
  }
  return parts
}

function takePart(
  stock: Stock,
  cause: Cause,
  { entry, demands, part }: { readonly entry: KitEntry; readonly demands: Demands; readonly part: Component },
): readonly MovedPart[] | Refusal {
  const { line, storagePlaceId, at } = entry
  const share = shareOf(part, line, entry.quantity)
  const named = entry.named.filter(({ partId }) => partId === part.item_variant_id)
  const name = componentName(line, part)
  const sum = named.reduce((total, { quantity }) => total + quantity, 0n)
  if (named[0] !== undefined && sum !== share)
    return invalid(
      `${named[0].at}.quantity`,
      `the batches of ${nameOf(name)} must be ${formatMicro(share)} together, not ${formatMicro(sum)}`,
    )
  if (share === 0n) return []
  const shown = { item_variant_id: part.item_variant_id, sku: part.sku, title: part.title }
  if (!part.holds_stock) return [{ ...shown, quantity: share, batch_id: null, batch_number: null, value: null }]
  const position = positionOf(stock, { itemVariantId: part.item_variant_id, storagePlaceId })
  const wanted = named.length === 0 ? [{ batch: undefined, quantity: share }] : named
  return wanted.flatMap(({ batch, quantity }) => {
    const of = batch === undefined ? null : { number: batch.number, batch }
    const demand = demands.of(name, { position, named: of, condition: 'sellable' })
    const { takes, missing } = issue(stock, cause, { position, quantity, batch, condition: 'sellable' })
    demand.needed += quantity
    demand.missing += missing
    if (missing > 0n && at !== null) demand.field ??= `${at}.quantity`
    return takes.map(({ level, quantity: taken, value }) => ({
      ...shown,
      quantity: taken,
      batch_id: level.batch?.id ?? null,
      batch_number: level.batch?.number ?? null,
      value,
    }))
  })
}

/** The components of a line after these left, or (`sign` -1n) after a reversal brought them back. */
export const afterParts = (line: Line, parts: readonly MovedPart[], sign: 1n | -1n): readonly Component[] =>
  line.components.map(part => {
    const own = parts.filter(({ item_variant_id: id }) => id === part.item_variant_id)
    if (own.length === 0) return part
    const sum = (of: (one: MovedPart) => bigint) => sign * own.reduce((total, one) => total + of(one), 0n)
    return {
      ...part,
      shipped_quantity: part.shipped_quantity + sum(({ quantity }) => quantity),
      shipped_value: part.shipped_value + sum(({ value }) => value ?? 0n),
    }
  })
