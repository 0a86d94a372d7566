/**
 * A schema's fields as table rows: name, type, whether required, limits, default, meaning. It must say only what the
 * schema says.
 */
import type { SchemaObject } from '../../lib/api/json-schema.ts'
import { type Html, html } from './html.ts'
import { inline } from './markdown.ts'

export type Field = { readonly name: string; readonly schema: SchemaObject; readonly required: boolean }

const DEPTH_MAX = 6

/** An object's fields, those of nested objects and arrays after their parent (`items[].quantity`). */
export function fieldsOf(schema: SchemaObject, prefix = '', depth = 0): readonly Field[] {
  if (depth > DEPTH_MAX) return []
  return Object.entries(schema.properties ?? {}).flatMap(([key, member]) => {
    const name = `${prefix}${key}`
    const field = { name, schema: member, required: schema.required?.includes(key) ?? false }
    const inner = member.items
      ? fieldsOf(member.items, `${name}[].`, depth + 1)
      : fieldsOf(member, `${name}.`, depth + 1)
    return [field, ...inner]
  })
}

/** `string?` for a nullable string, `array of object`, `id` for ids. */
export function typeName(schema: SchemaObject): string {
  if (schema.anyOf) return schema.anyOf.map(typeName).join(' or ')
  const types = [schema.type ?? 'any'].flat()
  const known = types.filter(type => type !== 'null')
  const name = known.includes('string') && known.includes('integer') ? 'id' : known.join(' or ')
  const shown = formats[schema.format ?? ''] ?? (name === 'array' ? `array of ${typeName(schema.items ?? {})}` : name)
  return types.includes('null') ? `${shown} or null` : shown
}

const formats: Readonly<Record<string, string>> = { int64: 'int64', 'date-time': 'timestamp', date: 'date', uri: 'URL' }

/** The limits in words: `1 to 255 characters`, `greater than 0`. */
export function limitsOf(schema: SchemaObject): readonly string[] {
  const limits: string[] = []
  const { minLength, maxLength, minItems, maxItems } = schema
  if (maxLength !== undefined) limits.push(range(minLength, maxLength, 'characters'))
  else if (minLength) limits.push('not empty')
  if (maxItems !== undefined) limits.push(range(minItems, maxItems, 'entries'))
  else if (minItems) limits.push(`at least ${minItems} ${minItems === 1 ? 'entry' : 'entries'}`)
  if (schema.minimum !== undefined && schema.maximum !== undefined && schema.maximum < 2 ** 31 - 1)
    limits.push(`${schema.minimum} to ${schema.maximum}`)
  else if (schema.minimum === -(2 ** 31)) limits.push('int32')
  else {
    if (schema.minimum !== undefined) limits.push(`${schema.minimum} or more`)
    if (schema.maximum !== undefined) limits.push(`at most ${schema.maximum}`)
  }
  if (schema.exclusiveMinimum !== undefined) limits.push(`greater than ${figure(schema.exclusiveMinimum)}`)
  if (schema.exclusiveMaximum !== undefined) limits.push(`less than ${figure(schema.exclusiveMaximum)}`)
  if (schema['x-decimals-max'] !== undefined) limits.push(`at most ${schema['x-decimals-max']} decimals`)
  if (schema.maxProperties !== undefined) limits.push(`at most ${schema.maxProperties} entries`)
  return limits
}

const range = (min: number | undefined, max: number, unit: string) =>
  min ? `${min} to ${figure(max)} ${unit}` : `up to ${figure(max)} ${unit}`

/** `1 000 000 000` reads better than ten digits. */
const figure = (value: number) => String(value).replace(/\B(?=(\d{3})+$)/g, '\u202f')

/** Rows of name, type and meaning; `showRequired` where the fields are sent by the reader. */
export function fieldTable(caption: string, fields: readonly Field[], showRequired: boolean): Html {
  return html`<table class="fields"><caption class="hidden-text">${caption}</caption>
<thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${fields.map(field => fieldRow(field, showRequired))}</tbody></table>`
}

function fieldRow({ name, schema, required }: Field, showRequired: boolean): Html {
  const allowed = schema.enum ?? schema.items?.enum ?? []
  const facts = [...limitsOf(schema), ...(schema.items ? limitsOf(schema.items).map(limit => `each ${limit}`) : [])]
  const values = allowed.filter(value => value !== null).map(value => html`<code>${String(value)}</code> `)
  return html`<tr><th scope="row"><code>${breakable(name)}</code>${showRequired && required ? html` <em class="required">required</em>` : undefined}</th>
<td>${typeName(schema)}</td><td>${[
    schema.description ? html`<span>${inline(schema.description)}</span> ` : undefined,
    values.length > 0 ? html`<span class="values">${values}</span> ` : undefined,
    facts.length > 0 ? html`<span class="limits">${facts.join(', ')}</span> ` : undefined,
    schema.default === undefined
      ? undefined
      : html`<span class="limits">default <code>${JSON.stringify(schema.default)}</code></span>`,
  ]}</td></tr>
`
}

/** Long names may break after a dot or an underscore. */
const breakable = (name: string) =>
  name.split(/(?<=[._])/).map((part, n) => html`${n > 0 ? html`<wbr>` : undefined}${part}`)
