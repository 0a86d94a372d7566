/**
 * The named schemas of the OpenAPI document, so that generated types have names. A body is named after its endpoint, an answer after its
 * kind (`named`, lib/kit/api/reply-fields.ts), and objects inside both after their place (`SalesOrderItem`).
 */
import { bodyOf, type Endpoint, type Schema } from '../kit/api/endpoint.ts'
import { jsonSchemaOf, pascalCase, type SchemaObject } from '../kit/api/json-schema.ts'
import { reference } from './shared.ts'
import type { Reference } from './types.ts'

export class NamedSchemas {
  readonly #schemas = new Map<string, SchemaObject>()
  readonly #replies = new Map<Schema, Reference>()

  /** The body of an endpoint; undefined if it takes none. */
  body(endpoint: Endpoint): Reference | undefined {
    const body = bodyOf(endpoint)
    if (!body) return undefined
    const owner = pascalCase(endpoint.id)
    return this.#add(`${owner}Body`, jsonSchemaOf(body.schema, 'request'), owner)
  }

  /** The answer of an endpoint (of a list: one record); undefined if there is none. */
  reply({ reply }: Endpoint): Reference | undefined {
    return reply && this.of(reply)
  }

  /** A list's answer to `totals=true`. */
  totals(endpoint: Endpoint): Reference | undefined {
    return endpoint.kind === 'list' && endpoint.totals ? this.of(endpoint.totals.reply) : undefined
  }

  /** A schema of answers. */
  of(reply: Schema): Reference {
    const known = this.#replies.get(reply)
    if (known) return known
    const { title, ...schema } = jsonSchemaOf(reply, 'reply')
    if (title === undefined) throw new Error(`a schema of answers has no name: ${Object.keys(schema.properties ?? {})}`)
    const made = this.#add(title, schema)
    this.#replies.set(reply, made)
    return made
  }

  all(): Readonly<Record<string, SchemaObject>> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  #add(name: string, schema: SchemaObject, owner = name): Reference {
    const added = this.#withNamedParts(owner, schema)
    const there = this.#schemas.get(name)
    if (there && JSON.stringify(there) !== JSON.stringify(added)) throw new Error(`two schemas are called ${name}`)
    this.#schemas.set(name, added)
    return reference('schemas', name)
  }

  #withNamedParts(owner: string, { properties, ...schema }: SchemaObject): SchemaObject {
    if (properties === undefined) return schema
    const parts = Object.entries(properties).map(([key, member]) => [key, this.#part(owner + pascalCase(key), member)])
    return { ...schema, properties: Object.fromEntries(parts) }
  }

  /** An object becomes a reference, also if it is an entry of a list or may be null. */
  #part(name: string, { description, 'x-form': form, title = name, ...schema }: SchemaObject): SchemaObject {
    const words = {
      ...(description === undefined ? {} : { description }),
      ...(form === undefined ? {} : { 'x-form': form }),
    }
    if (schema.items) return { ...schema, ...words, items: this.#part(singular(name), schema.items) }
    if (schema.anyOf) return { ...schema, ...words, anyOf: schema.anyOf.map(option => this.#part(title, option)) }
    if (schema.properties === undefined) return { ...schema, ...words }
    const isNullable = [schema.type].flat().includes('null')
    const made = this.#add(title, { ...schema, type: 'object' })
    return isNullable ? { ...words, anyOf: [made, { type: 'null' }] } : { ...made, ...words }
  }
}

const singular = (name: string): string => (name.endsWith('ies') ? `${name.slice(0, -3)}y` : name.replace(/s$/, ''))
