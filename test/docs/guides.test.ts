/**
 * What the guides say of endpoints, held against their declarations.
 */
import test from 'ava'
import { jsonSchemaOf } from '../../lib/api/json-schema.ts'
import { endpoints } from '../../lib/endpoints.ts'
import { guides } from '../../lib/openapi/guides.ts'

const filtersOf = (filter: string) =>
  endpoints.filter(
    endpoint =>
      endpoint.kind === 'list' &&
      endpoint.filters !== undefined &&
      Object.hasOwn(jsonSchemaOf(endpoint.filters, 'request').properties ?? {}, filter),
  )

test('the guide of lists names the lists that take updated_after, and no other', t => {
  const { markdown = '' } = guides.find(({ id }) => id === 'lists') ?? {}
  const sentence = /`updated_after` \(inclusive\), which ([^.]*) take\./.exec(markdown)?.[1] ?? ''
  const named = [...sentence.matchAll(/`GET ([^`]+)`/g)].map(([, path]) => path)
  t.deepEqual(
    named.sort(),
    filtersOf('updated_after')
      .map(({ path }) => path)
      .sort(),
  )
})

test('every path that a guide names is one of the API', t => {
  const paths = new Set(endpoints.map(({ method, path }) => `${method} ${path}`))
  const roots = new Set(['GET /api/external/v1'])
  const named = guides.flatMap(({ markdown }) =>
    [...markdown.matchAll(/`((?:GET|POST|PATCH|DELETE) \/[^`?]*)[^`]*`/g)].map(([, text = '']) => text.trim()),
  )
  t.true(named.length > 5)
  t.deepEqual(
    named.filter(text => !paths.has(text) && !roots.has(text)),
    [],
  )
})
