/**
 * What the guides say of endpoints, held against their declarations; and their commands, run as they stand there.
 */
import { readdir, readFile } from 'node:fs/promises'
import test from 'ava'
import { API_PREFIX } from '../../lib/api/endpoint.ts'
import { errorCatalogue } from '../../lib/api/errors.ts'
import { jsonSchemaOf } from '../../lib/api/json-schema.ts'
import { endpoints } from '../../lib/endpoints.ts'
import { guides } from '../../lib/openapi/guides.ts'
import { openApiDocument } from '../../lib/openapi/openapi.ts'
import { temporaryFolder } from '../support/servers.ts'
import { startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'
import { blocksOf, outputsOf, pattern } from './worked-examples.ts'

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
  for (const code of Object.keys(errorCatalogue)) t.true(prose.includes(`| \`${code}\` |`), code)
})

test('every command of the guide of following does what the guide says', async t => {
  t.timeout(60_000)
  const services = await testServices()
  const service = await startService(services)
  try {
    const { token } = await service.tenant()
    const blocks = blocksOf(await readFile(new URL('../../docs/following.md', import.meta.url), 'utf8'))
    t.true(blocks.length >= 3)
    const env = { API: `${service.url}${API_PREFIX}`, TOKEN: token }
    const printed = await outputsOf(blocks, { folder: await temporaryFolder(), env })
    for (const [n, block] of blocks.entries()) t.regex(printed[n] ?? '', pattern(block.printed), block.input)
  } finally {
    await service.close()
    await services.close()
  }
})
