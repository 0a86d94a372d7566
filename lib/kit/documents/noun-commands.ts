/** The commands of nouns: what makes a record, what changes one, and what else happens to one. They are commands as command.ts has them. */
import type * as v from 'valibot'
import type { Actor, CommandEndpoint, Params, Schema } from '../api/endpoint.ts'
import type { Refusal } from '../api/errors.ts'
import { type ChangeOf, type CreateOf, changeBody, createBody, valuesOf } from '../fields/bodies.ts'
import { command, type Deciding, type Decision } from './command.ts'
import type { RecordOf } from './document.ts'
import { type Facts, free, type Need, type Needs, numberOf, type RefuseTaken, theRecord } from './needs.ts'
import { type AnyNoun, nameInIds, oneOf } from './noun.ts'
import { notFound } from './reads.ts'
import { replyOf } from './reply.ts'

type None = Record<never, never>
type NumberNeed = ReturnType<typeof numberOf>

/** What every command of a noun says, beside what it runs. */
type Words<B> = {
  readonly description: string
  /** A body for the documentation. */
  readonly example: unknown
  readonly refusals?: CommandEndpoint['refusals']
  /** What of the body can be judged by itself: asked before anything is looked at. */
  readonly form?: (body: B) => Refusal | null
  /** A body with rules between its fields: the schema with them. */
  readonly bodyOf?: (schema: v.GenericSchema<unknown, B>) => v.GenericSchema<unknown, B>
}

/** What comes with a new record: its number where it is counted, and whether its unique texts are taken. */
type OwnOfNew = { readonly number: NumberNeed; readonly refuseTaken: Need<RefuseTaken> }
type OwnOfOld<R> = { readonly record: Need<R | null>; readonly refuseTaken: Need<RefuseTaken> }

type Creation<B, N extends Needs, M extends Needs> = Words<B> & {
  /** Whether a success spends one of the key's daily documents. */
  readonly counts?: true
  readonly replay?: 200
  /** How many ids it usually takes; one unless said. */
  readonly ids?: (body: B) => number
  readonly needs?: (body: B, actor: Actor) => N
  readonly more?: (body: B, facts: Facts<N> & Facts<OwnOfNew>) => M
  readonly decide: (body: B, facts: Facts<OwnOfNew> & Facts<N> & Facts<M>, deciding: Deciding) => Decision | Refusal
}

/** `POST` of a new record. Its number and its unique texts are looked after: `facts.number`, `facts.refuseTaken`. */
export function creates<D extends AnyNoun, N extends Needs = None, M extends Needs = None>(
  of: D,
  {
    form = () => null,
    bodyOf = schema => schema,
    ids = () => 1,
    needs,
    more,
    decide,
    counts,
    ...words
  }: Creation<CreateOf<D>, N, M>,
): CommandEndpoint {
  type Seen = Facts<OwnOfNew> & Facts<N>
  const sent = { ...of.fields, ...of.create }
  const read = (body: unknown) => valuesOf(sent, body as CreateOf<D>)
  return command<Schema, Needs, Needs>({
    refusals: [],
    ...words,
    id: `create${nameInIds(of)}`,
    method: 'POST',
    path: of.path,
    tag: of.tag,
    scope: of.scopes.create ?? '',
    summary: `Create ${oneOf(of)}`,
    body: bodyOf(createBody(of)),
    success: 201,
    countsAsDocument: counts === true,
    reply: replyOf(of),
    ids: ({ body }) => ids(read(body)),
    needs: (request, actor) => {
      const body = read(request.body)
      const { number = null } = body as { readonly number?: string | null }
      return {
        number: numberOf(of.prefix === null ? null : of, number),
        refuseTaken: free(of, uniqueIn(of, body)),
        ...needs?.(body, actor),
      }
    },
    ...(more ? { more: ({ body }, facts) => more(read(body), facts as Seen) } : {}),
    decide: (request, facts, deciding) => {
      const body = read(request.body)
      return form(body) ?? decide(body, facts as Seen & Facts<M>, deciding)
    },
  })
}

type OfRecord<D extends AnyNoun, B> = { readonly record: RecordOf<D>; readonly body: B; readonly params: Params }

type Change<D extends AnyNoun, B, N extends Needs, M extends Needs> = Words<B> & {
  /** How many ids it usually takes; none unless said. */
  readonly ids?: (body: B) => number
  readonly needs?: (body: B, actor: Actor) => N
  /** Asked where the record is there. */
  readonly more?: (request: OfRecord<D, B>, facts: Facts<N>) => M
  readonly decide: (
    request: OfRecord<D, B>,
    facts: Omit<Facts<OwnOfOld<RecordOf<D>>>, 'record'> & Facts<N> & Facts<M>,
    deciding: Deciding,
  ) => Decision | Refusal
}

/** `PATCH` of a record that is there: where it is not, it is refused `not_found`. */
export function changes<D extends AnyNoun, N extends Needs = None, M extends Needs = None>(
  of: D,
  {
    form = () => null,
    bodyOf = schema => schema,
    ids = () => 0,
    needs,
    more,
    decide,
    ...words
  }: Change<D, ChangeOf<D>, N, M>,
): CommandEndpoint {
  type Seen = Facts<OwnOfOld<RecordOf<D>>> & Facts<N>
  const sent = { ...of.fields, ...of.change }
  const read = (body: unknown) => valuesOf(sent, body as ChangeOf<D>)
  return command<Schema, Needs, Needs>({
    refusals: [],
    ...words,
    id: `update${nameInIds(of)}`,
    method: 'PATCH',
    path: `${of.path}/{id}`,
    tag: of.tag,
    scope: of.scopes.update ?? '',
    summary: `Update ${oneOf(of)}`,
    body: bodyOf(changeBody(of)),
    success: 200,
    countsAsDocument: false,
    reply: replyOf(of),
    ifMatch: of,
    ids: ({ body }) => ids(read(body)),
    needs: ({ params, ...request }, actor) => {
      const body = read(request.body)
      return {
        record: theRecord(of, params['id']),
        refuseTaken: free(of, uniqueIn(of, body)),
        ...needs?.(body, actor),
      }
    },
    ...(more
      ? {
          more: ({ params, body }, facts) => {
            const { record } = facts as Seen
            return record === null ? {} : more({ record, params, body: read(body) }, facts as Seen)
          },
        }
      : {}),
    decide: ({ params, ...request }, facts, deciding) => {
      const body = read(request.body)
      const { record } = facts as Seen
      const malformed = form(body)
      if (malformed) return malformed
      return record === null ? notFound(of) : decide({ record, params, body }, facts as Seen & Facts<M>, deciding)
    },
  })
}

/** The unique texts that a body sends. */
function uniqueIn({ unique }: AnyNoun, body: object): Readonly<Record<string, string | null | undefined>> {
  const sent = body as Readonly<Record<string, string | null | undefined>>
  return Object.fromEntries(unique.flatMap((name: string) => (name in sent ? [[name, sent[name]]] : [])))
}
