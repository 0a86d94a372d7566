/** The demo roastery's corrections: a breakage that was booked twice, and taken back once. */
import type { Ids, Write } from './fill.ts'

/** Two adjustments, the first of them reversed. */
export async function fillCorrections(write: Write, { variant, place }: Ids, externalRef: string): Promise<void> {
  const broken = {
    storage_place_id: place('SHOP'),
    reason: 'DAMAGE',
    notes: 'Broken in the shop',
    items: [{ item_variant_id: variant('DRP-BLK'), quantity: -1 }],
  }
  const { id } = await write('/stock-adjustments', broken, 'broken-twice')
  await write(`/stock-adjustments/${id}/reverse`, { reason: 'Booked twice' }, 'broken-twice-reversed')
  await write('/stock-adjustments', { ...broken, external_ref: externalRef }, 'broken')
}
