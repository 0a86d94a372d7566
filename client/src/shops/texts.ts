/** Texts, addresses and customers of shops in the lengths that Millrace takes. */
import type { Address, Customer } from './bodies.ts'

type Text = string | null | undefined

const TEXT_LENGTH_MAX = 255
const NOTES_LENGTH_MAX = 10_000

/** The first that is not empty, shortened to 255 characters. */
export function text(...of: readonly Text[]): string | undefined {
  return shortened(of, TEXT_LENGTH_MAX)
}

/** Up to 10,000 characters. */
export const notes = (of: Text): string | undefined => shortened([of], NOTES_LENGTH_MAX)

function shortened(of: readonly Text[], length: number): string | undefined {
  const found = of.map(one => one?.trim() ?? '').find(one => one !== '')
  // By characters: half a surrogate pair is no text.
  return found === undefined || found.length <= length ? found : [...found].slice(0, length).join('').trim()
}

/** What a shop calls it, and what Millrace does. */
type ShopAddress = {
  readonly first_name?: Text
  readonly last_name?: Text
  readonly company?: Text
  readonly city?: Text
  readonly phone?: Text
}

export const fullName = (of: ShopAddress | null | undefined): string | undefined =>
  text([of?.first_name, of?.last_name].map(one => one?.trim() ?? '').join(' '))

/** Null where nothing is given. */
export function address(
  of: ShopAddress | null | undefined,
  rest: { line_1: Text; line_2: Text; region: Text; zip: Text; country_code: Text },
): Address | null {
  return someOf({
    name: fullName(of),
    company: text(of?.company),
    line_1: text(rest.line_1),
    line_2: text(rest.line_2),
    city: text(of?.city),
    region: text(rest.region),
    zip: text(rest.zip),
    country_code: text(rest.country_code),
    phone: text(of?.phone),
  })
}

/** A customer needs a title: the name, else the company, else the e-mail address, else the order's number. */
export function customer(of: {
  titles: readonly Text[]
  email: Text
  phone: Text
  country_code: Text
  external_ref: string | undefined
}): Customer {
  return {
    title: text(...of.titles) ?? 'Guest',
    ...someOf({
      email: text(of.email),
      phone: text(of.phone),
      country_code: text(of.country_code),
      external_ref: of.external_ref,
    }),
  }
}

/** Without what is undefined; null where nothing is left. */
export function someOf<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } | null {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return given.length === 0 ? null : (Object.fromEntries(given) as never)
}
