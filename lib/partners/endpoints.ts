/**
 * The endpoints of suppliers and customers, declared once for both. What runs is in `commands.ts` and `queries.ts`.
 */
import { defineCommand, defineList, defineRead, type Endpoint } from '../api/endpoint.ts'
import { changePartner, createPartner, noSuchPartner } from './commands.ts'
import { customerKind, type PartnerKind, supplierKind } from './kinds.ts'
import { findPartner, listPartners } from './queries.ts'
import { NewPartner, Partner, PartnerChange, PartnerFilters } from './schemas.ts'

export type PartnerEndpoints = {
  readonly list: Endpoint
  readonly read: Endpoint
  readonly create: Endpoint
  readonly update: Endpoint
}

function partnerEndpointsOf(kind: PartnerKind): PartnerEndpoints {
  const { noun, table, tag, readScope, writeScope } = kind
  const name = noun === 'supplier' ? 'Supplier' : 'Customer'
  const path = `/${table}`
  return {
    list: defineList({
      id: `list${name}s`,
      path,
      tag,
      scope: readScope,
      summary: `List ${table}`,
      description: 'Ascending by id. Archived ones are listed unless filtered.',
      filters: PartnerFilters,
      refusals: [],
      reply: Partner,
      page: ({ pool, tenantId }, { filters, after, limit }) =>
        listPartners(pool, kind, { tenantId, filters, after, limit }),
    }),
    read: defineRead({
      id: `get${name}`,
      path: `${path}/{id}`,
      tag,
      scope: readScope,
      summary: `Read a ${noun}`,
      refusals: [],
      reply: Partner,
      handle: async ({ pool, tenantId }, { params }) =>
        (await findPartner(pool, kind, { tenantId, id: params['id'] ?? '' })) ?? noSuchPartner(kind),
    }),
    create: defineCommand({
      id: `create${name}`,
      method: 'POST',
      path,
      tag,
      scope: `${writeScope}.create`,
      summary: `Create a ${noun}`,
      description: `An order can also bring its ${noun} along. \`currency\` is for information; an order names its own.`,
      body: NewPartner,
      example: {
        title: kind.exampleTitle,
        country_code: noun === 'supplier' ? 'NO' : 'DE',
        email: `office@${noun}.example`,
        currency: 'EUR',
      },
      success: 201,
      countsAsDocument: false,
      refusals: [],
      reply: Partner,
      execute: (context, request) => createPartner(kind, context, request),
    }),
    update: defineCommand({
      id: `update${name}`,
      method: 'PATCH',
      path: `${path}/{id}`,
      tag,
      scope: `${writeScope}.update`,
      summary: `Update a ${noun}`,
      description:
        `What is omitted stays; null clears. An archived ${noun} takes no new orders; open ones go on. Orders show the ` +
        `${noun}'s title as it is now. A body that changes nothing answers the ${noun} as it is.`,
      body: PartnerChange,
      example: { phone: '+49 421 1234', tax_number: null },
      success: 200,
      countsAsDocument: false,
      refusals: [],
      reply: Partner,
      execute: (context, request) => changePartner(kind, context, request),
    }),
  }
}

export const supplierEndpoints = partnerEndpointsOf(supplierKind)
export const customerEndpoints = partnerEndpointsOf(customerKind)

export const partnerEndpoints: readonly Endpoint[] = [
  ...Object.values(supplierEndpoints),
  ...Object.values(customerEndpoints),
]
