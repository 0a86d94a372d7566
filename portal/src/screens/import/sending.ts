/** Sends the lines of an import in bulks, part by part: run dry to find every fault, or for good. */
import type { ApiError, BulkResult, Entry, Millrace } from '@millrace/client'
import type { Sent } from './entries.ts'
import type { Fault } from './rows.ts'

/** What became of a line. `known`: it was made by an earlier import. `fine`: it would be made. */
export type Outcome = 'made' | 'known' | 'fine' | readonly Fault[]
export type Told = { readonly sent: Sent; readonly outcome: Outcome }

/** No further line could be made: the plan or the day's documents are spent. */
const FINAL = new Set(['SUBSCRIPTION_LIMIT', 'document_quota_exceeded'])
/** A bulk takes as many at most. Whoever reads with the same key needs some of its rate, too. */
const PART_MAX = 50
const ENTRIES_MAX = 100

export type Sending = {
  readonly client: Millrace
  /** How many requests the key may send at once. */
  readonly burst: number
  readonly signal: AbortSignal
}

type Result = BulkResult<{ readonly id: string }>

const partsOf = (lines: readonly Sent[], { burst }: Sending): readonly (readonly Sent[])[] => {
  const size = Math.max(1, Math.min(PART_MAX, Math.floor(burst / 2)))
  return Array.from({ length: Math.ceil(lines.length / size) }, (_, part) =>
    lines.slice(part * size, (part + 1) * size),
  )
}

/** What the key and its tenant may still make. */
export type Room = {
  /** Documents that are left of the key's day; infinite where the lines are none. */
  readonly documents: number
  /** Whether the tenant's plan has a limit. */
  readonly isLimited: boolean
}

/**
 * What would become of each line now; lines beyond the key's documents are not told. Of a bulk that is done as a whole one refusal alone is
 * shown: the lines of one that is refused are asked one by one. Where the plan has a limit, lines are asked together with those before them that
 * can be made: alone each of them would fit.
 * @throws ApiError when no further line could be made, after it told of those that could.
 */
export async function* checked(
  lines: readonly Sent[],
  sending: Sending,
  { documents, isLimited }: Room,
): AsyncGenerator<readonly Told[]> {
  const fine: Sent[] = []
  for (const whole of partsOf(lines, sending)) {
    let part: readonly Sent[] = whole.slice(0, Math.max(0, documents - fine.length))
    if (part.length === 0) return
    const before = isLimited ? fine.slice(0, Math.max(0, Math.min(ENTRIES_MAX, sending.burst) - part.length)) : []
    let results = await dryRun([...before, ...part], sending)
    if (results.some(({ ok }) => !ok) && !results.some(isFinal)) {
      const alone: { readonly sent: Sent; readonly result: Result }[] = []
      for (const sent of part)
        for (const result of await dryRun([sent], sending)) {
          alone.push({ sent, result })
          if (!result.ok && !isFinal(result)) yield [{ sent, outcome: faultsOf(sent, result) }]
        }
      part = alone.flatMap(({ sent, result }) => (result.ok || isFinal(result) ? [sent] : []))
      results = isLimited && part.length > 0 ? await dryRun([...before, ...part], sending) : []
    }
    const last = results.findIndex(isFinal)
    const fitting = last < 0 ? part : part.slice(0, Math.max(0, last - before.length))
    fine.push(...fitting)
    yield fitting.map(sent => ({ sent, outcome: 'fine' }))
    throwFinal(results)
  }
}

const dryRun = (lines: readonly Sent[], sending: Sending) => bulk(lines, sending, { mode: 'all', dryRun: true })

/**
 * Makes what each line says.
 * @throws ApiError when no further line could be made.
 */
export async function* imported(lines: readonly Sent[], sending: Sending): AsyncGenerator<readonly Told[]> {
  for (const part of partsOf(lines, sending)) {
    const results = await bulk(part, sending, { mode: 'each' })
    const last = results.findIndex(isFinal)
    const told = last < 0 ? part : part.slice(0, last)
    yield told.flatMap((sent, index) => {
      const result = results[index]
      if (!result) return []
      return [{ sent, outcome: result.ok ? (result.replayed ? 'known' : 'made') : faultsOf(sent, result) } as const]
    })
    throwFinal(results)
  }
}

async function bulk(
  lines: readonly Sent[],
  { client, signal }: Sending,
  how: { readonly mode: 'all' | 'each'; readonly dryRun?: boolean },
): Promise<readonly Result[]> {
  const entries: readonly Entry<{ readonly id: string }>[] = lines.map(({ entry }) => entry)
  return client.bulk(entries, { ...how, signal })
}

const isFinal = (result: Result): boolean => !result.ok && FINAL.has(result.error.code)

function throwFinal(results: readonly Result[]): void {
  for (const result of results) if (!result.ok && isFinal(result)) throw result.error
}

/** A refusal in the words of the file's columns. */
function faultsOf({ row: { line } }: Sent, { error }: { readonly error: ApiError }): readonly Fault[] {
  if (error.fields.length === 0) return [{ line, column: null, reason: error.message }]
  return error.fields.map(({ field, reason }) => ({ line, column: field, reason }))
}
