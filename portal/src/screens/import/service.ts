/** The service as an import of the portal reaches it: writes go in bulks, run dry or for good, and all wait for the key's rate. */
import { ApiError, type BulkResult, Millrace } from '@millrace/client'
import type { Entry, Refusal, Result, Service } from '../../../../imports/service.ts'
import { type Fields, readValue } from '../../../../imports/values.ts'
import { gathered, type Told } from './gathered.ts'
import { hashOf } from './hash.ts'

/** No further line could be made: the plan or the day's documents are spent. */
const FINAL = new Set(['SUBSCRIPTION_LIMIT', 'document_quota_exceeded'])
/** A bulk takes as many at most. Whoever reads with the same key needs some of its rate, too. */
const PART_MAX = 50
const ENTRIES_MAX = 100
const WAIT_MS = 1_000

/** What the key may still make in a dry run: documents of its day. The run ends there without a fault. */
export class Spent extends Error {
  override name = 'Spent'
}

type Sending = {
  readonly token: string
  /** How many requests the key may send at once. */
  readonly burst: number
  readonly signal: AbortSignal
}

/** What the key and its tenant may still make. */
export type Room = {
  /** Documents that are left of the key's day; infinite where the lines are none. */
  readonly documents: number
  /** Whether the tenant's plan has a limit. */
  readonly isLimited: boolean
}

/** How many lines are sent together. */
export const partOf = (burst: number): number => Math.max(1, Math.min(PART_MAX, Math.floor(burst / 2)))

/** @param room of a dry run; null: writes are done */
export function serviceOf({ token, burst, signal }: Sending, room: Room | null): Service {
  const client = new Millrace({ baseUrl: '', token, parse: readValue })
  const send = (entries: readonly Entry[], how: { readonly mode: 'all' | 'each'; readonly dryRun?: boolean }) =>
    client.bulk(
      entries.map(({ method, path, key, body }) => ({ method, path, idempotency_key: key, body })),
      { ...how, signal },
    ) as Promise<readonly BulkResult<Fields>[]>
  const ask = room === null ? done : rehearsed(room, burst)
  return {
    isDry: room !== null,
    hash: hashOf,
    read: path => patiently(signal, () => read(client, path, signal)),
    write: gathered(entries => ask(entries, send), partOf(burst)),
  }
}

type Send = (
  entries: readonly Entry[],
  how: { readonly mode: 'all' | 'each'; readonly dryRun?: boolean },
) => Promise<readonly BulkResult<Fields>[]>

async function done(entries: readonly Entry[], send: Send): Promise<readonly Told<Result>[]> {
  const results = await send(entries, { mode: 'each' })
  const last = results.findIndex(isFinal)
  return results.map((result, at) => (last >= 0 && at >= last ? { error: errorOf(results[last]) } : toldOf(result)))
}

/**
 * What would become of entries. Of a bulk that is done as a whole one refusal alone is shown: the entries of one that is refused are asked
 * one by one. Where the plan has a limit, entries are asked together with those before them that can be made: alone each of them would fit.
 */
function rehearsed({ documents, isLimited }: Room, burst: number) {
  const fine: Entry[] = []
  return async (entries: readonly Entry[], send: Send): Promise<readonly Told<Result>[]> => {
    const dryRun = (asked: readonly Entry[]) => send(asked, { mode: 'all', dryRun: true })
    const told = new Map<Entry, Told<Result>>()
    let left = documents - fine.filter(isNew).length
    let part = entries.filter(entry => !isNew(entry) || left-- > 0)
    const before = isLimited ? fine.slice(0, Math.max(0, Math.min(ENTRIES_MAX, burst) - part.length)) : []
    let results = part.length === 0 ? [] : (await dryRun([...before, ...part])).slice(before.length)
    if (results.some(({ ok }) => !ok) && !results.some(isFinal)) {
      const taken: Entry[] = []
      for (const entry of part)
        for (const result of await dryRun([entry])) {
          if (!isFinal(result)) told.set(entry, toldOf(result))
          if (result.ok || isFinal(result)) taken.push(entry)
        }
      part = taken
      results = isLimited && part.length > 0 ? (await dryRun([...before, ...part])).slice(before.length) : []
    }
    const last = results.findIndex(isFinal)
    for (const [at, entry] of part.entries()) {
      const result = results[at]
      if (last >= 0 && at >= last) told.set(entry, { error: errorOf(results[last]) })
      else {
        fine.push(entry)
        // Beside an entry that is refused, others are not applied: they would be.
        if (!told.has(entry))
          told.set(entry, { answer: { isReplay: false, body: result?.ok ? result.body : entry.body } })
      }
    }
    return entries.map(entry => told.get(entry) ?? { error: new Spent() })
  }
}

const isNew = ({ method }: Entry): boolean => method === 'POST'

const isFinal = (result: BulkResult<Fields>): boolean => !result.ok && FINAL.has(result.error.code)

const errorOf = (result: BulkResult<Fields> | undefined): unknown => (result && !result.ok ? result.error : undefined)

function toldOf(result: BulkResult<Fields>): Told<Result> {
  const { replayed: isReplay } = result
  return { answer: result.ok ? { isReplay, body: result.body } : { isReplay, refusal: refusalOf(result.error) } }
}

const refusalOf = ({ code, message, fields }: ApiError): Refusal => ({
  code,
  message,
  faults: fields.map(({ field, reason }) => ({ column: field, reason })),
})

/** A record by its reference, or a page of a list. */
async function read(client: Millrace, path: string, signal: AbortSignal): Promise<Fields | null> {
  const { pathname, searchParams } = new URL(path, 'http://service')
  const [, list = '', , ref] = pathname.split('/')
  const query = Object.fromEntries(searchParams)
  const name = list === 'supplier-items' ? 'supplierItems' : list
  const group = (client as unknown as Readonly<Record<string, Readable | undefined>>)[name]
  if (group === undefined) throw new TypeError(`nothing is read at ${path}`)
  try {
    const found =
      ref === undefined
        ? await group.list(query, { signal })
        : await group.getByRef(decodeURIComponent(ref), { signal })
    return found as Fields
  } catch (error) {
    // A text that cannot be looked up (400) names no record.
    if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return null
    throw error
  }
}

type Readable = {
  readonly list: (query: object, options: { readonly signal: AbortSignal }) => PromiseLike<unknown>
  readonly getByRef: (ref: string, options: { readonly signal: AbortSignal }) => Promise<unknown>
}

/** Repeats what the key's rate refuses: many reads wait for it together. */
async function patiently<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'rate_limited') throw error
      signal.throwIfAborted()
      const { retryAfterMs = WAIT_MS } = error
      await new Promise(resolve => setTimeout(resolve, retryAfterMs))
    }
}
