/**
 * Writes the part of the client that the description determines (src/generated.ts): a type for each schema, a method of one
 * line for each endpoint, named after its path. It must not know how a request is sent: src/transport.ts does.
 */
import { comment, field, nameOf, type Schema, typeOf, type Use } from './types.ts'

type Media = { readonly schema?: Schema }
type Parameter = {
  readonly $ref?: string
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}
type Operation = {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>
}

/** What of an OpenAPI document is read. */
export type Description = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters: Readonly<Record<string, Parameter>>
  }
}

type Endpoint = Operation & {
  readonly method: string
  /** Below the prefix. */
  readonly path: string
  readonly query: readonly Parameter[]
  readonly isConditional: boolean
  readonly isCommand: boolean
  readonly body: Schema | undefined
}

const PREFIX = '/api/external/v1'
/** The last segment of a path that ends with a reference. */
const REFERENCE = '{external_ref}'
/** Written by hand: its answers are typed by its entries. */
const BY_HAND = ['/bulk']

const HEAD = `/**
 * Generated from the OpenAPI description by \`npm run openapi\`: types of all documents and requests, and a method for each
 * endpoint. Do not edit.
 */
import { Endpoints, type Entries, type EventStream, type List, path, referencePath } from './endpoints.ts'
import type { ConditionalOptions, ReadOptions, StreamOptions, WriteOptions } from './options.ts'
`

/** The text of src/generated.ts. */
export function clientText(description: Description): string {
  const endpoints = endpointsOf(description)
  const resources = Map.groupBy(
    endpoints.filter(endpoint => !isOfRoot(endpoint)),
    ({ path }) => camelCase(path.split('/')[1] ?? ''),
  )
  return [
    HEAD,
    ...schemaTypes(description, endpoints),
    ...endpoints.filter(({ query }) => query.length > 0).map(queryType),
    ...[...resources].map(([name, own]) => resourceClass(name, own, { endpoints, description })),
    rootClass(resources, { endpoints, description }),
    writesType(resources, { endpoints, description }),
  ].join('\n')
}

function endpointsOf(description: Description): readonly Endpoint[] {
  return Object.entries(description.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => operation.operationId !== undefined)
      .map(([method, operation]): Endpoint => {
        const parameters = (operation.parameters ?? []).map(parameter =>
          parameter.$ref ? (description.components.parameters[nameOf(parameter.$ref)] ?? parameter) : parameter,
        )
        return {
          ...operation,
          method: method.toUpperCase(),
          path: path.slice(PREFIX.length),
          query: parameters.filter(parameter => parameter.in === 'query'),
          isConditional: parameters.some(({ name }) => name === 'If-Match'),
          isCommand: parameters.some(({ name }) => name === 'Idempotency-Key'),
          body: operation.requestBody?.content['application/json']?.schema,
        }
      })
      .filter(endpoint => path.startsWith(`${PREFIX}/`) && !BY_HAND.includes(endpoint.path)),
  )
}

// Types

function schemaTypes({ components: { schemas }, paths }: Description, endpoints: readonly Endpoint[]): string[] {
  const sent = new Set<string>()
  const follow = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const { $ref } = value as Schema
    if ($ref && !sent.has(nameOf($ref))) {
      sent.add(nameOf($ref))
      follow(schemas[nameOf($ref)])
    }
    for (const inner of Object.values(value)) follow(inner)
  }
  for (const { body } of endpoints) follow(body)
  const bulk = paths[`${PREFIX}/bulk`]?.['post']
  follow(bulk?.requestBody)
  return Object.entries(schemas).map(([name, schema]) => {
    const use: Use = sent.has(name) ? 'request' : 'answer'
    return `${comment(schema.description)}export type ${name} = ${typeOf(schema, use)}\n`
  })
}

function queryType({ operationId, query, method, path }: Endpoint): string {
  // Totals are a method of their own.
  const fields = query
    .filter(({ name }) => name !== 'totals')
    .map(({ name, required = false, description, schema }) => {
      const known = { ...schema, ...(description === undefined ? {} : { description }) }
      const one = schema.type === 'array' && schema.items ? { anyOf: [schema.items, schema], ...textOf(known) } : known
      return field(name, one, { use: 'request', isOptional: !required, indent: '  ' })
    })
  return `/** Query of \`${method} ${path}\`. */\nexport type ${queryName(operationId)} = {\n${fields.join('')}}\n`
}

const textOf = ({ description }: Schema): Schema => (description === undefined ? {} : { description })
const queryName = (operationId: string): string => `${pascalCase(operationId)}Query`

/** The type that a method answers. */
function answerOf(
  endpoint: Endpoint,
  description: Description,
): {
  readonly type: string
  readonly isList: boolean
  /** What a list answers with `totals=true`: a method of its own. */
  readonly totals?: string
} {
  const content = endpoint.responses['200']?.content ?? endpoint.responses['201']?.content
  const stream = content?.['text/event-stream']
  if (stream) return { type: 'Event', isList: false }
  const schema = content?.['application/json']?.schema
  if (!schema) return { type: 'void', isList: false }
  const page = schema.$ref ? (description.components.schemas[nameOf(schema.$ref)] ?? schema) : schema
  const [listed, totals] = page.anyOf ?? [page]
  const rows = listed?.properties?.['next_cursor'] && listed.properties['data']?.items
  if (rows && totals) return { type: typeOf(rows, 'answer'), isList: true, totals: typeOf(totals, 'answer') }
  return rows ? { type: typeOf(rows, 'answer'), isList: true } : { type: typeOf(schema, 'answer'), isList: false }
}

const isStream = ({ responses }: Endpoint): boolean => responses['200']?.content?.['text/event-stream'] !== undefined

// Methods

type Known = { readonly endpoints: readonly Endpoint[]; readonly description: Description }

/** `GET /me` and `GET /requirements` are methods of the client itself. */
const isOfRoot = ({ method, path, query, responses }: Endpoint): boolean =>
  method === 'GET' && /^\/[^/]+$/.test(path) && !query.some(({ name }) => name === 'cursor') && !('304' in responses)

/**
 * `list`, `create`, `get`, `update` and `delete` of a path; what stands behind an id is `listReceipts` and `createReceipt`
 * where it can be listed and made, else named as it stands (`start`, `rotateSecret`).
 */
function methodName(endpoint: Endpoint, { endpoints, description }: Known): string {
  const { method, path } = endpoint
  const words = path.split('/').slice(1)
  const last = words.at(-1) ?? ''
  const { isList } = answerOf(endpoint, description)
  if (last === REFERENCE) return `${method.toLowerCase()}ByRef`
  if (words.length > 1 && !last.startsWith('{')) {
    if (isList) return `list${pascalCase(last)}`
    const isMember = method === 'POST' && endpoints.some(other => other.path === path && other.method === 'GET')
    return isMember ? `create${pascalCase(last).replace(/s$/, '')}` : camelCase(last)
  }
  if (method === 'GET') return isList ? 'list' : isOfRoot(endpoint) ? camelCase(last) : 'get'
  return { POST: 'create', PATCH: 'update', DELETE: 'delete' }[method] ?? method.toLowerCase()
}

function methodText(endpoint: Endpoint, known: Known): string {
  const { method, path, operationId, query, body, isConditional, summary, description } = endpoint
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1] ?? '')
  const idArguments = ids.map(id => `${camelCase(id)}: string`)
  const tag = path.endsWith(REFERENCE) ? 'referencePath' : 'path'
  const target =
    ids.length === 0 ? `'${path}'` : `${tag}\`${path.replaceAll(/\{(\w+)\}/g, (_, id) => `\${${camelCase(id)}}`)}\``
  const { type, isList, totals } = answerOf(endpoint, known.description)
  const isRequired = query.some(({ required }) => required)
  const queryArgument = `query: ${queryName(operationId)}${isRequired ? '' : ' = {}'}`
  const text = comment(`${summary ?? ''}.\n\n${description ?? ''}`, '  ')
  const line = (taken: readonly string[], answer: string, call: string) =>
    `${text}  ${methodName(endpoint, known)}(${taken.join(', ')}): ${answer} {\n    return this.transport.${call}\n  }\n`
  if (method !== 'GET') {
    const options = `options?: ${isConditional ? 'ConditionalOptions' : 'WriteOptions'}`
    const bodyArgument = body
      ? [`body: ${typeOf(body, 'request')}${method !== 'PATCH' && takesNothing(body, known) ? ' = {}' : ''}`]
      : []
    const call = `write('${method}', ${target}, ${body ? 'body' : 'undefined'}, options)`
    return line([...idArguments, ...bodyArgument, options], `Promise<${type}>`, call)
  }
  const queryArguments = query.length > 0 ? [queryArgument] : []
  const passed = query.length > 0 ? 'query' : '{}'
  if (isStream(endpoint)) {
    const generic = `query: Omit<${queryName(operationId)}, 'type'> & { type?: Type | undefined } = {}`
    return `${text}  stream<Type extends Event['type'] = Event['type']>(${generic}, options?: StreamOptions): EventStream<Extract<Event, { type: Type }>> {\n    return this.transport.stream(${target}, query, options)\n  }\n`
  }
  if (isList) {
    const taken = [...idArguments, ...queryArguments, 'options?: ReadOptions']
    const listed = line(taken, `List<${type}>`, `list(${target}, ${passed}, options)`)
    if (totals === undefined) return listed
    const summed = `${comment('Figures of all rows of the list.', '  ')}  totals(${taken.join(', ')}): Promise<${totals}> {\n`
    return `${listed}\n${summed}    return this.transport.read(${target}, { ...${passed}, totals: true }, options)\n  }\n`
  }
  return line(
    [...idArguments, ...queryArguments, 'options?: ReadOptions'],
    `Promise<${type}>`,
    `read(${target}, ${passed}, options)`,
  )
}

/** Whether an empty body will do. */
function takesNothing(body: Schema, { description }: Known): boolean {
  const schema = body.$ref ? description.components.schemas[nameOf(body.$ref)] : body
  return schema !== undefined && !schema.oneOf && !schema.anyOf && (schema.required ?? []).length === 0
}

function resourceClass(name: string, own: readonly Endpoint[], known: Known): string {
  const paths = [...new Set(own.map(({ path }) => path.split('/')[1] ?? ''))].join(', ')
  return `/** The endpoints below \`/${paths}\`. */\nexport class ${className(name)} extends Endpoints {\n${own.map(endpoint => methodText(endpoint, known)).join('\n')}}\n`
}

const className = (resource: string): string => `${pascalCase(resource)}Endpoints`

type Resources = ReadonlyMap<string, readonly Endpoint[]>

function rootClass(resources: Resources, known: Known): string {
  const members = [...resources.keys()].map(
    name => `  readonly ${name}: ${className(name)} = new ${className(name)}(this.transport)\n`,
  )
  const own = known.endpoints.filter(isOfRoot).map(endpoint => methodText(endpoint, known))
  return `/** Every endpoint of the interface. */\nexport class Api extends Endpoints {\n${members.join('')}\n${own.join('\n')}}\n`
}

/** The writes alone, as entries of a bulk. */
function writesType(resources: Resources, known: Known): string {
  const members = [...resources].flatMap(([name, own]) => {
    const names = own.filter(({ isCommand }) => isCommand).map(endpoint => `'${methodName(endpoint, known)}'`)
    return names.length === 0 ? [] : [`  readonly ${name}: Entries<${className(name)}, ${names.join(' | ')}>\n`]
  })
  return `/** Every write, as an entry of a bulk. */\nexport type Writes = {\n${members.join('')}}\n`
}

function pascalCase(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}

function camelCase(text: string): string {
  const name = pascalCase(text)
  return name.charAt(0).toLowerCase() + name.slice(1)
}
