/**
 * The endpoints of suppliers and customers, declared once for both. What writes is declared in `commands.ts`.
 */
import type { Endpoint } from '../api/endpoint.ts'
import { sameKey } from '../api/list-page.ts'
import { listOf, readOf } from '../documents/reads.ts'
import { sql } from '../postgres/postgres.ts'
import { changePartner, createPartner } from './commands.ts'
import { customerWords, type PartnerWords, supplierWords } from './kinds.ts'
import { PartnerFilters } from './schemas.ts'

export type PartnerEndpoints = {
  readonly list: Endpoint
  readonly read: Endpoint
  readonly create: Endpoint
  readonly update: Endpoint
}

function partnerEndpointsOf(words: PartnerWords): PartnerEndpoints {
  const { document, name, path, tag, readScope: scope } = words
  return {
    list: listOf(document, {
      id: `list${name}s`,
      path,
      tag,
      scope,
      summary: `List ${document.table}`,
      description: 'Ascending by id. Archived ones are listed unless filtered.',
      filters: PartnerFilters,
      // The flag is written out rather than bound, so that the partial index serves.
      where: ({ external_ref, archived }) => ({
        same: sameKey('external_ref', external_ref),
        ...(archived === undefined
          ? {}
          : { and: archived ? sql.fragment`and r.archived` : sql.fragment`and not r.archived` }),
      }),
    }),
    read: readOf(document, { id: `get${name}`, path: `${path}/{id}`, tag, scope, summary: `Read a ${document.noun}` }),
    create: createPartner(words),
    update: changePartner(words),
  }
}

export const supplierEndpoints = partnerEndpointsOf(supplierWords)
export const customerEndpoints = partnerEndpointsOf(customerWords)

export const partnerEndpoints: readonly Endpoint[] = [
  ...Object.values(supplierEndpoints),
  ...Object.values(customerEndpoints),
]
