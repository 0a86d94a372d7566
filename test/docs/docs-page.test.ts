/**
 * The reference page as HTML: complete, self-contained, safe, and readable without scripts. How it is served is shown in
 * the contract tests.
 */
import { createHash } from 'node:crypto'
import test from 'ava'
import { endpoints } from '../../lib/endpoints.ts'
import { openApiDocument } from '../../lib/openapi/openapi.ts'
import { html } from '../../server/docs/html.ts'
import { markdown } from '../../server/docs/markdown.ts'
import { docsPage } from '../../server/docs-page.ts'
import { crateEndpoints, crateExamples } from '../contract/own-endpoints.ts'

/** Of the page as it is; compressed, as browsers take it, it is a tenth. */
const SIZE_MAX = 1_000_000

const document = openApiDocument(endpoints)
const page = docsPage(document)
const crates = docsPage(openApiDocument(crateEndpoints, { examples: crateExamples })).html

test('the page holds every endpoint of the list: its name, path and scope, and a place to link to', t => {
  for (const { id, path, scope, summary } of endpoints) {
    t.true(page.html.includes(`<section class="endpoint" id="${id}"`), id)
    t.true(page.html.includes(`<a href="#${id}">`), id)
    t.true(page.html.includes(`/api/external/v1${path.replaceAll(/\{\w+\}/g, '<var>$&</var>')}`), path)
    t.true(page.html.includes(scope ?? 'no scope'), scope ?? id)
    t.true(page.html.includes(String(html`${summary}`.text)), summary)
  }
})

test('every link within the page leads somewhere and no id is used twice', t => {
  const ids = [...page.html.matchAll(/ id="([^"]+)"/g)].map(match => match[1])
  t.is(new Set(ids).size, ids.length)
  for (const [, target] of page.html.matchAll(/href="#([^"]+)"/g)) t.true(ids.includes(target), target)
})

test('the page loads nothing and its policy lets only its own style and script through', t => {
  const loads = page.html.match(/<(?:link|img|iframe|object|embed|script [^>]*src|base)\b|@import|url\(/g)
  t.is(loads, null)
  t.deepEqual(
    [...page.html.matchAll(/https?:\/\/(?!127\.0\.0\.1:3000|example\.com\/|json-schema\.org\/)[^\s"'<]+/g)].map(
      match => match[0],
    ),
    [],
  )
  t.is(page.html.match(/ style="| on\w+="/), null)
  for (const [kind, directive] of [
    ['style', 'style-src'],
    ['script', 'script-src'],
  ] as const) {
    const [block, ...others] = [...page.html.matchAll(new RegExp(`<${kind}>([\\s\\S]*?)</${kind}>`, 'g'))]
    t.is(others.length, 0)
    const hash = createHash('sha256')
      .update(block?.[1] ?? '')
      .digest('base64')
    t.true(page.policy.includes(`${directive} 'sha256-${hash}'`))
  }
  t.true(page.policy.startsWith("default-src 'none'; "))
})

test('the page stays small', t => {
  t.true(Buffer.byteLength(page.html) < SIZE_MAX, `${Buffer.byteLength(page.html)} bytes`)
})

test('without scripts nothing but the key field, the filter and the copy buttons is hidden', t => {
  const hidden = [
    ...page.html.replace(/<script>[\s\S]*<\/script>/, '').matchAll(/<(\w+)[^>]* (?:class|id)="([\w-]+)"[^>]* hidden>/g),
  ]
  t.deepEqual([...new Set(hidden.map(([, , name]) => name))].sort(), ['copy', 'filter', 'key', 'no-match'])
})

test('a command is shown as a curl with key, idempotency key and body, and its fields with limits and defaults', t => {
  const section = crates.slice(crates.indexOf('<section class="endpoint" id="createCrate"'))
  const text = section
    .slice(0, section.indexOf('</section>'))
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
  t.true(
    text.includes(
      `curl -sS http://127.0.0.1:3000/api/external/v1/crates \\
  -H "Authorization: Bearer $TOKEN" \\
  -H "Idempotency-Key: createCrate-1" \\
  -H "Content-Type: application/json" \\
  -d '{
  "title": "Apples",`,
    ),
  )
  t.regex(text, /title required\nstring1 to 255 characters/)
  t.regex(text, /kind\nstringWOOD STEEL +default "WOOD"/)
  t.regex(text, /weight\nnumber0 or more, less than 1.000.000.000, at most 6 decimals default 1\.5/)
  t.regex(text, /parts\[\]\.quantity required\nnumbergreater than 0/)
  t.regex(text, /409insufficient_stockThere is not enough stock; nothing was moved\./)
})

test('texts of the document cannot bring markup into the page', t => {
  t.is(html`<p title="${`"'><b>`}">${'<script>'}</p>`.text, '<p title="&quot;&#39;&gt;&lt;b&gt;">&lt;script&gt;</p>')
  t.is(markdown('**<b>** and `<i>`').text, '<p><strong>&lt;b&gt;</strong> and <code>&lt;i&gt;</code></p>')
  t.is(markdown('- <a>\n- `b`').text, '<ul><li>&lt;a&gt;</li><li><code>b</code></li></ul>')
})
