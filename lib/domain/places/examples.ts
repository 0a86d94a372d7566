/** The writes that lead to the events of storage places. */
import { type Answer, type Caller, type EventExamples, patched, posted } from '../../kit/documents/examples.ts'

const made = posted('/storage-places', { title: 'Triggered place' })

/** The id of a place: an existing one, or a new one for a tenant without places. */
export async function placeExample(caller: Caller): Promise<string> {
  const { data } = await caller.get('/storage-places?archived=false&limit=200')
  const found = data.find(({ is_main }: Answer) => is_main) ?? data[0]
  return found?.id ?? (await made(caller))
}

export const examples: EventExamples = {
  'storage_place.created': made,
  'storage_place.updated': patched('/storage-places', made, { archived: true }),
}
