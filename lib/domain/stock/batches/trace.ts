/**
 * The trace of a batch, level by level (docs/rules/batches.md). The orders that consumed (or produced) the batches of a level lead to the
 * batches of the next level. This file decides which batches are followed and where the trace ends; `trace-queries.ts` reads a level.
 */
import type { Json, Reader } from '../../../kit/api/endpoint.ts'
import { lookUpOf } from '../../../kit/documents/reads.ts'
import { Batch } from './noun.ts'
import type { Direction } from './schemas.ts'
import { readLevel } from './trace-queries.ts'

const batchText = lookUpOf(Batch)

const LEVEL_MAX = 20
const ROWS_MAX = 5_000

/** The trace as JSON; null when the tenant has no such batch. All levels come from one snapshot. */
export async function traceBatch(
  reader: Reader,
  of: { readonly tenantId: string; readonly id: string; readonly direction: Direction },
): Promise<Json | null> {
  const { tenantId, id, direction } = of
  return reader.snapshot(async snapshot => {
    const batch = await snapshot.lookUp(batchText, id)
    if (batch === null) return null
    const rows: Json[] = []
    // Batches and orders that were found already. They are not followed again, so a circle ends and a row appears once.
    const batches = new Set([id])
    const orders = new Set<string>()
    let next: readonly string[] = []
    let truncated = false
    for (let level = 0; level === 0 || next.length > 0; level++) {
      const room = level > LEVEL_MAX ? 0 : ROWS_MAX - rows.length
      const found = await readLevel(snapshot, {
        tenantId,
        direction,
        level,
        first: level === 0 ? id : null,
        orders: next,
        known: [...batches],
        limit: room + 1,
      })
      truncated = found.length > room
      const shown = found.slice(0, room)
      for (const row of shown) if (row.batchId !== null) batches.add(row.batchId)
      rows.push(...shown.map(({ document }) => document))
      if (truncated) break
      next = [...new Set(shown.flatMap(({ leadsTo }) => leadsTo ?? []))].filter(order => !orders.has(order))
      for (const order of next) orders.add(order)
    }
    return `{"batch":${batch},"direction":"${direction}","truncated":${truncated},"rows":[${rows.join(',')}]}`
  })
}
