/** Filters in the address, as plain text: a value that looks like a number stays a text. */
import * as v from 'valibot'

export const parseSearch = (search: string): Record<string, string> =>
  Object.fromEntries([...new URLSearchParams(search)].filter(([, value]) => value !== ''))

export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

/** The text of a filter; values of other types are left out. */
export const text = v.optional(v.fallback(v.optional(v.string()), undefined))

/** A filter of several codes, without unknown ones. They are one text, joined by commas, as in the API's addresses. */
export const codes = <const Code extends string>(known: readonly Code[]) =>
  v.optional(
    v.pipe(
      v.string(),
      v.transform(
        given => (known.filter(code => given.split(',').includes(code)).join(',') || undefined) as Code | undefined,
      ),
    ),
  )

/** The codes of such a filter. */
export const codesOf = (joined: string | undefined): string[] => joined?.split(',') ?? []

export const joined = (values: readonly string[]): string | undefined => values.join(',') || undefined

/** `asc` is the oldest first. Default: the newest first. */
export const order = v.optional(v.fallback(v.optional(v.picklist(['asc', 'desc'])), undefined))

/** Whether a record is in use or archived. */
export const USES = ['in_use', 'archived'] as const
