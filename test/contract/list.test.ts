/** What must hold of the list of all endpoints, checked without running anything. */
import { refusalsOf } from '../../lib/kit/api/endpoint.ts'
import { errorCatalogue } from '../../lib/kit/api/errors.ts'
import { jsonSchemaOf, plainJson } from '../../lib/kit/api/json-schema.ts'
import { validate } from '../../lib/kit/api/validate.ts'
import { endpoints, scopes } from '../../lib/nouns.ts'
import { parseJson } from '../../lib/platform/json.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const name = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

test('there are endpoints, and no two have one id or one method and path', t => {
  t.true(endpoints.length > 0)
  t.is(new Set(endpoints.map(({ id }) => id)).size, endpoints.length)
  // The names of parameters do not matter: `/products/{id}` and `/products/{product_id}` are one path.
  t.is(new Set(endpoints.map(name).map(text => text.replaceAll(/\{\w+\}/g, '{}'))).size, endpoints.length)
})

for (const endpoint of endpoints) {
  test(`${name(endpoint)} is declared in full`, t => {
    t.regex(endpoint.id, /^[a-z][A-Za-z]+$/)
    t.regex(endpoint.path, /^(?:\/(?:[a-z][a-z-]*|\{[a-z_]+\}))+$/)
    t.true(endpoint.scope === null || scopes.includes(endpoint.scope), `${endpoint.scope}`)
    t.regex(endpoint.summary, /^[A-Z].{4,79}[^.]$/)
    t.truthy(endpoint.tag)
    for (const code of refusalsOf(endpoint)) t.true(errorCatalogue().has(code), code)
    t.is(new Set(endpoint.refusals).size, endpoint.refusals.length)
    const hasAnswer = endpoint.kind !== 'command' || endpoint.success !== 204
    t.is(endpoint.reply !== undefined, hasAnswer, 'every answer with a body is described')
    if (endpoint.reply) t.truthy(jsonSchemaOf(endpoint.reply, 'reply').properties)
  })

  if (endpoint.kind === 'command') {
    test(`${name(endpoint)} has an example that its own body schema takes`, t => {
      t.is(endpoint.body === undefined, endpoint.method === 'DELETE')
      if (!endpoint.body) return
      t.not(endpoint.example, undefined)
      // The example as it would arrive: through text, so that numbers keep their digits.
      const raw = parseJson(JSON.stringify(plainJson(endpoint.example)))
      const result = validate(endpoint.body, raw, 'body')
      t.false(typeof result === 'object' && result !== null && 'refusal' in result, JSON.stringify(result))
    })
  }
}
