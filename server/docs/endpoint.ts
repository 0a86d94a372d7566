/**
 * One endpoint's part of the page: what it is, what it takes, what it answers and refuses, and examples of both.
 */
import type { OpenApiDocument } from '../../lib/openapi/types.ts'
import { BASE_PLACEHOLDER, codeBlock, KEY_PLACEHOLDER, prettyJson, shellQuoted } from './code.ts'
import { type Field, fieldsOf, fieldTable } from './fields.ts'
import { type Html, html } from './html.ts'
import { inline, markdown } from './markdown.ts'
import { type Entry, parametersOf, responsesOf, schemaOf } from './resolve.ts'

export const methodBadge = (method: string): Html => html`<span class="method ${method}">${method.toUpperCase()}</span>`

export function endpointSection(document: OpenApiDocument, entry: Entry): Html {
  const { method, path, operation } = entry
  const id = operation.operationId
  return html`
<section class="endpoint" id="${id}" aria-labelledby="${id}-title">
<div class="about">
<h3 id="${id}-title"><a href="#${id}">${operation.summary}</a></h3>
<p class="route">${methodBadge(method)} <code>${pathWithParameters(path)}</code></p>
<p class="chips"><span class="chip" title="The scope that the key needs">${operation['x-required-scope'] ?? 'no scope'}</span>${
    method === 'get' ? undefined : html`<span class="chip plain">idempotent</span>`
  }${operation['x-counts-as-document'] ? html`<span class="chip plain">spends a document</span>` : undefined}</p>
${markdown(operation.description)}
${parameterTables(document, entry)}
${bodyTable(document, entry)}
${replyTable(document, entry)}
${errorTable(document, entry)}
</div>
<div class="examples">
${codeBlock(curlOf(document, entry), 'sh', 'Request')}
${successExample(document, entry)}
</div>
</section>`
}

const pathWithParameters = (path: string) =>
  path.split(/(\{\w+\})/).map(part => (part.startsWith('{') ? html`<var>${part}</var>` : html`${part}`))

function parameterTables(document: OpenApiDocument, { operation }: Entry): Html {
  const parameters = parametersOf(document, operation)
  const places = { path: 'Path', query: 'Query', header: 'Headers' } as const
  return html`${Object.entries(places).map(([place, title]) => {
    const fields = parameters
      .filter(parameter => parameter.in === place)
      .map(({ name, schema, required, description }): Field => {
        return { name, required, schema: description === undefined ? schema : { ...schema, description } }
      })
    return fields.length > 0 ? html`<h4>${title}</h4>${fieldTable(title, fields, true)}` : undefined
  })}`
}

function bodyTable(document: OpenApiDocument, { operation }: Entry): Html | undefined {
  const schema = operation.requestBody?.content['application/json'].schema
  if (!schema) return undefined
  const fields = fieldsOf(schemaOf(document, schema))
  if (fields.length === 0) return html`<h4>Body</h4><p>An empty object: <code>{}</code>.</p>`
  return html`<h4>Body</h4>${fieldTable('Body', fields, true)}`
}

function replyTable(document: OpenApiDocument, entry: Entry): Html | undefined {
  const success = successOf(document, entry)
  const { 'application/json': content, 'text/event-stream': stream } = success?.response.content ?? {}
  const schema = content?.schema ?? stream?.['x-event-data']
  if (!success || !schema) return undefined
  const isList = schema.properties?.['data']?.items !== undefined
  const record = schemaOf(document, (isList ? schema.properties?.['data']?.items : schema) ?? {})
  const fields = fieldsOf(record)
  if (fields.length === 0) return undefined
  const title = isList ? 'Fields of each record' : stream ? 'Fields of the data of each event' : 'Fields of the answer'
  return html`<details><summary>${title} <span class="count">${fields.length}</span></summary>${fieldTable(title, fields, false)}</details>`
}

function errorTable(document: OpenApiDocument, { operation }: Entry): Html {
  const refusals = [...responsesOf(document, operation)].flatMap(([status, { description }]) =>
    status < 400 ? [] : description.split('\n\n').map(text => ({ status, text })),
  )
  const rows = refusals.map(({ status, text }) => {
    const [, code = '', meaning = text] = /^`(\w+)`: (.*)$/s.exec(text) ?? []
    return html`<tr><td>${status}</td><th scope="row"><code>${code}</code></th><td>${inline(meaning)}</td></tr>
`
  })
  return html`<details><summary>Errors <span class="count">${rows.length}</span></summary><table class="errors"><caption class="hidden-text">Errors</caption><tbody>${rows}</tbody></table></details>`
}

function successOf(document: OpenApiDocument, { operation }: Entry) {
  // A replay's status stands beside the success; the success is the later one (201 beside 200).
  const statuses = [...responsesOf(document, operation)].filter(([status]) => status < 300)
  const [status, response] = statuses.at(-1) ?? []
  return status === undefined || response === undefined ? undefined : { status, response }
}

function successExample(document: OpenApiDocument, entry: Entry): Html | undefined {
  const success = successOf(document, entry)
  if (!success) return undefined
  const { 'application/json': content, 'text/event-stream': stream } = success.response.content ?? {}
  const label = `Answer ${success.status}`
  if (stream) return codeBlock(String(stream.example ?? ''), 'text', label)
  const example = content?.example
  if (example === undefined)
    return html`<p class="no-body">${label}${success.status === 204 ? ', without a body' : ''}</p>`
  return codeBlock(prettyJson(example), 'json', label)
}

/** A command that works as it is once the key and the ids are the reader's own. */
function curlOf(document: OpenApiDocument, entry: Entry): string {
  const { method, path, operation } = entry
  const parameters = parametersOf(document, operation)
  const concrete = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    String(parameters.find(parameter => parameter.name === name)?.example ?? name),
  )
  const query = parameters.filter(parameter => parameter.in === 'query' && parameter.required)
  const search = query.map(
    ({ name, example, schema }) => `${name}=${encodeURIComponent(String(example ?? schema.examples?.[0] ?? ''))}`,
  )
  const url = `${BASE_PLACEHOLDER}${concrete}${search.length > 0 ? `?${search.join('&')}` : ''}`
  const isStream = successOf(document, entry)?.response.content?.['text/event-stream'] !== undefined
  const lines = [`curl ${isStream ? '-sSN' : '-sS'} ${search.length > 0 ? shellQuoted(url) : url}`]
  const body = operation.requestBody?.content['application/json']
  if (method !== 'get' && !(method === 'post' && body)) lines[0] += ` -X ${method.toUpperCase()}`
  lines.push(`-H "Authorization: Bearer ${KEY_PLACEHOLDER}"`)
  if (method !== 'get') lines.push(`-H "Idempotency-Key: ${operation.operationId}-1"`)
  if (body) lines.push('-H "Content-Type: application/json"', `-d ${shellQuoted(prettyJson(body.example ?? {}))}`)
  return lines.join(' \\\n  ')
}
