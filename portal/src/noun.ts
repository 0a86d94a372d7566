/** What the portal knows of a noun on every screen: how it is read, linked, listed, found, and what its events make old. */
import type { Page } from '@millrace/client'
import type { ExactApi } from './exact.ts'
import type { Asked, Filters } from './filters.ts'
import type { Paged } from './lists.ts'

type Options = { readonly signal: AbortSignal }

/** A search shows so many of each noun. */
export const FOUND_MAX = 5

/** What a search finds. */
export type Result = {
  readonly id: string
  readonly label: string
  readonly hint: string | null
  readonly to: string
  /** Whether the text is its number, sku or barcode as a whole. */
  readonly isExact?: boolean
}

/**
 * How records are looked for by what a person types: by a `part` of their texts, the newest first; by a part of their `title`; by the whole
 * `number`; or among the `newest` ones, and by the whole of one field.
 */
type By = 'part' | 'title' | 'number' | { readonly newest: 'number' | 'external_ref' }

type Finding<One> =
  | {
      readonly by: By
      /** Of the group of results; what the list is called where it says enough. */
      readonly label?: string
      /** What tells one from the others, beside its number or title. */
      hint?(one: One): string | null
      /** What else of a record is looked through, among the newest. */
      texts?(one: One): readonly (string | null)[]
    }
  | { readonly search: (api: ExactApi, q: string, options: Options) => Promise<readonly Result[]> }

export type Noun<One extends object, Has extends Filters> = {
  /** As the interface names it; its events begin so in small letters. Its screens stand in `screens/<area>/sales-order-screens.tsx`. */
  readonly kind: string
  /** What one is called on its own page, and many above their list. */
  readonly one: string
  readonly many: string
  /** The first part of the keys of all queries that read it. */
  readonly resource: string
  /** Where its list stands, and below which its pages stand. */
  readonly list: string
  /** Null: it has none. */
  readonly path: string | null
  /** The list that leads to it, where none of its own stands in the navigation. */
  readonly under?: string
  /** What a key needs to see it. */
  readonly scope: string
  of(api: ExactApi): {
    list(query: Asked<Has> & Paged & { readonly order: 'asc' | 'desc' }, options: Options): PromiseLike<Page<One>>
    get(id: string, options?: Options): Promise<One>
  }
  /** What a record is called; its number or title unless told. */
  named?(one: One): Named
  /** Of its list. */
  readonly filters: Has
  readonly pageFilters?: Filters
  /** The order in which its list begins: the newest first unless told. */
  readonly order?: 'asc'
  readonly find?: Finding<One>
  /** The other resources that its events make old. */
  readonly touches: readonly string[]
  /** What its events tell (`sales_order.shipped`); that it was created and changed unless told. */
  readonly events: readonly string[]
}

type Named = { readonly id: string; readonly number: string } | { readonly id: string; readonly title: string }

/** A record of the noun, for what stands beside it; records.ts has those that other screens name. */
export type OneOf<Of> = Of extends Noun<infer One, infer _> ? One : never

// biome-ignore lint/suspicious/noExplicitAny: a noun whose declaration holds the types.
export type AnyNoun = Noun<any, any>

/** A noun, or what of one has no screens of its own: where it is linked, what its events make old. */
export type Known = Pick<AnyNoun, 'kind'> & Partial<AnyNoun>

type Defaults = 'resource' | 'path' | 'filters' | 'touches' | 'events'

type Declared<One extends object, Has extends Filters> = Omit<Noun<One, Has>, Defaults> &
  Partial<Pick<Noun<One, Has>, Defaults>>

const usual = ['created', 'updated'] as const

/** Declares a noun. Its resource and the path of its pages are called as its list unless told. */
export const noun = <One extends object, const Has extends Filters = Record<never, never>>(
  declared: Declared<One, Has>,
): Noun<One, Has> => ({
  ...{ resource: declared.list.slice(1), path: declared.list, filters: {} as Has, touches: [], events: usual },
  ...declared,
})

/** The events of a document that can be reversed. */
export const untilReversed = [...usual, 'reversed'] as const

/** What open documents and stock together say. */
export const planned = ['shortages', 'projection', 'promise', 'replenishment', 'requirements'] as const

/** What the books say of what was done. */
export const inBooks = ['account-balances', 'journal-entries'] as const

type Naming<One extends object> = Pick<Noun<One, never>, 'named'>

const namedOf = <One extends object>({ named }: Naming<One>, one: One): Named => named?.(one) ?? (one as Named)

export const idOf = <One extends object>(noun: Naming<One>, one: One): string => namedOf(noun, one).id

/** Its number or title. */
export function nameOf<One extends object>(noun: Naming<One>, one: One): string {
  const of = namedOf(noun, one)
  return 'number' in of ? of.number : of.title
}
