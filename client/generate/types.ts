/**
 * JSON Schemas of the description as TypeScript types: what `lib/kit/api/json-schema.ts` writes, and no more of JSON Schema. It
 * knows no endpoint.
 */

export type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly description?: string
  readonly default?: unknown
}

/** Requests may leave optional fields undefined, and take lists that nobody changes; answers have every field. */
export type Use = 'request' | 'answer'

/** The type's name of a `$ref`. */
export const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

/** A comment of these lines before a declaration, or nothing where there is nothing to say. */
export function comment(text: string | undefined, indent = ''): string {
  const lines = (text ?? '').replaceAll('*/', '*\\/').trim().split('\n')
  if (lines[0] === '') return ''
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return `${indent}/**\n${lines.map(line => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`
}

/** The type of a schema, as it stands behind a colon. */
export function typeOf(schema: Schema, use: Use, indent = ''): string {
  if (schema.$ref) return nameOf(schema.$ref)
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return union(schema.enum.map(value => JSON.stringify(value)))
  const alternatives = schema.oneOf ?? schema.anyOf
  if (alternatives) return union(alternatives.map(one => typeOf(one, use, indent)))
  if (schema.allOf) return schema.allOf.map(one => grouped(typeOf(one, use, indent))).join(' & ')
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['any'])
  return union(types.map(type => ofOneType(type, schema, use, indent)))
}

function ofOneType(type: string, schema: Schema, use: Use, indent: string): string {
  switch (type) {
    case 'integer':
      return 'number'
    case 'any':
      return 'unknown'
    case 'array':
      return `${use === 'request' ? 'readonly ' : ''}${grouped(typeOf(schema.items ?? {}, use, indent))}[]`
    case 'object':
      return objectType(schema, use, indent)
    default:
      return type
  }
}

function objectType({ properties, required = [], additionalProperties }: Schema, use: Use, indent: string): string {
  if (!properties || Object.keys(properties).length === 0) {
    const values = typeof additionalProperties === 'object' ? typeOf(additionalProperties, use, indent) : 'unknown'
    return additionalProperties === false ? 'Record<string, never>' : `Record<string, ${values}>`
  }
  const inner = `${indent}  `
  const fields = Object.entries(properties).map(([name, schema]) => {
    const isOptional = !required.includes(name)
    return field(name, schema, { use, isOptional, indent: inner })
  })
  return `{\n${fields.join('')}${indent}}`
}

/** One line of an object type, with its comment. */
export function field(
  name: string,
  schema: Schema,
  { use, isOptional, indent }: { readonly use: Use; readonly isOptional: boolean; readonly indent: string },
): string {
  const type = typeOf(schema, use, indent)
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
  const byDefault = schema.default === undefined ? '' : ` Default: \`${JSON.stringify(schema.default)}\`.`
  const text = comment(`${asSentence(schema.description)}${byDefault}`, indent)
  return `${text}${indent}${key}${isOptional ? '?' : ''}: ${type}${isOptional && use === 'request' ? ' | undefined' : ''}\n`
}

const asSentence = (text = ''): string => (text === '' || /[.!?)`]$/.test(text) ? text : `${text}.`)

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ')

const grouped = (type: string): string => (/^[\w.]+$/.test(type) || /^\{[^|&]*\}$/s.test(type) ? type : `(${type})`)
