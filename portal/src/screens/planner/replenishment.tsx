/** What to order and make so that nothing is short. The person chooses rows and changes their quantities. */

import { Box, Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useMemo, useState } from 'react'
import { type Columns, column } from '../../patterns/columns.tsx'
import { TableSection } from '../../patterns/data-table.tsx'
import { Failure } from '../../patterns/failure.tsx'
import { PlaceFilter, useFilters, VariantFilter } from '../../patterns/filters.tsx'
import { useGoods } from '../../patterns/goods.tsx'
import { LiesWhere } from '../../patterns/lies-where.tsx'
import { ButtonLink, What } from '../../patterns/links.tsx'
import { Screen } from '../../patterns/screen.tsx'
import { SupplierLink, useSupplierTitles } from '../../patterns/suppliers.tsx'
import { useSession } from '../../session.tsx'
import { Choices, type Row as Choosable, ChosenBox, QuantityOf, RowCost } from './choices.tsx'
import { OrderAll, useSupplierUnits } from './order-all.tsx'

const route = getRouteApi('/planner/replenishment')

/** Each cell depends only on its own row, so a change does not draw the other rows again. */
type Row = Choosable & {
  readonly supplier: ReactNode
  /** The stock at the place that cannot be taken, and the stock at other places. */
  readonly more: ReactNode
}

const small = { size: 'compact-sm', variant: 'default' } as const

const INDENT_PX = 16
const INDENTS_MAX = 6

const columns: Columns<Row> = [
  column.shown('Order it', row => <ChosenBox of={row} />),
  column.shown('What', row => (
    <Box pl={{ base: 0, sm: Math.min(Number(row.level), INDENTS_MAX) * INDENT_PX }}>
      <What {...row} />
      {row.more}
    </Box>
  )),
  column.shown('How', ({ action }) => (action === 'MAKE' ? 'Make' : 'Buy')),
  column.shown('Supplier', ({ supplier }) => supplier, 'sm'),
  column.quantity('Projected', ({ projected_quantity }) => projected_quantity, 'sm'),
  column.quantity('For other rows', ({ dependent_quantity }) => dependent_quantity, 'md'),
  column.quantity('Missing', ({ net_quantity }) => net_quantity, 'sm'),
  column.shown('Order', row => <QuantityOf of={row} />),
  column.figure('Days', ({ lead_time_days }) => lead_time_days ?? '–', 'md'),
  column.figure('Costs', row => <RowCost of={row} />, 'sm'),
]

export function Replenishment() {
  const { api, me } = useSession()
  const { search, filter } = useFilters(route)
  const { storage_place_id, item_variant_id } = search
  const [choices] = useState(() => new Choices())
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['replenishment', storage_place_id, item_variant_id],
    queryFn: ({ signal }) =>
      api.replenishment(
        { storage_place_id, item_variant_id: item_variant_id === undefined ? undefined : [item_variant_id] },
        { signal },
      ),
  })
  const place = data?.storage_place_id ?? null
  const suppliers = useSupplierTitles(data?.rows.map(({ supplier_id }) => supplier_id) ?? [])
  const goods = useGoods(data?.rows.map(row => row.item_variant_id) ?? [])
  const units = useSupplierUnits(data?.rows ?? [])
  const rows = useMemo(
    () =>
      (data?.rows ?? []).map(
        (row): Row => ({
          ...row,
          ...{ choices, unit: units?.get(row.supplier_item_id ?? ''), currency: me.currency },
          more: goods && <LiesWhere goods={goods} of={row} missing={row.net_quantity} at={place} />,
          supplier: <SupplierLink id={row.supplier_id} titles={suppliers} />,
        }),
      ),
    [data, goods, suppliers, units, choices, me.currency, place],
  )
  return (
    <Screen
      title="What to order and make"
      actions={
        <>
          <ButtonLink to="/planner">What is short</ButtonLink>
          {rows.length > 0 && (
            <OrderAll rows={rows} choices={choices} placeId={place} areUnitsRead={units !== undefined} />
          )}
        </>
      }
    >
      <Group gap="sm" align="flex-end" className="filters">
        <PlaceFilter placeholder="The main place" {...filter('storage_place_id')} />
        <VariantFilter label="Begin with" {...filter('item_variant_id')} />
      </Group>
      {error ? (
        <Failure error={error} title="This could not be answered" onRetry={() => refetch()} />
      ) : (
        <TableSection
          title="Proposals"
          aside={
            rows.length > 0 && (
              <Group gap="xs">
                <Button {...small} onClick={() => choices.leave([])}>
                  All
                </Button>
                <Button {...small} onClick={() => choices.leave(rows.map(row => row.item_variant_id))}>
                  None
                </Button>
              </Group>
            )
          }
          columns={columns}
          rows={rows}
          rowId={row => row.item_variant_id}
          whenEmpty={
            data
              ? 'Nothing is short: what is there and on its way covers all demand and each minimum.'
              : isFetching && 'Asking …'
          }
        />
      )}
    </Screen>
  )
}
