/** Numbers of batches that lines name by their ids alone. */
import type { ExactApi } from '../../exact.ts'
import { inGroups } from '../../patterns/groups.ts'

/** Empty for a key that may not read stock. */
export async function readBatches(
  { api, can }: { readonly api: ExactApi; readonly can: (scope: string) => boolean },
  ids: readonly (string | null)[],
  options: { readonly signal: AbortSignal },
): Promise<ReadonlyMap<string, string>> {
  if (!can('read:stock')) return new Map()
  const wanted = [...new Set(ids.filter(id => id !== null))]
  const pages = await Promise.all(inGroups(wanted).map(id => api.batches.list({ id, limit: id.length }, options)))
  return new Map(pages.flatMap(({ data }) => data.map(batch => [batch.id, batch.number] as const)))
}
