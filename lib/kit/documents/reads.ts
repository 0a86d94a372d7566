/** The reading endpoints of declared documents: one record by its id, and the list. */

import { type Fragment, fixedFragment } from '../../platform/postgres/postgres.ts'
import { listDocuments, listUnfiltered } from '../api/document-queries.ts'
import { defineList, defineRead, type Endpoint, type ReadEndpoint } from '../api/endpoint.ts'
import { refuse } from '../api/errors.ts'
import type { ListFilters } from '../api/list-filters.ts'
import { lookUpText } from '../api/look-up.ts'
import { REFERENCE } from '../api/path-params.ts'
import type { AnyDocument, Document } from './document.ts'
import { documentJson } from './render.ts'
import { replyOf } from './reply.ts'
import { quoteName } from './sql.ts'

const readable = (document: AnyDocument) => ({
  table: document.table,
  alias: 'd',
  document: documentJson(document, 'd'),
  and: isThere(document, 'r'),
})

/** The statement that finds the JSON of records by their ids. */
export const lookUpOf = (document: AnyDocument): string => lookUpText(textOf(document, 'id'))

const textOf = (document: AnyDocument, column: string): string => `
    select ${documentJson(document, 'd')} from ${quoteName(document.table)} d
    where d.tenant_id = q.tenant_id and ${quoteName('d', column)} = q.id ${isThere(document, 'd').sql}`

const isThere = ({ removedBy }: AnyDocument, alias: string): Fragment =>
  fixedFragment(removedBy === null ? '' : `and ${quoteName(alias, removedBy)} is null`)

export const notFound = ({ noun }: Pick<Document, 'noun'>) => refuse('not_found', `no such ${noun}`)

type Words = Pick<ReadEndpoint, 'id' | 'path' | 'tag' | 'scope' | 'summary'> & { readonly description?: string }

/** `GET` of one record. */
export function readOf(document: AnyDocument, words: Words): Endpoint {
  const text = lookUpOf(document)
  return defineRead({
    ...words,
    refusals: [],
    tagged: true,
    reply: replyOf(document),
    handle: async ({ pool }, { params }) => (await pool.lookUp(text, params['id'] ?? '')) ?? notFound(document),
  })
}

/** `GET` of the record with a reference. */
export function readByRef(document: AnyDocument, words: Words): Endpoint {
  const text = lookUpText(textOf(document, REFERENCE), 'text')
  return defineRead({
    ...words,
    refusals: [],
    tagged: true,
    reply: replyOf(document),
    handle: async ({ pool }, { params }) =>
      (await pool.lookUp(text, params[REFERENCE] ?? '')) ??
      refuse('not_found', `no ${document.noun} has this external_ref`),
  })
}

const isEmpty = (filters: unknown): boolean => Object.values(filters as object).every(value => value === undefined)

/** The list of all records. */
export function listOf(
  document: AnyDocument,
  { filters, ...words }: Words & { readonly filters: ListFilters },
): Endpoint {
  const reading = readable(document)
  return defineList({
    ...words,
    refusals: [],
    reply: replyOf(document),
    filters: filters.schema,
    page: ({ pool, tenantId }, { filters: given, after, limit, order }) => {
      const page = { tenantId, after, limit, order }
      if (isEmpty(given)) return listUnfiltered(pool, reading, page)
      return listDocuments(pool, reading, { ...page, ...filters.ask(given, tenantId) })
    },
  })
}
