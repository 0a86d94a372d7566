/**
 * Gives every field of the named schemas, and every parameter, its description: that of its declaration, else the meaning of its name
 * (`lib/kit/fields/vocabulary.ts`), with the meaning of each value of a closed list. It must not describe a field of one noun.
 */
import { type SchemaObject, sentence } from '../kit/api/json-schema.ts'
import { vocabulary } from '../kit/fields/vocabulary.ts'

type Schemas = Readonly<Record<string, SchemaObject>>

export const described = (schemas: Schemas): Schemas =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, describedFields(schema)]))

function describedFields(schema: SchemaObject): SchemaObject {
  if (schema.properties === undefined) return schema
  const properties = Object.entries(schema.properties).map(([field, member]) => [
    field,
    describedField(member, vocabulary[field]),
  ])
  return { ...schema, properties: Object.fromEntries(properties) }
}

/**
 * A parameter's schema without description, and the description: that of its declaration, else of its filter, else the meaning of its name.
 */
export function describedParameter(
  name: string,
  schema: SchemaObject,
  { isFilter }: { readonly isFilter: boolean },
): { readonly description: string; readonly schema: SchemaObject } {
  const { description = '', ...rest } = describedField(schema, isFilter ? filterWords(name, schema) : vocabulary[name])
  return { description, schema: rest }
}

/** The description of a filter that compares a column. */
function filterWords(name: string, { type }: SchemaObject): string {
  if (type === 'boolean') return `only ${name} records, or only the others`
  return type === 'array'
    ? `only what has one of these in \`${name}\`, joined by commas`
    : `only what has this \`${name}\``
}

function describedField(
  { description: said, 'x-form': form, ...schema }: SchemaObject,
  unlessSaid: string | undefined,
): SchemaObject {
  const { 'x-enum-words': choices, ...plain } = schema
  const values = choices ?? schema.items?.['x-enum-words']
  const texts = [said ?? unlessSaid, form].filter(text => text !== undefined)
  const description = [texts.map(sentence).join(' '), ...(values ? [listOf(values)] : [])].join('\n\n')
  return {
    ...plain,
    ...(description ? { description } : {}),
    ...(choices ? meaningsOf(schema, choices) : {}),
    ...(schema.items ? { items: withoutWords(schema.items) } : {}),
  }
}

function withoutWords({ 'x-enum-words': choices, ...schema }: SchemaObject): SchemaObject {
  return choices ? { ...schema, ...meaningsOf(schema, choices) } : schema
}

const meaningsOf = ({ enum: values = [] }: SchemaObject, choices: Readonly<Record<string, string>>) => ({
  'x-enum-descriptions': values.map(value => sentence(choices[String(value)] ?? 'none')),
})

const listOf = (choices: Readonly<Record<string, string>>): string =>
  Object.entries(choices)
    .map(([value, words]) => `- \`${value}\`: ${words.replace(/\.$/, '')}`)
    .join('\n')
