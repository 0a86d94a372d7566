/** The filter `q` of orders and returns. It searches their number, their external_ref and the title of their partner. */
import type { Filter } from '../../kit/api/list-filters.ts'
import { searchIn, searchWithNames } from '../../kit/api/search-filter.ts'
import { type Fragment, sql } from '../../platform/postgres/postgres.ts'
import { searchedText } from './noun.ts'

/** The same expression as the index has (sql/000001_tenants.sql). */
const orderText = (alias: string): Fragment =>
  sql.fragment`order_text(${sql.identifier([alias, 'number'])}, ${sql.identifier([alias, 'external_ref'])})`

export const searchOrders = (table: string): Filter => searchIn({ table, text: orderText, textOfRow: orderText('r') })

/** Searches the title of the partner too, whose id is in `column`. */
export const searchPartnersOrders = (table: string, partners: 'customers' | 'suppliers', column: string): Filter =>
  searchWithNames({ table, text: orderText, named: { table: partners, text: searchedText, column } })
