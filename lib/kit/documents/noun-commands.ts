/**
 * The commands of nouns: what makes a record, what changes one, and what else happens to one. Each becomes a command of command.ts.
 * This file adds what every noun has in common (docs/rules/documents.md): the number of a new record, unique texts, the record of the
 * path's id, and decimals as BigInts.
 */
import type * as v from 'valibot'
import type { Actor, CheckSettings, CommandEndpoint, Params, Schema } from '../api/endpoint.ts'
import type { Refusal } from '../api/errors.ts'
import * as bodies from '../fields/bodies.ts'
import { command, type Deciding, type Decision } from './command.ts'
import type { RecordOf } from './document.ts'
import { refuseEntries } from './merging.ts'
import { type Facts, free, type Need, type Needs, numberOf, type RefuseTaken, theRecord } from './needs.ts'
import { type AnyNoun, nameInIds, oneOf } from './noun.ts'
import { notFound } from './reads.ts'
import { replyOf } from './reply.ts'

type None = Record<never, never>

/** What a command of a noun says beside what it decides. */
type Words<B> = {
  readonly description?: string
  /** A body for the documentation. */
  readonly example?: unknown
  readonly refusals?: CommandEndpoint['refusals']
  /** Whether a success spends one of the key's daily documents. */
  readonly counts?: true
  /** What of the body can be judged by itself: asked before anything is looked at. */
  readonly form?: (body: B) => Refusal | null
  /** What of the body needs the settings or the network to be checked: the server asks before it claims anything. */
  check?(settings: CheckSettings, body: B): Promise<Refusal | undefined>
} & Partial<Pick<CommandEndpoint, 'reply' | 'showsSecret'>>

// ---- new records

/** What is seen for every new record: its number where it is counted, and whether its unique texts are taken. */
type OfNew = { readonly number: ReturnType<typeof numberOf>; readonly refuseTaken: Need<RefuseTaken> }

type Creation<B, N extends Needs, M extends Needs> = Words<B> & {
  /** `Create a sales order`, unless it says otherwise. */
  readonly summary?: string
  readonly replay?: 200
  /** Rules between fields, as a part of the schema. */
  readonly bodyOf?: (schema: v.GenericSchema<unknown, B>) => v.GenericSchema<unknown, B>
  /** How many ids it usually takes; one unless said. */
  readonly ids?: (body: B) => number
  readonly needs?: (body: B, actor: Actor) => N
  readonly more?: (body: B, facts: Facts<N> & Facts<OfNew>) => M
  readonly decide: (body: B, facts: Facts<OfNew> & Facts<N> & Facts<M>, deciding: Deciding) => Decision | Refusal
}

function ofNew(of: AnyNoun, body: object): OfNew {
  const { number = null } = body as { readonly number?: string | null }
  return { number: numberOf(of.prefix === null ? null : of, number), refuseTaken: free(of, uniqueIn(of, body)) }
}

/** `POST` of a new record. */
export function creates<D extends AnyNoun, N extends Needs = None, M extends Needs = None>(
  of: D,
  creation: Creation<bodies.CreateOf<D>, N, M>,
): CommandEndpoint {
  type Body = bodies.CreateOf<D>
  type Seen = Facts<OfNew> & Facts<N>
  const {
    form = () => null,
    bodyOf = schema => schema,
    ids = () => 1,
    needs,
    more,
    decide,
    counts,
    ...words
  } = creation
  const sent = { ...of.fields, ...of.create }
  const read = (body: unknown) => bodies.valuesOf(sent, body as Body)
  return command<Schema, Needs, Needs>({
    refusals: [],
    reply: replyOf(of),
    summary: `Create ${oneOf(of)}`,
    ...words,
    id: `create${nameInIds(of)}`,
    method: 'POST',
    path: of.path,
    tag: of.tag,
    scope: of.scopes.create ?? '',
    body: bodyOf(bodies.createBody(of)),
    success: 201,
    countsAsDocument: counts === true,
    ids: request => ids(read(request.body)),
    needs: (request, actor) => {
      const body = read(request.body)
      return { ...needs?.(body, actor), ...ofNew(of, body) }
    },
    ...(more ? { more: (request, facts) => more(read(request.body), facts as Seen) } : {}),
    decide: (request, facts, deciding) => {
      const body = read(request.body)
      return form(body) ?? decide(body, facts as Seen & Facts<M>, deciding)
    },
  })
}

// ---- records that are there

/** What a command of a record is asked with. */
type Asked<D extends AnyNoun, B> = { readonly record: RecordOf<D>; readonly body: B; readonly params: Params }
type OfOld<D extends AnyNoun> = { readonly record: Need<RecordOf<D> | null>; readonly refuseTaken: Need<RefuseTaken> }

type OnRecord<D extends AnyNoun, B, N extends Needs, M extends Needs> = Words<B> & {
  /** How many ids it usually takes; none unless said. */
  readonly ids?: (body: B) => number
  readonly needs?: (body: B, actor: Actor, params: Params) => N
  /** Asked where the record is there. */
  readonly more?: (asked: Asked<D, B>, facts: Facts<N>) => M
  readonly decide: (
    asked: Asked<D, B>,
    facts: { readonly refuseTaken: RefuseTaken } & Facts<N> & Facts<M>,
    deciding: Deciding,
  ) => Decision | Refusal
}

/** What runs of a command of a record: where there is no such record, it is refused `not_found`. */
function unitOf<D extends AnyNoun, B, N extends Needs, M extends Needs>(
  of: D,
  sent: bodies.SentFields,
  { form = () => null, ids = () => 0, needs, more, decide }: OnRecord<D, B, N, M>,
) {
  type Seen = Facts<OfOld<D>> & Facts<N>
  type Request = { readonly params: Params; readonly body: unknown }
  const read = (body: unknown) => (body === null ? body : bodies.valuesOf(sent, body as object)) as B
  return {
    ids: (request: Request) => ids(read(request.body)),
    needs: ({ params, ...request }: Request, actor: Actor): Needs => {
      const body = read(request.body)
      const own = { record: theRecord(of, params['id']), refuseTaken: free(of, uniqueIn(of, body ?? {})) }
      return { ...own, ...needs?.(body, actor, params) }
    },
    ...(more && {
      more: ({ params, ...request }: Request, facts: Facts<Needs>): Needs => {
        const { record } = facts as Seen
        return record === null ? {} : more({ record, params, body: read(request.body) }, facts as Seen)
      },
    }),
    decide: ({ params, ...request }: Request, facts: Facts<Needs>, deciding: Deciding) => {
      const body = read(request.body)
      const { record } = facts as Seen
      const malformed = form(body)
      if (malformed) return malformed
      return record === null ? notFound(of) : decide({ record, params, body }, facts as Seen & Facts<M>, deciding)
    },
  }
}

type Change<D extends AnyNoun, N extends Needs, M extends Needs> = OnRecord<D, bodies.ChangeOf<D>, N, M> & {
  /** Rules between fields, as a part of the schema. */
  readonly bodyOf?: (schema: v.GenericSchema<unknown, bodies.ChangeOf<D>>) => v.GenericSchema
}

/** `PATCH` of a record. */
export function changes<D extends AnyNoun, N extends Needs = None, M extends Needs = None>(
  of: D,
  change: Change<D, N, M>,
): CommandEndpoint {
  const { bodyOf = schema => schema, form = () => null, ids, needs, more, decide, counts, ...words } = change
  return command<Schema, Needs, Needs>({
    refusals: [],
    reply: replyOf(of),
    ...words,
    id: `update${nameInIds(of)}`,
    method: 'PATCH',
    path: `${of.path}/{id}`,
    tag: of.tag,
    scope: of.scopes.update ?? '',
    summary: `Update ${oneOf(of)}`,
    body: bodyOf(bodies.changeBody(of)),
    success: 200,
    countsAsDocument: counts === true,
    ifMatch: of,
    ...unitOf(
      of,
      { ...of.fields, ...of.change },
      { ...change, form: body => form(body) ?? refuseEntries(of.fields, body) },
    ),
  })
}

type Action<D extends AnyNoun, F extends bodies.SentFields, N extends Needs, M extends Needs> = OnRecord<
  D,
  bodies.BodyOf<F>,
  N,
  M
> & {
  readonly summary: string
  readonly scope: string
  /** What its body sends; absent: it takes none. */
  readonly body?: F
} & Partial<Pick<CommandEndpoint, 'id' | 'path' | 'method' | 'success' | 'replay' | 'takesIfMatch' | 'tag'>>

/**
 * What else happens to a record: `POST` of the verb below it, which answers the record, unless the action says otherwise. `verb` begins the
 * endpoint's id: `start` of `startManufacturingOrder`.
 */
export function acts<
  D extends AnyNoun,
  const F extends bodies.SentFields = None,
  N extends Needs = None,
  M extends Needs = None,
>(of: D, verb: string, action: Action<D, F, N, M>): CommandEndpoint {
  const { body, form, ids, needs, more, decide, counts, takesIfMatch = true, ...words } = action
  return command<Schema | undefined, Needs, Needs>({
    refusals: [],
    id: `${verb}${nameInIds(of)}`,
    method: 'POST',
    path: `${of.path}/{id}/${verb}`,
    tag: of.tag,
    success: 200,
    ...(words.success === 204 ? {} : { reply: replyOf(of) }),
    ...words,
    ...(body ? { body: bodies.bodyOf(body) } : {}),
    countsAsDocument: counts === true,
    ...(takesIfMatch ? { ifMatch: of } : {}),
    ...unitOf(of, body ?? {}, action),
  })
}

type CreationBelow<P extends AnyNoun, B, N extends Needs, M extends Needs> = Words<B> & {
  /** `createSalesShipment`, unless it says otherwise. */
  readonly id?: string
  readonly summary: string
  /** How many ids it usually takes. */
  readonly ids: (body: B) => number
  readonly needs?: (body: B, actor: Actor) => N
  /** Asked where the record is there. */
  readonly more?: (asked: Asked<P, B>, facts: Facts<N> & Facts<OfNew>) => M
  readonly decide: (
    asked: Asked<P, B>,
    facts: Facts<OfNew> & Facts<N> & Facts<M>,
    deciding: Deciding,
  ) => Decision | Refusal
}

/** `POST` of a new record below the one that it belongs to: `/purchase-orders/{id}/receipts`. `If-Match` speaks of the latter. */
export function createsBelow<P extends AnyNoun, D extends AnyNoun, N extends Needs = None, M extends Needs = None>(
  parent: P,
  name: string,
  of: D,
  creation: CreationBelow<P, bodies.CreateOf<D>, N, M>,
): CommandEndpoint {
  type Body = bodies.CreateOf<D>
  const { form, ids, needs, more, decide, counts, ...words } = creation
  return command<Schema, Needs, Needs>({
    refusals: [],
    id: `create${nameInIds(of)}`,
    ...words,
    method: 'POST',
    path: `${parent.path}/{id}/${name}`,
    tag: parent.tag,
    scope: of.scopes.create ?? '',
    body: bodies.createBody(of),
    success: 201,
    countsAsDocument: counts === true,
    reply: replyOf(of),
    ifMatch: parent,
    ...unitOf<P, Body, N & OfNew, M>(
      parent,
      { ...of.fields, ...of.create },
      {
        ...creation,
        needs: (body, actor) => ({ ...needs?.(body, actor), ...ofNew(of, body) }) as N & OfNew,
      },
    ),
  })
}

/** The unique texts that a body sends. */
function uniqueIn({ unique }: AnyNoun, body: object): Readonly<Record<string, string | null | undefined>> {
  const sent = body as Readonly<Record<string, string | null | undefined>>
  return Object.fromEntries(unique.flatMap((name: string) => (name in sent ? [[name, sent[name]]] : [])))
}
