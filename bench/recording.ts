/**
 * Takes down the statements that a chain of commands or a read sends to Postgres, and spells them again with fresh keys, so
 * that the very same SQL can be run bare. It must not execute anything itself.
 */

export type Statement = { readonly sql: string; readonly values: readonly unknown[] }

/** One command's transaction as it was sent. */
export type Transaction = {
  readonly statements: readonly Statement[]
  readonly idempotencyKey: string
  readonly requestId: string
  /** The tenant's event sequence after it. */
  readonly eventSequence: number
}

/** The transactions of one chain, and what must differ from round to round: ids and numbers of its documents. */
export type Recording = {
  readonly transactions: readonly Transaction[]
  readonly documentIds: readonly string[]
  readonly documentNumbers: readonly string[]
}

type OutboxRow = { sequence: string; body: string }
type Round = { readonly lane: number; readonly n: number }

const isOutbox = (value: unknown): boolean => typeof value === 'string' && value.startsWith('[{"sequence":')

const eventsOf = ({ statements }: Transaction): number =>
  statements
    .flatMap(({ values }) => values)
    .filter((value): value is string => isOutbox(value))
    .reduce((sum, value) => sum + (JSON.parse(value) as unknown[]).length, 0)

/** The values of the nth repetition of a statement. */
export function freshValues(
  recording: Recording,
  transaction: Transaction,
  statement: Statement,
  round: Round,
): unknown[] {
  const eventsPerChain = recording.transactions.reduce((sum, each) => sum + eventsOf(each), 0)
  const sequence = transaction.eventSequence + (round.n + 1) * eventsPerChain
  const freshOf = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(freshOf)
    if (typeof value !== 'string') return value
    if (isOutbox(value)) return renumbered(value, sequence)
    let fresh = value
      .replace(/(?<="event_sequence":")\d+(?=")/, String(sequence))
      .replaceAll(
        transaction.idempotencyKey,
        `bare-${transaction.idempotencyKey.slice(0, 12)}-${round.lane}-${round.n}`,
      )
      .replaceAll(transaction.requestId, `req_bare-${round.lane}-${round.n}`)
    recording.documentIds.forEach((id, at) => {
      fresh = fresh.replaceAll(
        id,
        String(9_000_000_000_000 + at * 100_000_000_000 + round.lane * 10_000_000_000 + round.n),
      )
    })
    recording.documentNumbers.forEach((number, at) => {
      fresh = fresh.replaceAll(number, `BARE-${at}-${round.lane}-${round.n}`)
    })
    return fresh
  }
  return statement.values.map(freshOf)
}

function renumbered(value: string, last: number): string {
  const rows = JSON.parse(value) as OutboxRow[]
  return JSON.stringify(rows.map((row, at) => ({ ...row, sequence: String(last - rows.length + 1 + at) })))
}
