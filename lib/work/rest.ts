/** The last round trip of loading: what needs ask for once all else is loaded, as the kits in which variants stand. Mostly there is none. */

import { askMore, type Needs } from '../kit/documents/needs.ts'
import type { Load } from '../kit/documents/question.ts'
import type { Work } from '../kit/documents/work.ts'
import type { RoundTripConnection } from '../platform/postgres/round-trip-pool.ts'

export async function loadRest(
  connection: RoundTripConnection,
  loaded: readonly { readonly work: Work; readonly needs: Needs }[],
  load: Load,
): Promise<void> {
  for (const { work, needs } of loaded) askMore(needs, load, work)
  const { queries } = load
  if (queries.length === 0) return
  load.take(await connection.send(queries), new Map(loaded.map(({ work }) => [work.tenant.id, work])))
}
