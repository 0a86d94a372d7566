/**
 * Reads query strings: each parameter once, none empty, none unknown (contract 1, "Unknown fields"). It must not know any
 * endpoint.
 */
import { invalid, type Refusal } from './errors.ts'

/** Parameters by name, or the refusal of a repeated, empty or malformed one. */
export function readQuery(text: string): Record<string, string> | Refusal {
  const query: Record<string, string> = Object.create(null)
  if (text === '') return query
  for (const part of text.split('&')) {
    const at = part.indexOf('=')
    const name = decode(at < 0 ? part : part.slice(0, at))
    const value = at < 0 ? '' : decode(part.slice(at + 1))
    if (name === undefined || value === undefined) return invalid('query', 'is not valid percent-encoded UTF-8')
    if (name === '') return invalid('query', 'has a parameter without a name')
    if (name in query) return invalid(name, 'is given more than once')
    if (value === '') return invalid(name, 'must not be empty')
    if (value.includes('\u0000')) return invalid(name, 'must not contain the character U+0000')
    query[name] = value
  }
  return query
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
