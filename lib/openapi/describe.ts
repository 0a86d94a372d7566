/**
 * Gives every field of the named schemas, and every parameter, its words: those of its declaration, else those by name
 * (`fieldWords`), with what each value of a closed list means.
 */
import { type SchemaObject, sentence } from '../kit/api/json-schema.ts'
import { fieldWords } from './field-words.ts'

type Schemas = Readonly<Record<string, SchemaObject>>

/** `SalesOrderItem` of `CreateSalesOrderItem`, `SalesOrder` of `UpdateSalesOrderBody`. */
const nounOf = (name: string): string => name.replace(/^(?:Create|Update)(?=[A-Z])/, '').replace(/Body$/, '')

/** Bodies, and parts of them. */
const isSent = (name: string): boolean => nounOf(name) !== name

export function described(schemas: Schemas): Schemas {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, describedFields(schemas, name, schema)]),
  )
}

function describedFields(schemas: Schemas, name: string, schema: SchemaObject): SchemaObject {
  if (schema.properties === undefined) return schema
  const properties = Object.entries(schema.properties).map(([field, member]) => {
    const says = member.description
    // The declaration of what is sent says of its form alone.
    const words = isSent(name) || says === undefined ? wordsOf(schemas, name, field) : undefined
    return [field, describedField(member, words)]
  })
  return { ...schema, properties: Object.fromEntries(properties) }
}

/** The words by name. What is sent means what it means where it is shown. */
function wordsOf(schemas: Schemas, name: string, field: string): string | undefined {
  const noun = nounOf(name)
  const byNoun = fieldWords[`${name.replace(/Body$/, '')}.${field}`] ?? fieldWords[`${noun}.${field}`]
  const shown = isSent(name) ? schemas[noun]?.properties?.[field] : undefined
  // Of lists it says in which order they are.
  return byNoun ?? (shown?.items ? undefined : shown?.description) ?? fieldWords[field]
}

/** A parameter's schema without words, and its words: those by name, else that it filters, or what it means. */
export function describedParameter(
  name: string,
  schema: SchemaObject,
  { isFilter }: { readonly isFilter: boolean },
): { readonly description: string; readonly schema: SchemaObject } {
  const filter = schema.items
    ? `only what has one of these in \`${name}\`, joined by commas`
    : `only what has this \`${name}\``
  const words = fieldWords[`query.${name}`] ?? (isFilter ? filter : fieldWords[name])
  const { description = '', ...rest } = describedField(schema, words)
  return { description, schema: rest }
}

function describedField({ description: own, ...schema }: SchemaObject, words: string | undefined): SchemaObject {
  const { 'x-enum-words': choices, ...plain } = schema
  const values = choices ?? schema.items?.['x-enum-words']
  const texts = [words, own].filter(text => text !== undefined)
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
