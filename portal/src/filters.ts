/** The filters of a list, each stated once: what the address may hold of it, what the interface is asked, and which input chooses it. */
import { codes, order, text, USES } from './search.ts'

type Kind =
  | 'codes'
  | 'code'
  | 'text'
  | 'day'
  | 'customers'
  | 'suppliers'
  | 'variant'
  | 'place'
  | 'use'
  | 'keys'
  | 'link'

/** @template Asked what the interface takes for it. */
export type Filter<Asked> = {
  readonly input: Kind
  readonly label: string
  /** The codes that it may hold. */
  readonly of?: readonly string[]
  /** What a variant must be good for. */
  readonly use?: 'is_sellable' | 'is_purchasable' | 'is_producible'
  /** It says what is asked, and has no value. */
  readonly asks?: Asked
}

export type Filters = Readonly<Record<string, Filter<unknown>>>

/** What a list is asked with these filters. */
export type Asked<Has extends Filters> = {
  readonly [Name in keyof Has]?: (Has[Name] extends Filter<infer Value> ? Value : never) | undefined
}

/** What the address holds of them, and the order of the list. */
export type Search = Readonly<Record<string, string | undefined>> & { readonly order?: 'asc' | 'desc' | undefined }

type Variants = Pick<Filter<string>, 'use'>

const of =
  (input: Kind) =>
  (label: string): Filter<string> => ({ input, label })

export const filter = {
  /** Any of several codes. */
  codes: <const Code extends string>(label: string, known: readonly Code[]): Filter<Code> => ({
    ...{ input: 'codes', label, of: known },
  }),
  /** One of several codes. */
  code: <const Code extends string>(label: string, known: readonly Code[]): Filter<Code> => ({
    ...{ input: 'code', label, of: known },
  }),
  text: of('text'),
  day: of('day'),
  customer: of('customers'),
  supplier: of('suppliers'),
  place: of('place'),
  variant: (label: string, { use }: Variants = {}): Filter<string> => ({
    ...{ input: 'variant', label },
    ...(use ? { use } : {}),
  }),
  /** Whether a record is in use or archived; the filter is called `archived`. */
  use: (): Filter<boolean> => ({ input: 'use', label: 'In use', of: USES }),
  /** What a person did with any of their keys. */
  keys: of('keys'),
  /** Set by links alone. */
  link: (): Filter<string> => ({ input: 'link', label: '' }),
}

/** What the address of a screen holds with these filters and an order. */
export const entriesOf = (filters: Filters) => ({
  ...Object.fromEntries(
    Object.entries(filters).map(([name, { of: known }]) => [name, known ? codes(known) : text] as const),
  ),
  order,
})

/** What the interface is asked for what the address holds. */
export const askedOf = <Has extends Filters>(filters: Has, search: Search): Asked<Has> =>
  Object.fromEntries(
    Object.entries(search).map(([name, value]) => [
      name,
      filters[name]?.input === 'use' && value !== undefined ? value === 'archived' : value,
    ]),
  ) as Asked<Has>
