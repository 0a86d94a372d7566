/**
 * What a tool of the MCP server is: one value states its name, description, input, scopes and code. The list for clients, the checks of
 * their input, and the shape of results derive from it.
 */
import * as v from 'valibot'
import type { Millrace } from '../../../client/src/index.ts'
import type { Confirm } from './confirmation.ts'
import type { JsonSchema } from './outputs.ts'

/** What a tool may use besides its input. */
export type Context = {
  /** A client with the user's key. It ends with the client's request. */
  readonly millrace: Millrace
  readonly signal: AbortSignal
  readonly confirm: Confirm
}

export type Answer = {
  /** One sentence of ours. Texts of the tenant's records are only in `data`. Warnings of a draft also follow the sentence, as JSON. */
  readonly words: string
  readonly data: Readonly<Record<string, unknown>>
}

export type Tool = {
  readonly name: string
  readonly title: string
  /** For a model: what it answers, and when to use it. */
  readonly about: string
  /** The scopes that the key needs; the service checks them. */
  readonly scopes: readonly string[]
  /** Whether one of the scopes is enough to make the tool useful. */
  readonly anyScope: boolean
  readonly input: v.GenericSchema
  /** The schema of `data`. */
  readonly output: JsonSchema
  /** Whether it changes anything in the tenant. */
  readonly writes: boolean
  readonly run: (input: unknown, context: Context) => Promise<Answer>
}

type Declared<Input extends v.GenericSchema> = Omit<Tool, 'input' | 'writes' | 'anyScope' | 'run'> & {
  readonly input: Input
  readonly writes?: true
  readonly anyScope?: true
  readonly run: (input: v.InferOutput<Input>, context: Context) => Promise<Answer>
}

/** A tool whose `run` has the type of its checked input. */
export function tool<const Input extends v.GenericSchema>({ run, ...declared }: Declared<Input>): Tool {
  return {
    writes: false,
    anyScope: false,
    ...declared,
    run: (input, context) => run(input as v.InferOutput<Input>, context),
  }
}

/** A refusal of this server, in the form of the service's errors. */
export class ToolRefusal extends Error {
  override name = 'ToolRefusal'
  readonly code: string
  readonly request_id: string | null

  constructor(code: string, message: string, request_id: string | null = null) {
    super(message)
    this.code = code
    this.request_id = request_id
  }
}

const ROWS_DEFAULT = 20
const ROWS_MAX = 50
const WORDS_LENGTH_MAX = 200

const plain = (places: number) => new RegExp(`^\\d{1,15}(\\.\\d{1,${places}})?$`)
const decimal = (places: number, about: string) =>
  v.pipe(
    v.number(),
    v.minValue(0),
    v.check(value => plain(places).test(String(value)), `must have at most ${places} decimals`),
    v.description(about),
  )

/** Fields of inputs, each with a description. */
export const field = {
  words: (about: string) =>
    v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(WORDS_LENGTH_MAX), v.description(about)),
  id: (about: string) =>
    v.pipe(v.string(), v.regex(/^\d{1,19}$/, 'must be an id: digits as text'), v.description(about)),
  quantity: (about: string) =>
    v.pipe(
      v.number(),
      v.gtValue(0),
      v.check(value => plain(6).test(String(value)), 'must have at most 6 decimals'),
      v.description(about),
    ),
  price: (about: string) => decimal(6, about),
  percent: (about: string) => decimal(4, about),
  day: (about: string) => v.pipe(v.string(), v.isoDate(), v.description(about)),
  limit: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.maxValue(ROWS_MAX),
      v.description(`Rows at most; ${ROWS_DEFAULT} unless given.`),
    ),
    ROWS_DEFAULT,
  ),
  cursor: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(1000),
      v.description('`next_cursor` of the answer before, with everything else the same.'),
    ),
  ),
} as const

/** The rows of an answer, counted, and how to get more. */
export function rowsAnswer(what: string, rows: readonly unknown[], next_cursor: string, more: object = {}): Answer {
  const further = next_cursor === '' ? '' : ' There are more: call again with next_cursor as cursor.'
  return { words: `${what}: ${rows.length}.${further}`, data: { ...more, rows, next_cursor } }
}

/** A part of rows that came all at once, with a cursor like those of the service's lists. */
export function slice<T>(all: readonly T[], { limit, cursor = '0' }: { limit: number; cursor?: string | undefined }) {
  if (!/^\d{1,9}$/.test(cursor)) throw new ToolRefusal('validation_failed', 'cursor: is none of this answer')
  const end = Number(cursor) + limit
  return { rows: all.slice(Number(cursor), end), next_cursor: end < all.length ? String(end) : '' }
}
