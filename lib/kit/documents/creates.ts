/**
 * The commands that make records: `creates`, and `createsBelow` another record. They add what all nouns share: the number of a new record,
 * unique texts, and decimals as BigInts (docs/rules/documents.md).
 */

import type * as v from 'valibot'
import type { Actor, CommandEndpoint, Schema } from '../api/endpoint.ts'
import type { Refusal } from '../api/errors.ts'
import * as bodies from '../fields/bodies.ts'
import { command, type Deciding, type Decision } from './command.ts'
import { namedIn } from './naming.ts'
import { type Facts, free, type Need, type Needs, numberOf, type RefuseTaken } from './needs.ts'
import { type AnyNoun, nameInIds, oneOf } from './noun.ts'
import { type Asked, uniqueIn, unitOf, type Words } from './on-record.ts'
import { replyOf } from './reply.ts'

type None = Record<never, never>

/** The needs of every new record: its counted number, and whether its unique texts are taken. */
type OfNew = { readonly number: ReturnType<typeof numberOf>; readonly refuseTaken: Need<RefuseTaken> }

type Creation<B, N extends Needs, M extends Needs> = Words<B> & {
  /** Default: `Create a sales order`. */
  readonly summary?: string
  readonly replay?: 200
  /** Rules between fields, as a part of the schema. */
  readonly bodyOf?: (schema: v.GenericSchema<unknown, B>) => v.GenericSchema<unknown, B>
  /** How many ids it usually takes. Default: 1. */
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
  const read = (body: unknown) => bodies.createdValues(sent, body as Body)
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
    named: request => namedIn(sent, request),
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

type CreationBelow<P extends AnyNoun, B, N extends Needs, M extends Needs> = Words<B> & {
  /** Default: `createSalesShipment`. */
  readonly id?: string
  readonly summary: string
  /** How many ids it usually takes. */
  readonly ids: (body: B) => number
  readonly needs?: (body: B, actor: Actor) => N
  /** Called if the parent exists. */
  readonly more?: (asked: Asked<P, B>, facts: Facts<N> & Facts<OfNew>) => M
  readonly decide: (
    asked: Asked<P, B>,
    facts: Facts<OfNew> & Facts<N> & Facts<M>,
    deciding: Deciding,
  ) => Decision | Refusal
}

/** `POST` of a new record below its parent: `/purchase-orders/{id}/receipts`. `If-Match` refers to the parent. */
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
      bodies.createdValues,
    ),
  })
}
