/** The texts of the OpenAPI document: everything that a reader of it sees has a description. */
import { sentence } from '../../lib/kit/api/json-schema.ts'
import { vocabulary } from '../../lib/kit/fields/vocabulary.ts'
import { endpoints } from '../../lib/nouns.ts'
import { openApiDocument, openApiText } from '../../lib/openapi/openapi.ts'
import { eventKindsOf } from '../../lib/webhooks/event-kinds.ts'
import { eventKindRows } from '../../lib/webhooks/event-schemas.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const text = openApiText(openApiDocument(endpoints))
const document = JSON.parse(text)

type Node = { readonly where: string; readonly value: Record<string, unknown> }

/** Every object of the document except those within examples. */
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
  t.false(/x-enum-words|x-form/.test(text))
  t.false(/x-enum-words|x-form/.test(JSON.stringify(eventKindRows(eventKindsOf(endpoints)))))
})

test('each word of the common vocabulary means the same in three nouns or more, and there are 45 at most', t => {
  const { schemas } = document.components
  const saying = (name: string, words: string) =>
    Object.keys(schemas).filter(schema => schemas[schema].properties?.[name]?.description?.startsWith(sentence(words)))
  const nounOf = (schema: string) => schema.replace(/^(?:Create|Update)|Body$/g, '')
  const used = Object.entries(vocabulary).map(([name, words]) => ({
    name,
    nouns: new Set(saying(name, words).map(nounOf)),
  }))
  t.deepEqual(
    used.filter(({ nouns }) => nouns.size < 3).map(({ name }) => name),
    [],
  )
  t.true(used.length > 15 && used.length <= 45, String(used.length))
})
