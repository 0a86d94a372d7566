/** A document that a JSON Schema describes, for who has none yet. */
type Schema = {
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly examples?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}

export function sampleOf(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const
  const given = schema.examples ?? schema.enum
  if (given && given.length > 0) return given[0]
  if (schema.anyOf?.[0]) return sampleOf(schema.anyOf[0])
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0]
  switch (type) {
    case 'object':
      return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, of]) => [name, sampleOf(of)]))
    case 'array':
      return schema.items ? [sampleOf(schema.items)] : []
    case 'integer':
    case 'number':
      return 1
    case 'boolean':
      return false
    case 'null':
      return null
    default:
      return schema.format === 'date-time'
        ? '2026-11-21T05:00:00.000Z'
        : schema.format === 'date'
          ? '2026-11-21'
          : 'text'
  }
}
