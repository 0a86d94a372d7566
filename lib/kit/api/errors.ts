/**
 * The catalogue of error codes, and the refusal value (docs/rules/requests.md). A noun declares its own codes. A refusal is expected and
 * returned. It must never be thrown, and its message must never contain anything internal.
 */

/** The status of an answer with a code, and the code's description for callers. */
type Meaning = { readonly status: number; readonly meaning: string }

const common = {
  validation_failed: {
    status: 400,
    meaning: 'The request is malformed, or names something that is not there; the message names the field.',
  },
  unauthorized: { status: 401, meaning: 'The API key is missing, malformed, unknown, expired or revoked.' },
  SUBSCRIPTION_LIMIT: { status: 402, meaning: 'The SKU limit of the free plan would be exceeded.' },
  forbidden: {
    status: 403,
    meaning: 'The API key lacks the scope that the message names, or its tenant is suspended.',
  },
  not_found: { status: 404, meaning: 'No such path, or no such record in this tenant.' },
  method_not_allowed: { status: 405, meaning: 'The path exists, but not with this method; see the Allow header.' },
  conflict: {
    status: 409,
    meaning:
      'The Idempotency-Key was used before for another request, or another record stands in the way: see the message.',
  },
  insufficient_stock: { status: 409, meaning: 'There is not enough stock; nothing was moved.' },
  stock_changed: { status: 409, meaning: 'The stock is not what the caller expected; nothing was changed.' },
  already_reversed: { status: 409, meaning: 'The document is reversed; it cannot be reversed a second time.' },
  precondition_failed: { status: 412, meaning: 'The record is another than the ETag of If-Match says.' },
  payload_too_large: { status: 413, meaning: 'The body is larger than this endpoint takes.' },
  unsupported_media_type: { status: 415, meaning: 'The body must be application/json.' },
  unprocessable: {
    status: 422,
    meaning: 'The document date is in a closed period or in the future, or the state forbids it.',
  },
  not_applied: { status: 424, meaning: 'Another entry of the bulk was refused, so this one was not done either.' },
  rate_limited: { status: 429, meaning: 'Too many requests; wait for the seconds in Retry-After.' },
  document_quota_exceeded: {
    status: 429,
    meaning: "The key's daily document quota is spent; Retry-After runs to midnight UTC.",
  },
  internal_error: { status: 500, meaning: 'An unexpected fault; the request_id helps support to find it.' },
  service_unavailable: {
    status: 503,
    meaning: 'No answer in time, or a dependency is down; a retry with the same Idempotency-Key is safe.',
  },
} as const satisfies Record<string, Meaning>

declare const declared: unique symbol
/** Only `errorCode` makes this type, so a mistyped code does not compile. */
type DeclaredCode = string & { readonly [declared]: true }
export type ErrorCode = keyof typeof common | DeclaredCode

/** Codes that nouns declare. The nouns' modules fill it while they load. */
const ofNouns = new Map<string, Meaning & { readonly at: string }>()

/** Declares a code that only commands of one noun use. `{ url }` is the noun's `import.meta`. */
export function errorCode({ url }: Pick<ImportMeta, 'url'>, code: string, meaning: Meaning): DeclaredCode {
  ofNouns.set(code, { ...meaning, at: url })
  return code as DeclaredCode
}

/** All codes with their statuses: first the common ones, then those of nouns, in the order of the declaring folders. */
export function errorCatalogue(): ReadonlyMap<ErrorCode, Meaning> {
  const found = [...ofNouns].sort(([, one], [, other]) => (one.at < other.at ? -1 : Number(one.at > other.at)))
  const all = [...Object.entries(common), ...found.map(([code, { at: _, ...meaning }]) => [code, meaning] as const)]
  return new Map(all.sort(([, one], [, other]) => one.status - other.status) as [ErrorCode, Meaning][])
}

export function meaningOf(code: ErrorCode): Meaning {
  const meaning = code in common ? common[code as keyof typeof common] : ofNouns.get(code)
  if (meaning === undefined) throw new Error(`no noun declares the error code ${code}`)
  return meaning
}

/** An expected "no": the code, the reason for the caller, and headers. */
export type Refusal = {
  readonly refusal: ErrorCode
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
  /** Only the security telemetry reads it; callers do not see it. */
  readonly reason?: 'reference'
  /** Records whose details go into the message. They are read only if the refusal is sent (`mention`). */
  readonly mentions?: readonly Mention[]
}

/**
 * The query for the details of records in a message: `$1` the tenant, `$2` their ids; rows of `id` and `words`. An id without a row gets no
 * details.
 */
export type Words = { readonly text: string }
export type Mention = { readonly words: Words; readonly id: string }

/** A character that no text of this service or of a caller contains. */
const MARK = '\u0000'

/** A placeholder for a record's details in a message, until `withWords` replaces it. The refusal's `mentions` name the same record. */
export const mention = (id: string): string => `${MARK}${id}${MARK}`

/** The refusal with its details. */
export function withWords({ mentions: _, ...refusal }: Refusal, words: ReadonlyMap<string, string>): Refusal {
  const parts = refusal.message.split(MARK)
  const message = parts.map((part, at) => (at % 2 === 0 ? part : asOneFault(words.get(part) ?? ''))).join('')
  return { ...refusal, message }
}

/** A text without `; `, which separates faults. */
export const asOneFault = (text: string): string => text.replaceAll(/; +/g, ';')

/** Builds a refusal; `message` names the field and the reason (`items[0].quantity: must be greater than 0`). */
export function refuse(refusal: ErrorCode, message: string, headers?: Record<string, string>): Refusal {
  return headers ? { refusal, message, headers } : { refusal, message }
}

/** The most characters of a field's name that are shown: a caller's own name may be as long as the body. */
const FIELD_LENGTH_MAX = 200
/** The most faults in one message. */
export const FAULTS_MAX = 10

/** Matches every field name that the API declares. Other names come from the caller. */
const PLAIN_NAME = /^[^\s":;]+$/

/**
 * A `validation_failed` that names its field. Its text is `FIELD: REASON` and contains no `; `, which separates faults. A name that is not
 * plain becomes a JSON string, and a reason loses the spaces after a semicolon.
 */
export function invalid(field: string, reason: string): Refusal {
  const short = field.length > FIELD_LENGTH_MAX ? `${field.slice(0, FIELD_LENGTH_MAX)}...` : field
  const name = PLAIN_NAME.test(short) ? short : JSON.stringify(short).replaceAll(';', '\\u003b')
  return refuse('validation_failed', `${name}: ${asOneFault(reason)}`)
}

const FIRST_FIELD = /^("(?:[^"\\]|\\.)*"|[^\s":;]+): /s

/** The fields in the message of a `validation_failed`, each once. Empty for other refusals. */
export function fieldsOf({ refusal, message }: Refusal): readonly string[] {
  if (refusal !== 'validation_failed') return []
  const named = message.split('; ').flatMap(fault => FIRST_FIELD.exec(fault)?.[1] ?? [])
  const names = named.map((field): string => (field.startsWith('"') ? JSON.parse(field) : field))
  return [...new Set(names)].slice(0, FAULTS_MAX)
}

/** One refusal for several faults: the first ten, joined by `; `. Further faults are not computed. */
export function allInvalid(faults: Iterable<Refusal>): Refusal {
  const named = [...Iterator.from(faults).take(FAULTS_MAX)]
  const mentions = named.flatMap(fault => fault.mentions ?? [])
  const refusal = {
    ...refuse('validation_failed', named.map(({ message }) => message).join('; ')),
    ...(mentions.length > 0 ? { mentions } : {}),
  }
  return named.some(({ reason }) => reason === 'reference') ? { ...refusal, reason: 'reference' } : refusal
}

/**
 * The decisions on the lines of a body, in order, or a refusal for all. When the first refused line is `validation_failed`, later lines are
 * decided only to name their faults, too, up to ten.
 */
export function decideEach<T, R>(
  lines: readonly T[],
  decide: (line: T, index: number) => R | Refusal,
): readonly R[] | Refusal {
  const decided: R[] = []
  const faults: Refusal[] = []
  for (const [index, line] of lines.entries()) {
    const one = decide(line, index)
    if (!isRefusal(one)) decided.push(one)
    else if (one.refusal === 'validation_failed') faults.push(one)
    else if (faults.length === 0) return one
    if (faults.length === FAULTS_MAX) break
  }
  return faults.length === 0 ? decided : allInvalid(faults)
}

/**
 * As `invalid`, for a reference to a record that this tenant does not have, whether another tenant has it or none (`noSuch('supplier_id',
 * 'supplier')`). The security telemetry counts these separately: many of them mean that a caller tries ids.
 */
export function noSuch(field: string, noun: string): Refusal {
  return { ...invalid(field, `no such ${noun}`), reason: 'reference' }
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'refusal' in value
}

/** The HTTP status of a refusal. */
export function statusOf(refusal: Refusal): number {
  return meaningOf(refusal.refusal).status
}
