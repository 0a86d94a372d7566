/** The demo's hold: drippers for a hotel that has not ordered yet. */
import type { DemoIds, DemoStep, Write } from '../../../kit/documents/examples.ts'

/** Nearly the longest time that a hold may have. */
const HELD_MS = 29 * 86_400_000

/** Makes one hold. It is the only write of its step: its `expires_at` differs with each run, so a repeat would not be the same request. */
async function fillHolds(write: Write, { variant }: DemoIds, externalRef: string): Promise<void> {
  const body = {
    external_ref: externalRef,
    expires_at: new Date(Date.now() + HELD_MS).toISOString(),
    notes: 'Hotel Schlachte decides after the tasting',
    items: [{ item_variant_id: variant('DRP-BLK'), quantity: 2 }],
  }
  await write('/reservations', body, 'hold')
}

export const demo: readonly DemoStep[] = [
  { name: 'holds', after: 'corrections', last: { path: '/reservations', externalRef: 'demo-hold' }, fill: fillHolds },
]
