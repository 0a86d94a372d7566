/**
 * Takes down the statements that one command or read sends to Postgres, and spells them again with fresh keys, so that the
 * very same SQL can be run bare. It must not execute anything itself.
 */

export type Statement = { readonly sql: string; readonly values: readonly unknown[] }

/** What makes a recorded write one of its own, and must differ from round to round. */
export type Recording = {
  readonly statements: readonly Statement[]
  readonly idempotencyKey: string
  readonly requestId: string
  readonly documentId: string
  readonly documentNumber: string
  readonly eventSequence: number
}

type OutboxRow = { sequence: string; body: string }

/** The values of the nth repetition. */
export function freshValues(
  recording: Recording,
  statement: Statement,
  round: { readonly lane: number; readonly n: number },
): unknown[] {
  const eventsPerCommand = countEvents(recording)
  const sequence = recording.eventSequence + (round.n + 1) * eventsPerCommand
  const documentId = String(9_000_000_000_000 + round.lane * 1_000_000_000 + round.n)
  return statement.values.map(value => {
    if (typeof value !== 'string') return value
    if (value === String(recording.eventSequence)) return String(sequence)
    if (value.startsWith('[{"sequence":')) return renumbered(value, sequence, eventsPerCommand)
    return value
      .replaceAll(recording.idempotencyKey, `bare-${round.lane}-${round.n}`)
      .replaceAll(recording.requestId, `req_bare-${round.lane}-${round.n}`)
      .replaceAll(recording.documentId, documentId)
      .replaceAll(recording.documentNumber, `BARE-${round.lane}-${round.n}`)
  })
}

function countEvents(recording: Recording): number {
  for (const { values } of recording.statements) {
    for (const value of values)
      if (typeof value === 'string' && value.startsWith('[{"sequence":')) return (JSON.parse(value) as unknown[]).length
  }
  return 0
}

function renumbered(value: string, last: number, count: number): string {
  const rows = JSON.parse(value) as OutboxRow[]
  return JSON.stringify(rows.map((row, at) => ({ ...row, sequence: String(last - count + 1 + at) })))
}
