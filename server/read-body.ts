/**
 * Reads a request body with koa-body and parses it strictly: a JSON object in UTF-8, no longer than the endpoint allows. The body is never
 * logged.
 */
import { setImmediate as otherWork } from 'node:timers/promises'
import type { Context } from 'koa'
import { koaBody } from 'koa-body'
import { bytesInWords, ENTRIES_MAX, MEMBERS_MAX } from '../lib/kit/api/body-limit.ts'
import { FAULTS_MAX, invalid, isRefusal, type Refusal, refuse } from '../lib/kit/api/errors.ts'
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
/** Readers by greatest length; there are about six lengths. */
const textReaders = new Map<number, ReturnType<typeof textReader>>()

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const NOT_ASCII = /[\u0080-\u00ff]/

type BodyLimits = { readonly bytesMax: number; readonly nestingMax?: number }

/**
 * Makes a value of a body and its length in bytes. It may wait for PostgreSQL and Redis only: other bodies wait for their turn meanwhile.
 */
type Make<T> = (body: JsonObject, bytes: number) => T | Refusal | Promise<T | Refusal>

/**
 * Reads the body as a JSON object with exact numbers and returns what `make` makes of it. Refusals: 415, 413 (longer than `bytesMax`), 400;
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
    // The client hung up before the reading began. Nobody reads this answer, and the server made no error.
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
