/** Puts words into refusals that a decision could not know: what they are about was not loaded, since a success does not need it. */
import { type Refusal, withWords } from '../kit/api/errors.ts'
import type { RoundTripConnection } from '../platform/postgres/round-trip-pool.ts'

/** One round trip where the refusal mentions records, none otherwise. */
export async function told(
  refusal: Refusal,
  { tenantId, connection }: { readonly tenantId: string; readonly connection: RoundTripConnection },
): Promise<Refusal> {
  if (refusal.mentions === undefined) return refusal
  const asked = Map.groupBy(refusal.mentions, ({ words }) => words.text)
  const answers = await connection.send(
    [...asked].map(([text, mentions]) => ({ text, values: [tenantId, mentions.map(({ id }) => id)] })),
  )
  return withWords(refusal, new Map(answers.flat().map(({ id, words }) => [id ?? '', words ?? ''])))
}
