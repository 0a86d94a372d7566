/**
 * A noun: a document with endpoints of its own. Its declaration says where it is found, who may read and write it, and which further fields
 * bodies may have. Its reads are derived from that. Its writes are declared with `creates`, `changes` and `acts`.
 */
import type { Endpoint, Tag } from '../api/endpoint.ts'
import { pascalCase } from '../api/json-schema.ts'
import type { ListFilters } from '../api/list-filters.ts'
import type { SentFields } from '../fields/bodies.ts'
import { type Document, document, type Fields } from './document.ts'
import { listOf, readOf } from './reads.ts'

type None = Record<never, never>
type Words = Readonly<Record<string, string>>

/** What documents of a noun book in the ledger. */
export type Postings = {
  /** The name of these documents as sources of movements. */
  readonly as: string
  /** The kinds of their movements, each with what moves. */
  readonly kinds: Words
  /** Whether the trace of a batch leaves them out. */
  readonly isUntraced?: true
}

/** The properties of a noun beside its fields. */
type Facts<C extends SentFields, U extends SentFields, E extends Words, P extends Postings | undefined> = {
  /** The path after the API's prefix: `/sales-orders`. */
  readonly path: string
  /** The group of its endpoints in the reference. */
  readonly tag: Tag
  readonly scopes: { readonly read: string; readonly create?: string; readonly update?: string }
  /** Fields that only a creating body, or only a changing one, contains. */
  readonly create: C
  readonly change: U
  /** The events of its records, each with a description: `created` of the event `sales_order.created`. */
  readonly events: E
  readonly posts: P
  readonly filters: ListFilters
  /** The description of its list, for the reference. */
  readonly listed: string | undefined
  /** The description of reading one, for the reference. */
  readonly read: string | undefined
}

export type Noun<
  F extends Fields = Fields,
  C extends SentFields = SentFields,
  U extends SentFields = SentFields,
  E extends Words = Words,
  P extends Postings | undefined = Postings | undefined,
> = Document<F> & Facts<C, U, E, P>

// biome-ignore lint/suspicious/noExplicitAny: a noun whose declaration holds the types
export type AnyNoun = Noun<any, any, any, any, any>

type Declaration<F extends Fields> = Omit<Parameters<typeof document<F>>[0], 'kind' | 'noun' | 'prefix'>

/**
 * Declares a noun. `name`: `sales order`. Its kind, the names of its endpoints, and its name in messages are made from it, unless `called`
 * gives another name for messages.
 */
export function noun<
  const F extends Fields,
  const C extends SentFields = None,
  const U extends SentFields = None,
  const E extends Words = None,
  const P extends Postings | undefined = undefined,
>({
  name,
  called = name,
  create = {} as C,
  change = {} as U,
  events = {} as E,
  posts = undefined as P,
  listed,
  read,
  ...declaration
}: Declaration<F> &
  Omit<Facts<C, U, E, P>, 'create' | 'change' | 'events' | 'posts' | 'listed' | 'read'> & {
    readonly name: string
    readonly called?: string
    readonly create?: C
    readonly change?: U
    readonly events?: E
    readonly posts?: P
    readonly listed?: string
    readonly read?: string
  }): Noun<F, C, U, E, P> {
  const [prefix] = Object.values(declaration.fields as Fields).flatMap(field =>
    field.is === 'column' && field.prefix ? [field.prefix] : [],
  )
  const counted = prefix === undefined ? {} : { prefix }
  const of = document<F>({ ...declaration, ...counted, kind: name.replaceAll(' ', '_'), noun: called } as never)
  return { ...of, ...declaration, create, change, events, posts, listed, read } as never
}

/** `SalesOrder`. */
export const nameInIds = ({ kind }: Pick<Document, 'kind'>): string => pascalCase(kind)

/** `a sales order`, `an operation`. */
export const oneOf = ({ noun }: Pick<Document, 'noun'>): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`

/** `GET` of one record, and of the list. */
export function readsOf(of: AnyNoun): readonly [list: Endpoint, read: Endpoint] {
  const { path, tag, scopes, filters } = of
  const words = (description: string | undefined) => ({
    tag,
    scope: scopes.read,
    ...(description === undefined ? {} : { description }),
  })
  return [
    listOf(of, {
      ...words(of.listed),
      id: `list${pascalCase(path)}`,
      path,
      summary: `List ${path.slice(1).replaceAll('-', ' ')}`,
      filters,
    }),
    {
      ...readOf(of, {
        ...words(of.read),
        id: `get${nameInIds(of)}`,
        path: `${path}/{id}`,
        summary: `Read ${oneOf(of)}`,
      }),
      events: Object.fromEntries(
        Object.entries(of.events as Words).map(([name, said]) => [`${of.kind}.${name}`, said]),
      ),
    },
  ]
}
