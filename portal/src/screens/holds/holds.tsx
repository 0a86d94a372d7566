/** The list of holds. */

import type { Reservation } from '@millrace/client'
import { getRouteApi } from '@tanstack/react-router'
import type { Exact, ExactApi } from '../../exact.ts'
import { listQuery } from '../../lists.ts'
import { column, numberColumn } from '../../patterns/columns.tsx'
import type { Columns } from '../../patterns/data-table.tsx'
import { CodesFilter, PartnerFilter, useFilters, VariantFilter } from '../../patterns/filters.tsx'
import { rowsOf } from '../../patterns/groups.ts'
import { PathLink } from '../../patterns/links.tsx'
import { ListPage } from '../../patterns/list-page.tsx'
import { useApi } from '../../session.tsx'
import { NewHold } from './new-hold.tsx'
import { STATUSES } from './statuses.ts'

const route = getRouteApi('/reservations')

type Row = Exact<Reservation> & { readonly customer_title: string | undefined }

const columns: Columns<Row> = [
  numberColumn('RESERVATION'),
  column.status('Status', ({ status }) => status),
  column.shown('Customer', ({ customer_title }) => customer_title, 'sm'),
  column.lines('What', ({ items }) => items),
  column.instant('Ends', ({ expires_at }) => expires_at),
  column.instant('Made', ({ created_at }) => created_at, 'md'),
]

export function Holds() {
  const api = useApi()
  const { search, filter, onClear } = useFilters(route)
  return (
    <ListPage
      title="Holds"
      query={listQuery(['reservations'], search, async (query, options) => {
        const { data, next_cursor } = await api.reservations.list(query, options)
        return { data: await withCustomers(api, data, options), next_cursor }
      })}
      columns={columns}
      actions={
        <>
          <PathLink to="/sales-orders">Sales orders</PathLink>
          <NewHold />
        </>
      }
      onClear={onClear}
      whenEmpty="Nothing is held. Make a hold here, or let your checkout send it to POST /reservations while a customer pays."
      filters={
        <>
          <CodesFilter label="Status" of={STATUSES} {...filter('status')} />
          <PartnerFilter of="customers" label="Customer" {...filter('customer_id')} />
          <VariantFilter label="Product" {...filter('item_variant_id')} />
        </>
      }
    />
  )
}

/** A hold names its customer by id alone. */
async function withCustomers(
  api: ExactApi,
  holds: readonly Exact<Reservation>[],
  options: { readonly signal: AbortSignal },
): Promise<Row[]> {
  const ids = holds.flatMap(({ customer_id }) => customer_id ?? [])
  const customers = await rowsOf(ids, id => api.customers.list({ id, limit: id.length }, options))
  const titles = new Map(customers.map(({ id, title }) => [id, title]))
  return holds.map(hold => ({ ...hold, customer_title: titles.get(hold.customer_id ?? '') }))
}
