/** Completes the messages of refusals with details of records that the decisions had not loaded, because a success does not need them. */
import { type Refusal, withWords } from '../kit/api/errors.ts'
import { claimOf } from '../pipeline/command.ts'
import type { RoundTripConnection } from '../platform/postgres/round-trip-pool.ts'
import type { TenantRun } from './tenant-run.ts'

/** One round trip for all runs if any refusal mentions records, else none. */
export async function wordRefusals(connection: RoundTripConnection, runs: Iterable<TenantRun>): Promise<void> {
  const unworded = [...runs].flatMap(run =>
    run.ended.flatMap(({ command, outcome }, at) =>
      outcome.kind === 'refused' && outcome.refusal.mentions ? [{ run, at, command, refusal: outcome.refusal }] : [],
    ),
  )
  if (unworded.length === 0) return
  const questions = unworded.flatMap(({ command: { tenantId }, refusal }) =>
    [...Map.groupBy(refusal.mentions ?? [], ({ words }) => words.text)].map(([text, mentions]) => ({
      refusal,
      query: { text, values: [tenantId, mentions.map(({ id }) => id)] },
    })),
  )
  const answers = await connection.send(questions.map(({ query }) => query))
  const words = new Map<Refusal, Map<string, string>>()
  for (const [at, { refusal }] of questions.entries()) {
    const known = words.get(refusal) ?? new Map()
    for (const row of answers[at] ?? []) known.set(row['id'] ?? '', row['words'] ?? '')
    words.set(refusal, known)
  }
  for (const { run, at, command, refusal } of unworded) {
    const worded = withWords(refusal, words.get(refusal) ?? new Map())
    run.ended[at] = { command, outcome: { kind: 'refused', refusal: worded } }
    const place = run.refused.findIndex(({ claim_id }) => claim_id === claimOf(command))
    const row = run.refused[place]
    if (row) run.refused[place] = { ...row, refusal: JSON.stringify(worded), message: worded.message }
  }
}
