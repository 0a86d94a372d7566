/** Reads query strings: each parameter once, none empty, none unknown. */
import { allInvalid, invalid, type Refusal } from './errors.ts'

/** A caller that sent the empty `next_cursor` of the last page would read the list again and again. */
const EMPTY_CURSOR =
  'must not be empty: an empty next_cursor says that this was the last page, and the first page is asked without a cursor'

/** Parameters by name, or the refusal of repeated, empty or malformed ones. */
export function readQuery(text: string): Record<string, string> | Refusal {
  const query: Record<string, string> = Object.create(null)
  if (text === '') return query
  const faults: Refusal[] = []
  for (const part of text.split('&')) {
    const at = part.indexOf('=')
    const name = decode(at < 0 ? part : part.slice(0, at))
    const value = at < 0 ? '' : decode(part.slice(at + 1))
    if (name === undefined || value === undefined) faults.push(invalid('query', 'is not valid percent-encoded UTF-8'))
    else if (name === '') faults.push(invalid('query', 'has a parameter without a name'))
    else if (name in query) faults.push(invalid(name, 'is given more than once'))
    else if (value === '') faults.push(invalid(name, name === 'cursor' ? EMPTY_CURSOR : 'must not be empty'))
    else if (value.includes('\u0000')) faults.push(invalid(name, 'must not contain the character U+0000'))
    else query[name] = value
  }
  return faults.length > 0 ? allInvalid(faults) : query
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
