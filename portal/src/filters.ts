/** The filters of a list, each declared once: its values in the address, its values for the API, and its input. */
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

/** @template Asked the value that the API takes. */
export type Filter<Asked> = {
  readonly input: Kind
  readonly label: string
  /** The codes that the filter may have. */
  readonly of?: readonly string[]
  /** What the variant must be usable for. */
  readonly use?: 'is_sellable' | 'is_purchasable' | 'is_producible'
  /** Carries the type of the API's value. It has no value itself. */
  readonly asks?: Asked
}

export type Filters = Readonly<Record<string, Filter<unknown>>>

/** The API's query with these filters. */
export type Asked<Has extends Filters> = {
  readonly [Name in keyof Has]?: (Has[Name] extends Filter<infer Value> ? Value : never) | undefined
}

/** The values of the filters in the address, and the order of the list. */
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
  /** Whether a record is in use or archived. The filter's name is `archived`. */
  use: (): Filter<boolean> => ({ input: 'use', label: 'In use', of: USES }),
  /** The actions of a person, by all of the person's keys. */
  keys: of('keys'),
  /** Only links set it. */
  link: (): Filter<string> => ({ input: 'link', label: '' }),
}

/** The schema of an address with these filters and an order. */
export const entriesOf = (filters: Filters) => ({
  ...Object.fromEntries(
    Object.entries(filters).map(([name, { of: known }]) => [name, known ? codes(known) : text] as const),
  ),
  order,
})

/** The API's query for the values in the address. */
export const askedOf = <Has extends Filters>(filters: Has, search: Search): Asked<Has> =>
  Object.fromEntries(
    Object.entries(search).map(([name, value]) => [
      name,
      filters[name]?.input === 'use' && value !== undefined ? value === 'archived' : value,
    ]),
  ) as Asked<Has>
