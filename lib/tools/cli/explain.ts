/** Puts an unexpected error into one line for the person at the terminal. It must not show a query's values or a password. */

import { refusalOf } from '../../platform/redis/refusals.ts'

const networkCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EHOSTUNREACH'])
const nameCodes = new Set(['ENOTFOUND', 'EAI_AGAIN'])

/** The innermost cause says what happened, the outer errors only where. */
export function explain(error: unknown): string {
  const chain = chainOf(error)
  const codes = chain.map(cause => String((cause as { code?: unknown }).code ?? ''))
  const unknown = chain.find(cause => 'hostname' in cause && 'code' in cause && nameCodes.has(String(cause.code)))
  if (unknown)
    return `a service does not answer: no host is known by the name ${(unknown as { hostname?: unknown }).hostname}`
  if (codes.some(code => networkCodes.has(code))) return `a service does not answer: ${last(chain)}`
  if (codes.includes('42P01')) return 'the database has no tables yet: run bin/millrace migrate'
  if (codes.includes('28P01') || codes.includes('28000')) return 'the database refuses the user or password'
  if (chain.some(({ message }) => /^(?:WRONGPASS|NOAUTH)\b|ERR AUTH\b/.test(message)))
    return 'Redis refuses the user or password'
  const cause = chain.at(-1)
  const refusal = cause?.name === 'ReplyError' ? refusalOf(cause) : undefined
  if (refusal !== undefined) return `Redis ${refusal}`
  if (last(chain) === 'Command timed out') return 'Redis gave no answer in time'
  if (codes.includes('42704') && last(chain).includes('pg_c_utf8'))
    return `PostgreSQL before 17 lacks a collation: create collation pg_catalog.pg_c_utf8 (locale = 'C.UTF-8')`
  if (codes.includes('3D000')) return `the database is not there: ${last(chain)}`
  return [...new Set(chain.map(cause => cause.message.split('\n')[0]))].join(': ')
}

function chainOf(error: unknown): Error[] {
  const chain: Error[] = []
  for (let at = error; at instanceof Error && chain.length < 8; at = at.cause ?? innerOf(at)) chain.push(at)
  return chain.length > 0 ? chain : [new Error(String(error))]
}

/** Node gathers the failed addresses of one name in an AggregateError. */
function innerOf(error: Error): unknown {
  return error instanceof AggregateError ? error.errors[0] : undefined
}

function last(chain: readonly Error[]): string {
  return chain.at(-1)?.message ?? ''
}
