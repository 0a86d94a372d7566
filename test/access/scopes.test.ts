import { parseScopes } from '../../lib/access/scopes.ts'
import { endpoints, scopes } from '../../lib/nouns.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

test('every endpoint needs a scope of the closed list, or says that it needs none', t => {
  const known = new Set<string | null>([...scopes, null])
  t.deepEqual(
    endpoints.map(endpoint => endpoint.scope).filter(scope => !known.has(scope)),
    [],
  )
})

test('"all" is every scope', t => {
  t.deepEqual(parseScopes('all', scopes), { scopes })
})

test('a list is read with spaces and repeats, in the order of the closed list', t => {
  t.deepEqual(parseScopes('write:webhooks, read:stock,read:stock', scopes), {
    scopes: ['read:stock', 'write:webhooks'],
  })
})

test('a name that is no scope is told', t => {
  t.deepEqual(parseScopes('read:stock,read:everything', scopes), { unknown: 'read:everything' })
  t.deepEqual(parseScopes('', scopes), { unknown: '' })
  t.deepEqual(parseScopes('read:stock,all', scopes), { unknown: 'all' })
})
