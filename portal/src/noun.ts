/** What the portal knows of a noun on every screen: how it is read, linked, listed and found, and which data its events make old. */
import type { Page } from '@millrace/client'
import type { ExactApi } from './exact.ts'
import type { Asked, Filters } from './filters.ts'
import type { Paged } from './lists.ts'

type Options = { readonly signal: AbortSignal }

/** The most results of each noun in a search. */
export const FOUND_MAX = 5

/** A result of a search. */
export type Result = {
  readonly id: string
  readonly label: string
  readonly hint: string | null
  readonly to: string
  /** Whether the text is the record's whole number, sku or barcode. */
  readonly isExact?: boolean
}

/**
 * How records are found by a typed text: by a `part` of their texts, the newest first; by a part of their `title`; by the whole `number`;
 * or among the `newest` ones and by the whole of one field.
 */
type By = 'part' | 'title' | 'number' | { readonly newest: 'number' | 'external_ref' }

type Finding<One> =
  | {
      readonly by: By
      /** The label of the group of results. Default: the label of the list. */
      readonly label?: string
      /** A text that tells records with similar numbers or titles apart. */
      hint?(one: One): string | null
      /** Further texts of a record that are searched among the newest. */
      texts?(one: One): readonly (string | null)[]
    }
  | { readonly search: (api: ExactApi, q: string, options: Options) => Promise<readonly Result[]> }

export type Noun<One extends object, Has extends Filters> = {
  /**
   * The API's name of the noun. In small letters it begins the names of events. The screens are in
   * `screens/<area>/sales-order-screens.tsx`.
   */
  readonly kind: string
  /** The name of one record, and of several. */
  readonly one: string
  readonly many: string
  /** The first part of the keys of all queries that read it. */
  readonly resource: string
  /** The path of its list. The paths of its pages begin with it. */
  readonly list: string
  /** Null: the noun has no page. */
  readonly path: string | null
  /** The list that leads to this noun if the navigation has none of its own. */
  readonly under?: string
  /** The scope that a key needs to see it. */
  readonly scope: string
  of(api: ExactApi): {
    list(query: Asked<Has> & Paged & { readonly order: 'asc' | 'desc' }, options: Options): PromiseLike<Page<One>>
    get(id: string, options?: Options): Promise<One>
  }
  /** The name of a record. Default: its number or title. */
  named?(one: One): Named
  /** The filters of its list. */
  readonly filters: Has
  readonly pageFilters?: Filters
  /** The default order of its list. Default: the newest first. */
  readonly order?: 'asc'
  readonly find?: Finding<One>
  /** Other resources whose data its events make old. */
  readonly touches: readonly string[]
  /** The noun's kinds of events (`sales_order.shipped`). Default: created and updated. */
  readonly events: readonly string[]
}

type Named = { readonly id: string; readonly number: string } | { readonly id: string; readonly title: string }

/** A record of the noun, for what stands beside it; records.ts has those that other screens name. */
export type OneOf<Of> = Of extends Noun<infer One, infer _> ? One : never

// biome-ignore lint/suspicious/noExplicitAny: a noun whose declaration holds the types.
export type AnyNoun = Noun<any, any>

/** A noun, or a kind without screens of its own: its link, and the data that its events make old. */
export type Known = Pick<AnyNoun, 'kind'> & Partial<AnyNoun>

type Defaults = 'resource' | 'path' | 'filters' | 'touches' | 'events'

type Declared<One extends object, Has extends Filters> = Omit<Noun<One, Has>, Defaults> &
  Partial<Pick<Noun<One, Has>, Defaults>>

const usual = ['created', 'updated'] as const

/** Declares a noun. Its resource and the path of its pages follow from its list by default. */
export const noun = <One extends object, const Has extends Filters = Record<never, never>>(
  declared: Declared<One, Has>,
): Noun<One, Has> => ({
  ...{ resource: declared.list.slice(1), path: declared.list, filters: {} as Has, touches: [], events: usual },
  ...declared,
})

/** The events of a document that can be reversed. */
export const untilReversed = [...usual, 'reversed'] as const

/** Data that follows from open documents and stock together. */
export const planned = ['shortages', 'projection', 'promise', 'replenishment', 'requirements'] as const

/** Data of the books. */
export const inBooks = ['account-balances', 'journal-entries'] as const

type Naming<One extends object> = Pick<Noun<One, never>, 'named'>

const namedOf = <One extends object>({ named }: Naming<One>, one: One): Named => named?.(one) ?? (one as Named)

export const idOf = <One extends object>(noun: Naming<One>, one: One): string => namedOf(noun, one).id

/** The record's number or title. */
export function nameOf<One extends object>(noun: Naming<One>, one: One): string {
  const of = namedOf(noun, one)
  return 'number' in of ? of.number : of.title
}
