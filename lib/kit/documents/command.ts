/**
 * The declaration of a command: what it must see, and how it decides. It does not say how records are loaded and written, and does no I/O:
 * commands of any kind and of many tenants run in one unit of work (docs/architecture.md).
 */

import type * as v from 'valibot'
import type { SecretBox } from '../../platform/secret-box.ts'
import type { Actor, Answer, CommandEndpoint, DomainEvent, Params, Schema, Tenant } from '../api/endpoint.ts'
import type { Refusal } from '../api/errors.ts'
import type { AnyDocument, RecordOf } from './document.ts'
import type { Named } from './naming.ts'
import type { Facts, Needs } from './needs.ts'
import type { Work } from './work.ts'

type Output<S> = S extends Schema ? v.InferOutput<S> : null
export type Request<B extends Schema | undefined = Schema> = { readonly params: Params; readonly body: Output<B> }

/** The context of a command's decision. */
export type Deciding = {
  readonly tenant: Tenant
  readonly actor: Actor
  /** The request of the command; for an entry of a bulk the entry's own. */
  readonly requestId: string
  /** The time at which the command runs, `2026-11-21T05:00:00.000Z`. */
  readonly now: string
  readonly settings: {
    readonly freePlanVariantsMax: number
    readonly webhookSubscriptionsMax: number
    readonly secrets: SecretBox
  }
  /** The sequence of the tenant's last event before this command, including events of earlier commands of the unit. */
  readonly lastEventSequence: string
  readonly work: Work
}

/** The user's name of the command's key; null: the key was made without a name. */
export const namedUser = ({ actor, tenant }: Pick<Deciding, 'actor' | 'tenant'>): string | null =>
  actor.userName === tenant.ownerEmail ? null : actor.userName

/** The answer of a command, and its events, which follow those of the stock. */
export type Decision = Answer & { readonly events: readonly DomainEvent[] }

/** The code of a declaration. `request` is the caller's validated request. */
type CommandUnit<B extends Schema | undefined, N extends Needs, M extends Needs> = {
  /** How many ids it usually takes. If it takes more, it is decided again. */
  readonly ids: (request: Request<B>) => number
  /** The document of the path's id, if `If-Match` is allowed. The needs load the record with `theRecord`. */
  readonly ifMatch?: AnyDocument
  /** The records that the request names by other texts than ids; null: there are none. The later functions get the request with ids. */
  readonly named?: (request: Request<B>) => Named | null
  readonly needs: (request: Request<B>, actor: Actor) => N
  /** The needs that depend on what it saw. They are loaded in a second round trip. */
  readonly more?: (request: Request<B>, facts: Facts<N>) => M
  /** Pure: a refusal, or the changed work with its answer. */
  readonly decide: (request: Request<B>, facts: Facts<N> & Facts<M>, deciding: Deciding) => Decision | Refusal
}

/** The type for units of work. */
// biome-ignore lint/suspicious/noExplicitAny: the list of endpoints forgets the types of the declarations
export type AnyUnit = CommandUnit<any, any, any>

/** Declares a command endpoint. */
export function command<
  const B extends Schema | undefined = undefined,
  N extends Needs = Needs,
  M extends Needs = Record<never, never>,
>(declaration: Omit<CommandEndpoint<B>, 'kind' | 'unit' | 'takesIfMatch'> & CommandUnit<B, N, M>): CommandEndpoint {
  const { ids, named, needs, more, decide, ifMatch, ...endpoint } = declaration
  const unit = {
    ...{ ids, needs, decide },
    ...(named ? { named } : {}),
    ...(more ? { more } : {}),
    ...(ifMatch ? { ifMatch } : {}),
  }
  return { ...endpoint, kind: 'command', unit, takesIfMatch: ifMatch !== undefined }
}

/** The events that a noun declares, without its kind: `created`. */
export type EventOf<D> = D extends { readonly events: infer E } ? keyof E & string : never

/**
 * Answers with the record as its GET shows it, and adds the event `created`, without `previous`. @param before events of other changes,
 * which come first
 */
export function made<D extends AnyDocument>(
  work: Work,
  document: D,
  record: RecordOf<D>,
  before: readonly DomainEvent[] = [],
): Decision {
  const body = work.render(document, record)
  return { body, events: [...before, { type: `${document.kind}.created`, data: body, previous: null }] }
}

/** Answers with a changed record and publishes its event. */
export function changed<D extends AnyDocument>(
  work: Work,
  document: D,
  change: { readonly before: RecordOf<D>; readonly after: RecordOf<D>; readonly event: EventOf<D> },
): Decision {
  const body = work.render(document, change.after)
  const previous = work.previous(document, change.before, change.after)
  return { body, events: [{ type: `${document.kind}.${change.event}`, data: body, previous }] }
}

/** Changes a record and publishes `updated`. An equal record stays unchanged. */
export function updated<D extends AnyDocument>(
  work: Work,
  document: D,
  { before, next }: { readonly before: RecordOf<D>; readonly next: RecordOf<D> },
): Decision {
  if (isSame(before, next)) return { body: work.render(document, before), events: [] }
  const event = 'updated' as EventOf<D>
  return changed(work, document, { before, after: work.change(document, next), event })
}

/** The fields that a PATCH gives. Fields that it leaves out are undefined and must not overwrite. */
export const given = <T extends object>(body: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as never

/** Whether two records have the same values. Unchanged lines are the same objects. */
export function isSame<T extends object>(before: T, after: T): boolean {
  return (Object.keys(before) as (keyof T)[]).every(name => {
    const [old, now] = [before[name], after[name]]
    if (!Array.isArray(old) || !Array.isArray(now)) return old === now
    return old.length === now.length && old.every((line, at) => line === now[at])
  })
}
