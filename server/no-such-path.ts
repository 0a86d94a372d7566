/** The message of the 404 for a path that no endpoint has: it says which part of the path is wrong, if that is clear. */
import { API_PREFIX, type Endpoint } from '../lib/kit/api/endpoint.ts'
import { type Refusal, refuse } from '../lib/kit/api/errors.ts'
import { readInt64 } from '../lib/kit/api/field-readers.ts'
import { REFERENCE } from '../lib/kit/api/path-params.ts'

/** The most characters of the caller's text that are shown. */
const SHOWN_MAX = 100

/** @param path with the prefix of the API */
export function noSuchPath(path: string, endpoints: readonly Endpoint[]): Refusal {
  const why = reasonOf(path, endpoints)
  return refuse('not_found', why === undefined ? 'no such path' : `no such path: ${why}`)
}

function reasonOf(path: string, endpoints: readonly Endpoint[]): string | undefined {
  if (path.startsWith(API_PREFIX + API_PREFIX)) return `${API_PREFIX} stands in it twice`
  const segments = path.split('/')
  for (const endpoint of endpoints) {
    const template = `${API_PREFIX}${endpoint.path}`.split('/')
    const isAlike = template.length === segments.length && template.every((of, at) => isId(of) || of === segments[at])
    const wrong = isAlike
      ? segments.find((of, at) => isId(template[at] ?? '') && readInt64(of) === undefined)
      : undefined
    if (wrong !== undefined) return `${JSON.stringify(wrong.slice(0, SHOWN_MAX))} is no id (an int64)`
  }
  return undefined
}

const isId = (segment: string): boolean => segment.startsWith('{') && segment !== `{${REFERENCE}}`
