/** How an import reaches the service: what the command line and the portal each give it. */
import type { CellFault } from './rows.ts'
import { type Fields, fieldsIn } from './values.ts'

/** The import cannot continue: the service is away, or no further row could succeed. */
export class ImportStopped extends Error {
  override name = 'ImportStopped'
}

/** A write with its Idempotency-Key. */
export type Entry = {
  readonly method: 'POST' | 'PATCH'
  readonly path: string
  readonly key: string
  readonly body: Fields
  /** Writes that a dry run does before it: of what they made nothing is left. */
  readonly after?: readonly Entry[]
}

/** Why the service refused. `faults` are the fields that it named. */
export type Refusal = { readonly code: string; readonly message: string; readonly faults: readonly CellFault[] }

export type Result =
  | { readonly isReplay: boolean; readonly body: Fields }
  | { readonly isReplay: boolean; readonly refusal: Refusal }

export type Service = {
  /** Whether writes are run dry: what was answered is not there afterwards. */
  readonly isDry: boolean
  /** How many writes a dry run does together. */
  readonly entriesMax: number
  /** The record or page at the path; null for 404. */
  readonly read: (path: string) => Promise<Fields | null>
  /**
   * Sends writes in the order of the calls.
   * @throws ImportStopped, or an error of the caller's own, where no further write could succeed
   */
  readonly write: (entry: Entry) => Promise<Result>
  /** A short hash of a body, for its Idempotency-Key. */
  readonly hash: (text: string) => string
}

const PAGE_ROWS = 200

/** The first record of a list, or null. `query` has no `limit`. */
export async function findFirst(service: Service, path: string, query: string): Promise<Fields | null> {
  const page = await service.read(`${path}?limit=1&${query}`)
  return fieldsIn(page?.['data'])[0] ?? null
}

/** All records of a list. */
export async function* findAll(service: Service, path: string, query = ''): AsyncGenerator<Fields> {
  for await (const page of pagesOf(service, path, query)) yield* page
}

/** The pages of a list. */
export async function* pagesOf(service: Service, path: string, query = ''): AsyncGenerator<readonly Fields[]> {
  let cursor = ''
  do {
    const at = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const page = await service.read(`${path}?limit=${PAGE_ROWS}${query === '' ? '' : `&${query}`}${at}`)
    yield fieldsIn(page?.['data'])
    cursor = String(page?.['next_cursor'] ?? '')
  } while (cursor !== '')
}

/**
 * The fields that a refusal names: `field: reason; field: reason`. A reason holds no `; `. A field that is not one word is a JSON string.
 */
export const faultsIn = (message: string): readonly CellFault[] =>
  message.split('; ').flatMap(fault => {
    const [, field = '', reason = ''] = /^("(?:[^"\\]|\\.)*"|[^\s":;]+): (.*)$/s.exec(fault) ?? []
    return field === '' ? [] : [{ column: field.startsWith('"') ? String(JSON.parse(field)) : field, reason }]
  })

/** The faults of a refusal; of one that names no field the message. */
export const faultsOf = ({ faults, message }: Refusal): readonly CellFault[] =>
  faults.length > 0 ? faults : [{ column: null, reason: message }]

/** Faults in one line of words. */
export const faultText = (faults: readonly CellFault[]): string =>
  faults.map(({ column, reason }) => (column === null ? reason : `${column}: ${reason}`)).join('; ')
