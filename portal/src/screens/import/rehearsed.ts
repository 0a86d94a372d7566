/** Tries an import by dry runs. These leave no records, so placeholders count for earlier entries. */
import type { ApiError, BulkResult } from '@millrace/client'
import type { Entry, Refusal, Result } from '../../../../imports/service.ts'
import { type Fields, fieldsIn } from '../../../../imports/values.ts'
import { VARIANTS_MAX } from '../../../../imports/variant-rows.ts'
import type { Told } from './gathered.ts'

/** No further line can be made: the plan's limit or the day's documents are used up. */
const FINAL = new Set(['SUBSCRIPTION_LIMIT', 'document_quota_exceeded'])
/** The most entries that a bulk takes. */
export const ENTRIES_MAX = 100

/** The key may make no more documents today, so a dry run ends here. */
class Spent extends Error {
  constructor() {
    super('The key may make no more documents today.')
  }
}

/** What the key and its tenant may still make. */
export type Room = {
  /** Documents that the key may still make today; infinite if the lines make none. */
  readonly documents: number
  /** Whether the tenant's plan limits the number of variants. */
  readonly isLimited: boolean
}

export type Send = (
  entries: readonly Entry[],
  how: { readonly mode: 'all' | 'each'; readonly dryRun?: boolean },
) => Promise<readonly BulkResult<Fields>[]>

/** A bulk in one transaction shows only one refusal. So the entries of a refused bulk are tried one by one. */
export function rehearsed({ documents, isLimited }: Room, burst: number) {
  /** The documents and variants that earlier entries would make. */
  let [made, variants] = [0, 0]
  return async (entries: readonly Entry[], send: Send): Promise<readonly Told<Result>[]> => {
    const dryRun = async (asked: readonly Entry[]) => {
      const before = [...new Set(asked.flatMap(({ after = [] }) => after))]
      const isCounted = isLimited && before.length === 0
      if (isCounted) before.push(...standIns(variants, Math.min(ENTRIES_MAX, burst) - asked.length))
      return (await send([...before, ...asked], { mode: 'all', dryRun: true })).slice(before.length)
    }
    const tell = (entry: Entry, result: BulkResult<Fields>): Told<Result> => {
      if (isFinal(result)) return { error: errorOf(result) }
      if (result.ok) {
        if (isNew(entry)) made++
        if (isLimited) variants += newVariants(entry, result.body)
      }
      return toldOf(result)
    }
    const told: Told<Result>[] = []
    const ended = () => told.find(each => 'error' in each)
    const ask = async (asked: readonly Entry[]): Promise<void> => {
      const results = await dryRun(asked)
      const isOneByOne = asked.length > 1 && results.some(({ ok }) => !ok)
      for (const [at, entry] of asked.entries()) {
        if (ended() !== undefined) return
        if (isOneByOne) await ask([entry])
        else if (results[at]) told.push(tell(entry, results[at]))
      }
    }
    // Entries that need others first are already large.
    const groups = entries.some(({ after = [] }) => after.length > 0) ? entries.map(entry => [entry]) : [entries]
    for (const group of groups) {
      let left = documents - made
      const full = group.findIndex(entry => isNew(entry) && left-- <= 0)
      const part = full < 0 ? group : group.slice(0, full)
      if (part.length > 0) await ask(part)
      if (part.length < group.length || ended() !== undefined) break
    }
    return entries.map((_, at) => told[at] ?? ended() ?? { error: new Spent() })
  }
}

/** The plan counts variants, and a dry run leaves none. So this many placeholders come first, for the variants of earlier entries. */
function standIns(variants: number, max: number): readonly Entry[] {
  const products = Math.min(Math.ceil(variants / VARIANTS_MAX), max)
  return Array.from({ length: products }, (_, at) => {
    const count = Math.min(VARIANTS_MAX, variants - at * VARIANTS_MAX)
    const body = { title: 'Stand-in', variants: Array.from({ length: count }, (_, n) => ({ title: `${n}` })) }
    return { method: 'POST', path: '/products', key: `stand-in-${at}`, body }
  })
}

/** How many variants a dry run made. */
function newVariants({ method, path, body }: Entry, made: Fields): number {
  if (!path.startsWith('/products')) return 0
  return method === 'POST'
    ? fieldsIn(made['variants']).length
    : fieldsIn(body['variants']).filter(({ id }) => id === undefined).length
}

const isNew = ({ method }: Entry): boolean => method === 'POST'

export const isFinal = (result: BulkResult<Fields>): boolean => !result.ok && FINAL.has(result.error.code)

export const errorOf = (result: BulkResult<Fields> | undefined): unknown =>
  result && !result.ok ? result.error : undefined

export function toldOf(result: BulkResult<Fields>): Told<Result> {
  const { replayed: isReplay } = result
  return { answer: result.ok ? { isReplay, body: result.body } : { isReplay, refusal: refusalOf(result.error) } }
}

const refusalOf = ({ code, message, fields }: ApiError): Refusal => ({
  code,
  message,
  faults: fields.map(({ field, reason }) => ({ column: field, reason })),
})
