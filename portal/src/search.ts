/** Filters in the address, as plain text: a value that looks like a number stays what it is. */
import * as v from 'valibot'

export const parseSearch = (search: string): Record<string, string> =>
  Object.fromEntries([...new URLSearchParams(search)].filter(([, value]) => value !== ''))

export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

/** A filter's text; what the address holds beside it is left out. */
export const text = v.optional(v.fallback(v.optional(v.string()), undefined))

/** A filter of several codes, joined by commas as the interface takes them; unknown ones are left out. */
export const codes = <const Code extends string>(known: readonly Code[]) =>
  v.optional(
    v.pipe(
      v.string(),
      v.transform(given => known.filter(code => given.split(',').includes(code)).join(',') || undefined),
    ),
  )

/** The codes of such a filter; undefined without any, as the interface's queries leave them out. */
export const codesOf = <Code extends string>(joined: string | undefined): Code[] | undefined =>
  joined === undefined ? undefined : (joined.split(',') as Code[])

/** What a list's filters hold, as its query: a `codes` filter is one text there, too. */
export const joined = (values: readonly string[]): string | undefined => values.join(',') || undefined
