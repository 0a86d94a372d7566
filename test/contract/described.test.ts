/**
 * The words of the OpenAPI document: nothing that a reader meets stands there without any.
 */
import test from 'ava'
import { sentence } from '../../lib/kit/api/json-schema.ts'
import { endpoints } from '../../lib/nouns.ts'
import { fieldWords } from '../../lib/openapi/field-words.ts'
import { openApiDocument, openApiText } from '../../lib/openapi/openapi.ts'

const text = openApiText(openApiDocument(endpoints))
const document = JSON.parse(text)

type Node = { readonly where: string; readonly value: Record<string, unknown> }

/** Every object of the document but those of examples. */
function nodesOf(value: unknown, where = ''): readonly Node[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([key, member]) =>
    /\/examples?$|schemas\/\w+\/const$/.test(`${where}/${key}`) ? [] : nodesOf(member, `${where}/${key}`),
  )
  return Array.isArray(value) ? inner : [{ where, value: value as Record<string, unknown> }, ...inner]
}

const nodes = nodesOf(document)

test('every field, every parameter, every header and every endpoint has words', t => {
  const parts = nodes.filter(({ where }) =>
    /^\/components\/(?:schemas\/\w+\/properties|parameters|headers)\/[\w-]+$|\/parameters\/\d+$|^\/(?:paths|webhooks)\/[^/]+.*\/(?:get|post|patch|delete)$/.test(
      where,
    ),
  )
  t.true(parts.length > 1_000, String(parts.length))
  t.deepEqual(
    parts.filter(({ value }) => !value['description'] && !value['$ref']).map(({ where }) => where),
    [],
  )
})

test('every value of a closed list has words of its own', t => {
  const lists = nodes.filter(({ value }) => Array.isArray(value['enum']))
  t.true(lists.length > 50, String(lists.length))
  const silent = lists.filter(({ value }) => {
    const words = value['x-enum-descriptions'] as readonly string[] | undefined
    return words?.length !== (value['enum'] as readonly unknown[]).length || words.some(one => one === '')
  })
  t.deepEqual(
    silent.map(({ where }) => where),
    [],
  )
  t.false(text.includes('x-enum-words'))
})

test('no words by name are left over', t => {
  const unused = Object.entries(fieldWords).filter(
    ([, words]) => !text.includes(JSON.stringify(sentence(words)).slice(1, -1)),
  )
  t.deepEqual(unused, [])
})
