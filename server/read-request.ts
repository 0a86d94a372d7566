/**
 * Reads a write. Its head: no query, the Idempotency-Key, the condition; a header that is given twice is refused. Its body, with koa-body and
 * strictly: a JSON object in UTF-8, no longer than the endpoint allows. The body is never logged.
 */
import { setImmediate as otherWork } from 'node:timers/promises'
import type { Context } from 'koa'
import { koaBody } from 'koa-body'
import { bytesInWords, ENTRIES_MAX, MEMBERS_MAX } from '../lib/kit/api/body-limit.ts'
import type { CommandEndpoint } from '../lib/kit/api/endpoint.ts'
import { FAULTS_MAX, invalid, isRefusal, type Refusal, refuse } from '../lib/kit/api/errors.ts'
import { readIfMatch, takesNoIfMatch } from '../lib/kit/api/if-match.ts'
import {
  JsonNumber,
  type JsonObject,
  JsonSyntaxError,
  NESTING_MAX,
  parseJson,
  parseLongJson,
} from '../lib/platform/json.ts'
import { takeForBytes } from './gate.ts'
import type { Services } from './services.ts'

const IDEMPOTENCY_KEY_LENGTH_MAX = 200

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const NOT_ASCII = /[\u0080-\u00ff]/

/**
 * Each value of a header that may be given once. Node joins repeated headers with commas, and a joined key would be another key. Only a
 * value with a comma is looked up again, because Node then parses all headers again.
 * @param name in lower case
 */
export function givenTimes({ req }: Context, name: string): readonly string[] {
  const joined = req.headers[name]
  if (joined === undefined) return []
  return typeof joined === 'string' && !joined.includes(',') ? [joined] : (req.headersDistinct[name] ?? [])
}

/** No write takes a query. */
export const refuseQuery = (ctx: Context): Refusal | undefined =>
  ctx.querystring === '' ? undefined : invalid(ctx.querystring.split(/[=&]/)[0] || 'query', 'is not a known parameter')

/** The key, trimmed, or the refusal: the key is missing, too long, or given twice. */
export function readIdempotencyKey(ctx: Context): string | Refusal {
  const given = givenTimes(ctx, 'idempotency-key')
  if (given.length > 1) return invalid('Idempotency-Key', 'is given more than once')
  const key = inUtf8(given[0] ?? '').trim()
  if (key === '') return invalid('Idempotency-Key', 'is required')
  if (key.length > IDEMPOTENCY_KEY_LENGTH_MAX && [...key].length > IDEMPOTENCY_KEY_LENGTH_MAX)
    return invalid('Idempotency-Key', `must have at most ${IDEMPOTENCY_KEY_LENGTH_MAX} characters`)
  return key
}

/** Node reads headers as Latin-1. curl sends UTF-8, and the key must equal the same key in the JSON of a bulk. */
function inUtf8(header: string): string {
  if (!NOT_ASCII.test(header)) return header
  try {
    return utf8.decode(Buffer.from(header, 'latin1'))
  } catch {
    return header
  }
}

/** The entity tag that the record must have, or `*`; undefined without a condition. */
export function readCondition(ctx: Context, endpoint: CommandEndpoint): string | undefined | Refusal {
  const given = givenTimes(ctx, 'if-match')
  const [first] = given
  if (first === undefined) return undefined
  if (!endpoint.takesIfMatch) return takesNoIfMatch('If-Match')
  return given.length > 1 ? invalid('If-Match', 'is given more than once') : readIfMatch('If-Match', first)
}

// koa-body's JSON parser is not used: it rounds numbers and keeps the last of duplicate keys. Latin-1 text keeps the raw bytes unchanged.
const textReader = (bytesMax: number) =>
  koaBody({
    json: false,
    multipart: false,
    urlencoded: false,
    text: true,
    textTypes: ['application/json'],
    textLimit: bytesMax,
    encoding: 'latin1',
  })
/** Readers by their greatest length. There are about six lengths. */
const textReaders = new Map<number, ReturnType<typeof textReader>>()

type BodyLimits = { readonly bytesMax: number; readonly nestingMax?: number }

/** Makes a value from a body and its length in bytes. It may wait for PostgreSQL and Redis only: other bodies wait for it meanwhile. */
type Make<T> = (body: JsonObject, bytes: number) => T | Refusal | Promise<T | Refusal>

/**
 * Reads the body as a JSON object with exact numbers and returns the result of `make`. Refusals: 415, 413 (longer than `bytesMax`), 400;
 * for a long body also 429 (its length counts for the rate) and 503 (not read in time).
 */
export async function withBody<T>(
  ctx: Context,
  limits: BodyLimits,
  { access, longBodies }: Services,
  make: Make<T>,
): Promise<T | Refusal> {
  const unsupported = checkType(ctx)
  if (unsupported) return unsupported
  const { bytesMax } = limits
  if (Number(ctx.get('Content-Length') || 0) > bytesMax) return tooLarge(bytesMax)
  const announced = announcedBytes(ctx)
  if (!longBodies.isLong(announced)) {
    const raw = await readBytes(ctx, bytesMax)
    return typeof raw === 'string' ? makeOf(raw, limits, make, false) : raw
  }
  const overRate = await takeForBytes(ctx, announced ?? 0, { isCheap: true }, access)
  if (overRate) return overRate
  return longBodies.inMemory(ctx, async () => {
    const raw = await readBytes(ctx, bytesMax)
    if (typeof raw !== 'string') return raw
    if (!longBodies.isLong(raw.length)) return makeOf(raw, limits, make, false)
    const refused = await takeForBytes(ctx, raw.length, { isCheap: false }, access)
    return refused ?? longBodies.inTurn(ctx, () => makeOf(raw, limits, make, true))
  })
}

/** The announced length; undefined for a chunked or compressed body. */
function announcedBytes({ req: { headers } }: Context): number | undefined {
  const coding = headers['content-encoding'] || 'identity'
  if (coding.toLowerCase() !== 'identity' || headers['transfer-encoding'] !== undefined) return undefined
  return Number(headers['content-length'] ?? 0)
}

async function makeOf<T>(latin1: string, limits: BodyLimits, make: Make<T>, isLong: boolean): Promise<T | Refusal> {
  const text = textOf(latin1)
  if (isLong) await otherWork()
  const body = isRefusal(text) ? text : await objectOf(text, limits, isLong)
  if (isRefusal(body)) return body
  if (isLong) await otherWork()
  return make(body, latin1.length)
}

function checkType(ctx: Context): Refusal | undefined {
  const [type = '', ...parameters] = ctx
    .get('Content-Type')
    .toLowerCase()
    .split(';')
    .map(part => part.trim())
  const charset = parameters
    .find(parameter => parameter.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '')
  if (type === 'application/json' && (charset === undefined || charset === 'utf-8' || charset === 'utf8'))
    return undefined
  return refuse('unsupported_media_type', 'Content-Type: must be application/json in UTF-8')
}

export const tooLarge = (bytesMax: number) =>
  refuse('payload_too_large', `body: must have at most ${bytesMax} bytes (${bytesInWords(bytesMax)}) here`)

async function readBytes(ctx: Context, bytesMax: number): Promise<string | Refusal> {
  try {
    const coding = ctx.req.headers['content-encoding']
    // Names of codings are case-insensitive (RFC 9110); the decoder expects lower case.
    if (coding) ctx.req.headers['content-encoding'] = coding.toLowerCase().replace(/^x-gzip$/, 'gzip')
    const readText = textReaders.get(bytesMax) ?? textReader(bytesMax)
    textReaders.set(bytesMax, readText)
    await readText(ctx as never, async () => {})
    const body: unknown = (ctx.request as { body?: unknown }).body
    return typeof body === 'string' ? body : ''
  } catch (error) {
    const { status, type, code } = error as { status?: number; type?: string; code?: string }
    if (type === 'entity.too.large') return tooLarge(bytesMax)
    // The client closed the connection before the reading began. Nobody reads this answer, and the server made no error.
    if (type === 'request.aborted' || ctx.req.destroyed) return invalid('body', 'ended too early')
    if (status === 415) return refuse('unsupported_media_type', 'Content-Encoding: is not supported')
    // Errors of zlib and brotli; the codes of brotli begin with ERR_.
    if (status === 400 || code?.startsWith('Z_') || code?.startsWith('ERR_'))
      return invalid('body', 'could not be decoded')
    throw error
  }
}

function textOf(latin1: string): string | Refusal {
  try {
    // ASCII text is the same in Latin-1 and UTF-8.
    return NOT_ASCII.test(latin1) ? utf8.decode(Buffer.from(latin1, 'latin1')) : latin1
  } catch {
    return invalid('body', 'is not valid UTF-8')
  }
}

async function objectOf(
  text: string,
  { nestingMax = NESTING_MAX }: BodyLimits,
  isLong: boolean,
): Promise<JsonObject | Refusal> {
  const limits = { nestingMax, membersKept: MEMBERS_MAX + FAULTS_MAX, entriesKept: ENTRIES_MAX + 1 }
  try {
    const value = isLong ? await parseLongJson(text, limits) : parseJson(text, limits)
    if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof JsonNumber)
      return invalid('body', 'must be a JSON object')
    return value
  } catch (error) {
    if (error instanceof JsonSyntaxError) return invalid(error.field, error.message)
    throw error
  }
}
