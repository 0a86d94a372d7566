/** Many writes with one request: the same methods make its entries, and each result is typed by its entry. */
import type { Entry } from './entry.ts'
import type { ApiError } from './errors.ts'
import { Api, type BulkBody, type Writes } from './generated.ts'
import { newKey } from './key.ts'
import type { ConditionalOptions, ReadOptions } from './options.ts'
import { etagOf } from './response.ts'

export type BulkOptions = ReadOptions & {
  /** `each` (default): what is refused leaves the others alone. `all`: one transaction. */
  readonly mode?: BulkBody['mode']
  /** As of a write; with mode `all` alone. Entries run on what those before them did. */
  readonly dryRun?: boolean | undefined
}

/** What became of an entry. */
export type BulkResult<Answer> =
  | {
      readonly ok: true
      readonly idempotency_key: string
      readonly status: number
      /** Whether it is the recorded answer of an earlier write with the same key. */
      readonly replayed: boolean
      readonly body: Answer
    }
  | {
      readonly ok: false
      readonly idempotency_key: string
      readonly status: number
      readonly replayed: boolean
      readonly error: ApiError
    }

/** The results of these entries, in their order. */
export type BulkResults<Given extends readonly Entry<unknown>[]> = {
  -readonly [Index in keyof Given]: Given[Index] extends Entry<infer Answer> ? BulkResult<Answer> : never
}

const noReads = () => {
  throw new TypeError('a bulk takes writes alone')
}

/**
 * Every write as an entry of a bulk: `writes.salesOrders.create({ ... })` sends nothing, `millrace.bulk([...])` does. Of the
 * options `idempotencyKey` and `ifMatch` count.
 */
export const writes: Writes = /* @__PURE__ */ new Api({
  read: noReads,
  list: noReads,
  stream: noReads,
  write: (method: string, path: string, body: unknown, options: ConditionalOptions = {}) => ({
    method,
    path,
    idempotency_key: options.idempotencyKey ?? newKey(),
    ...(options.ifMatch === undefined ? {} : { if_match: etagOf(options.ifMatch) }),
    ...(body === undefined ? {} : { body }),
  }),
} as never) as unknown as Writes
