/** Makes the `kit.changed` events of a command from the positions that it changed. Pure. */
import type { DomainEvent } from '../../../kit/api/endpoint.ts'
import type { Micro } from '../../../platform/decimal.ts'
import { kitChange, kitRow } from '../../catalogue/kits/available-rules.ts'
import { availableOf, type Position, positionKey, type Stock, type Totals, totalsOf } from '../stock.ts'
import type { Kit, Kits } from './kits.ts'

/** Changed positions, with their totals before. */
type Touched = ReadonlyMap<Position, Totals>

type KitAt = { readonly kit: Kit; readonly storagePlaceId: string | null }

/** The kits whose components changed, each once for each place. */
export function kitsTouched(kits: Kits, touched: Touched): readonly KitAt[] {
  const found = new Map<string, KitAt>()
  for (const { itemVariantId, storagePlaceId } of touched.keys())
    for (const kit of kits.byPart.get(itemVariantId) ?? [])
      found.set(positionKey({ itemVariantId: kit.id, storagePlaceId }), { kit, storagePlaceId })
  return [...found.values()]
}

/**
 * One event for each kit and place whose available quantity changed.
 * @param hadRow whether a position had a balance before the command
 */
export function kitChanges(
  { stock, kits }: { readonly stock: Stock; readonly kits: Kits },
  { touched, hadRow }: { readonly touched: Touched; readonly hadRow: (position: Position) => boolean },
): DomainEvent[] {
  return kitsTouched(kits, touched).flatMap(({ kit: { id, sku, parts }, storagePlaceId }) => {
    const isMain = storagePlaceId === kits.mainPlaceId
    const known = parts.map(({ itemVariantId, each }) => {
      const key = positionKey({ itemVariantId, storagePlaceId })
      const stored = kits.levels.get(key) ?? null
      const position = stock.positions.get(key)
      return position === undefined ? { each, before: stored, after: stored } : { each, ...ofPosition(position) }
    })
    const rowAt = (time: 'before' | 'after') =>
      kitRow(
        known.map(level => ({ each: level.each, available: level[time] })),
        isMain,
      )
    return kitChange({ id, sku, storagePlaceId }, rowAt('before'), rowAt('after'))
  })

  function ofPosition(position: Position): { readonly before: Micro | null; readonly after: Micro | null } {
    const before = touched.get(position)
    const now = availableOf(totalsOf(position))
    const isThere = hadRow(position)
    if (before === undefined) return { before: isThere ? now : null, after: isThere ? now : null }
    return { before: isThere ? availableOf(before) : null, after: now }
  }
}
