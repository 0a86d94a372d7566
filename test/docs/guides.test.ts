/** What the guides say of endpoints, compared with the declarations. `readme.test.ts` runs their commands. */
import { readdir } from 'node:fs/promises'
import { errorCatalogue } from '../../lib/kit/api/errors.ts'
import { endpoints } from '../../lib/nouns.ts'
import { guides } from '../../lib/openapi/guides.ts'
import { openApiDocument } from '../../lib/openapi/openapi.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

test('the guide of limits names the writes that count as documents, and no other', t => {
  const { markdown = '' } = guides.find(({ id }) => id === 'limits') ?? {}
  const sentence = /These writes count as one document each: ([^.]*)\./.exec(markdown)?.[1] ?? ''
  t.deepEqual(
    [...sentence.matchAll(/`([^`]+)`/g)].map(([, write]) => write).sort(),
    endpoints
      .filter(endpoint => endpoint.kind === 'command' && endpoint.countsAsDocument)
      .map(({ method, path }) => `${method} ${path}`)
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

test('the description holds every file of guides, with no heading above its own and no link to a file', async t => {
  const written = (await readdir(new URL('../../docs/guides', import.meta.url))).map(name => name.replace('.md', ''))
  t.deepEqual(guides.map(({ id }) => id).sort(), [...written, 'following', 'webhooks'].sort())
  const { description } = openApiDocument(endpoints, { baseUrl: 'https://millrace.example' }).info
  const prose = description.replaceAll(/^```[\s\S]*?^```$/gm, '')
  t.deepEqual(
    [...prose.matchAll(/^## (.*)$/gm)].map(([, title]) => title),
    guides.map(({ title }) => title),
  )
  t.notRegex(prose, /^# |\]\((?!https:)|<!--/m)
  t.notRegex(description, /127\.0\.0\.1:3000/)
})

test('the guide of errors lists every code with its status and meaning, in their order', t => {
  const { markdown = '' } = guides.find(({ id }) => id === 'errors') ?? {}
  t.deepEqual(
    [...markdown.matchAll(/^\| (\d+) \| `(\w+)` \| (.*) \|$/gm)].map(([, status, code, meaning]) => [
      status,
      code,
      meaning,
    ]),
    [...errorCatalogue()].map(([code, { status, meaning }]) => [String(status), code, meaning]),
  )
})
