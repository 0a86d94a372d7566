/**
 * The commands on existing records: `changes` (PATCH), and `acts` for every other action. They add what all nouns share: the record of the
 * path's id, unique texts, and decimals as BigInts (docs/rules/documents.md).
 */
import type * as v from 'valibot'
import type { CommandEndpoint, Schema } from '../api/endpoint.ts'
import { isRefusal, type Refusal } from '../api/errors.ts'
import * as bodies from '../fields/bodies.ts'
import { command, type Deciding, type Decision, updated } from './command.ts'
import { merged, refuseEntries, withMerged } from './merging.ts'
import type { Needs, RefuseTaken } from './needs.ts'
import { type AnyNoun, nameInIds, oneOf } from './noun.ts'
import { type Asked, type OnRecord, unitOf } from './on-record.ts'
import { replyOf } from './reply.ts'

type None = Record<never, never>

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
      {
        ...change,
        form: body => form(body) ?? refuseEntries(of.fields, body),
        decide: ({ record, body, params }, facts, deciding) => {
          const whole = withMerged(of, record as object, body as object)
          return isRefusal(whole) ? whole : decide({ record, params, body: whole as never }, facts, deciding)
        },
      },
    ),
  })
}

/** The description of `amend`, for the reference. */
export const amendable = ({ noun }: AnyNoun): string =>
  '`notes`, `external_ref` and `metadata` change in every status; what was posted stays. A body that changes nothing answers the ' +
  `${noun} as it is.`

/**
 * Decides on a change of fields without rules. Refuses a taken unique text. A body that changes nothing writes nothing and publishes no
 * event.
 */
export const amend =
  <D extends AnyNoun>(of: D) =>
  (
    { record: before, body }: Asked<D, bodies.ChangeOf<D>>,
    { refuseTaken }: { readonly refuseTaken: RefuseTaken },
    { work }: Pick<Deciding, 'work'>,
  ): Decision | Refusal => {
    const { id } = before as { readonly id?: string }
    return refuseTaken(id) ?? updated(work, of, { before, next: merged(of, before, body) })
  }

type Action<D extends AnyNoun, F extends bodies.SentFields, N extends Needs, M extends Needs> = OnRecord<
  D,
  bodies.BodyOf<F>,
  N,
  M
> & {
  readonly summary: string
  readonly scope: string
  /** The fields of its body; absent: it takes none. */
  readonly body?: F
} & Partial<Pick<CommandEndpoint, 'id' | 'path' | 'method' | 'success' | 'replay' | 'takesIfMatch' | 'tag'>>

/**
 * Another action on a record: `POST` of a verb below its path. It answers the record unless the action declares another answer. The
 * endpoint's id begins with `verb`: `start` of `startManufacturingOrder`.
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
