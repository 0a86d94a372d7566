/**
 * The endpoints of suppliers and customers, declared once for both. What writes is declared in `commands.ts`.
 */
import type { Endpoint } from '../../kit/api/endpoint.ts'
import { changes, filtersOf, flagged, uniqueText } from '../../kit/api/list-filters.ts'
import { searchIn } from '../../kit/api/search-filter.ts'
import { listOf, readOf } from '../../kit/documents/reads.ts'
import { sql } from '../../platform/postgres/postgres.ts'
import { changePartner, createPartner } from './commands.ts'
import { customerWords, type PartnerWords, supplierWords } from './kinds.ts'

const searchedText = (alias: string) =>
  sql.fragment`partner_text(${sql.identifier([alias, 'title'])}, ${sql.identifier([alias, 'email'])})`

type PartnerEndpoints = {
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
      description: 'Ascending by id. Archived ones are listed unless filtered. `q` looks in title and e-mail address.',
      filters: filtersOf({
        external_ref: uniqueText(),
        archived: flagged(),
        q: searchIn({ table: document.table, text: searchedText, textOfRow: searchedText('r') }),
        ...changes,
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
