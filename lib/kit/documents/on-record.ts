/**
 * The parts of a command on a record, and how it runs: its body, the record, its other needs, then its decision. If there is no such record
 * the answer is 404.
 */
import type { Actor, CheckSettings, CommandEndpoint, Params } from '../api/endpoint.ts'
import type { Refusal } from '../api/errors.ts'
import * as bodies from '../fields/bodies.ts'
import type { Deciding, Decision } from './command.ts'
import type { RecordOf } from './document.ts'
import { namedIn } from './naming.ts'
import { type Facts, free, type Need, type Needs, type RefuseTaken, theRecord } from './needs.ts'
import type { AnyNoun } from './noun.ts'
import { notFound } from './reads.ts'

/** The properties of a noun's command beside its decision. */
export type Words<B> = {
  readonly description?: string
  /** A body for the documentation. */
  readonly example?: unknown
  readonly refusals?: CommandEndpoint['refusals']
  /** Whether a success spends one of the key's daily documents. */
  readonly counts?: true
  /** Checks the body alone, before anything is read. */
  readonly form?: (body: B) => Refusal | null
  /** Checks of the body that need the settings or the network. The server runs them before the claim. */
  check?(settings: CheckSettings, body: B): Promise<Refusal | undefined>
} & Partial<Pick<CommandEndpoint, 'reply' | 'showsSecret'>>

/** The input of a command on a record. */
export type Asked<D extends AnyNoun, B> = { readonly record: RecordOf<D>; readonly body: B; readonly params: Params }
type OfOld<D extends AnyNoun> = { readonly record: Need<RecordOf<D> | null>; readonly refuseTaken: Need<RefuseTaken> }

export type OnRecord<D extends AnyNoun, B, N extends Needs, M extends Needs> = Words<B> & {
  /** How many ids it usually takes. Default: none. */
  readonly ids?: (body: B) => number
  /** Fields that merge with the current value contain only the change, here and in `more`. */
  readonly needs?: (body: B, actor: Actor, params: Params) => N
  /** Called if the record exists. */
  readonly more?: (asked: Asked<D, B>, facts: Facts<N>) => M
  readonly decide: (
    asked: Asked<D, B>,
    facts: { readonly refuseTaken: RefuseTaken } & Facts<N> & Facts<M>,
    deciding: Deciding,
  ) => Decision | Refusal
}

/** The code of a command on a record. It refuses `not_found` if there is no such record. */
export function unitOf<D extends AnyNoun, B, N extends Needs, M extends Needs>(
  of: D,
  sent: bodies.SentFields,
  { form = () => null, ids = () => 0, needs, more, decide }: OnRecord<D, B, N, M>,
  valuesOf = bodies.changedValues,
) {
  type Seen = Facts<OfOld<D>> & Facts<N>
  type Request = { readonly params: Params; readonly body: unknown }
  const read = (body: unknown) => (body === null ? body : valuesOf(sent, body as object)) as B
  return {
    named: (request: Request) => (request.body === null ? null : namedIn(sent, request)),
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

/** The unique texts in a body. */
export function uniqueIn({ unique }: AnyNoun, body: object): Readonly<Record<string, string | null | undefined>> {
  const sent = body as Readonly<Record<string, string | null | undefined>>
  return Object.fromEntries(unique.flatMap((name: string) => (name in sent ? [[name, sent[name]]] : [])))
}
