/**
 * Reads the OpenAPI document: follows its references and lists its endpoints. It renders nothing.
 */
import type { SchemaObject } from '../../lib/api/json-schema.ts'
import type { Method, OpenApiDocument, Operation, Parameter, Reference, Response } from '../../lib/openapi/types.ts'

export type Entry = { readonly method: Method; readonly path: string; readonly operation: Operation }

/** The endpoints in the document's order. */
export function entriesOf(document: OpenApiDocument): readonly Entry[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method as Method, path, operation })),
  )
}

const nameOf = ($ref: string) => $ref.slice($ref.lastIndexOf('/') + 1)

/** @throws Error on a reference into nothing: the document is broken. */
function lookUp<T>(section: Readonly<Record<string, T>>, { $ref }: Reference): T {
  const found = section[nameOf($ref)]
  if (found === undefined) throw new Error(`${$ref} is not in the document`)
  return found
}

export function parametersOf(document: OpenApiDocument, operation: Operation): readonly Parameter[] {
  return (operation.parameters ?? []).map(parameter =>
    '$ref' in parameter ? lookUp(document.components.parameters, parameter) : parameter,
  )
}

export function responsesOf(document: OpenApiDocument, operation: Operation): ReadonlyMap<number, Response> {
  return new Map(
    Object.entries(operation.responses).map(([status, response]) => [
      Number(status),
      '$ref' in response ? lookUp(document.components.responses, response) : response,
    ]),
  )
}

export function schemaOf(document: OpenApiDocument, schema: SchemaObject): SchemaObject {
  return schema.$ref === undefined ? schema : lookUp(document.components.schemas, { $ref: schema.$ref })
}
