/** What a quantity needs: over all levels of recipes, from stock, made or bought. */

import { Alert, Badge, Box, Group, Text } from '@mantine/core'
import { skipToken, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { type Decimal, forTyping, sum, typed } from '../../exact.ts'
import { countText, moneyText, quantityText } from '../../format.tsx'
import { type Columns, column } from '../../patterns/columns.tsx'
import { TableSection } from '../../patterns/data-table.tsx'
import { Facts } from '../../patterns/detail-page.tsx'
import { Failure } from '../../patterns/failure.tsx'
import { PlaceFilter, useFilters, useVariantChoice, VariantFilter } from '../../patterns/filters.tsx'
import { elsewhere, useGoods } from '../../patterns/goods.tsx'
import { DecimalInput, decimalRules } from '../../patterns/inputs.tsx'
import { LiesWhere } from '../../patterns/lies-where.tsx'
import { ButtonLink, What } from '../../patterns/links.tsx'
import { Empty } from '../../patterns/list-page.tsx'
import { orderLine } from '../../patterns/order-line.ts'
import { PlaceTitle, placeValue } from '../../patterns/places.tsx'
import { Screen } from '../../patterns/screen.tsx'
import { Section } from '../../patterns/section.tsx'
import { SupplierLink, useSupplierTitles } from '../../patterns/suppliers.tsx'
import { Quantity, useUnits, withUnit } from '../../patterns/units.tsx'
import type { Requirements as Answer } from '../../records.ts'
import { useSession } from '../../session.tsx'
import { NewManufacturingOrder } from '../manufacturing/new-manufacturing-order.tsx'
import { NewPurchaseOrder } from '../purchasing/new-purchase-order.tsx'

const route = getRouteApi('/planner/requirements')

type Row = Answer['rows'][number] & {
  readonly currency: string
  readonly supplier: ReactNode
  /** The stock at the place that cannot be taken, and the stock at other places. */
  readonly more: ReactNode
}

const actions = { STOCK: ['green', 'In stock'], MAKE: ['blue', 'Make'], BUY: ['orange', 'Buy'] } as const

const PLAIN = /^\d+(\.\d+)?$/

/** The most lines; further materials are for another order. */
const LINES_MAX = 50

const INDENT_PX = 16
const INDENTS_MAX = 6

const columns: Columns<Row> = [
  column.shown('What', row => (
    <Box pl={{ base: 0, sm: Math.min(Number(row.level) - 1, INDENTS_MAX) * INDENT_PX }}>
      <What {...row} />
      {row.more}
    </Box>
  )),
  column.number('Level', ({ level }) => level, 'sm'),
  column.quantity('Needed', ({ gross_quantity }) => gross_quantity),
  column.quantity('There', ({ available_quantity }) => available_quantity, 'sm'),
  column.quantity('Missing', ({ net_quantity }) => net_quantity),
  column.shown('Then', row => <Action row={row} />),
  column.shown('Supplier', ({ supplier }) => supplier, 'sm'),
  column.figure('One costs', row => money(row.unit_cost, row), 'md'),
  column.figure('To buy', row => money(row.cost, row), 'sm'),
]

const money = (value: Decimal | null, { action, currency }: Row): string =>
  value !== null ? moneyText(value, currency) : action === 'BUY' ? 'unknown' : '–'

function Action({ row: { action, item_variant_id, net_quantity } }: { readonly row: Row }) {
  const [color, label] = actions[action]
  const badge = (
    <Badge color={color} miw="max-content">
      {label}
    </Badge>
  )
  if (action !== 'MAKE') return badge
  return (
    <Link
      to="/planner/requirements"
      search={{ item_variant_id, quantity: net_quantity }}
      title="What making these would take"
    >
      {badge}
    </Link>
  )
}

export function Requirements() {
  const { api } = useSession()
  const { search, filter } = useFilters(route)
  const { item_variant_id, storage_place_id } = search
  // The address has the quantity in the API's format, for all readers. People type it in their browser's format.
  const quantity = search.quantity !== undefined && PLAIN.test(search.quantity) ? (search.quantity as Decimal) : null
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['requirements', item_variant_id, quantity, storage_place_id],
    queryFn:
      item_variant_id === undefined || quantity === null
        ? skipToken
        : ({ signal }) =>
            // In an address a number is its text.
            api.requirements(
              { item_variant_id, quantity: quantity as unknown as number, storage_place_id },
              { signal },
            ),
  })
  return (
    <Screen title="Can we make it?" actions={<ButtonLink to="/planner">What is short</ButtonLink>}>
      <Group gap="sm" align="flex-end" className="filters">
        <VariantFilter label="What" of="is_producible" {...filter('item_variant_id')} />
        <QuantityFilter key={quantity} value={quantity} onChange={filter('quantity').onChange} />
        <PlaceFilter label="Where" placeholder="Where it is made" {...filter('storage_place_id')} />
      </Group>
      {error && <Failure error={error} title="This could not be answered" onRetry={() => refetch()} />}
      {data && <Answered answer={data} />}
      {!data && !error && (
        <Section title="What it would take">
          <Empty>
            {isFetching
              ? 'Asking …'
              : 'Choose what is to be made and how many: this tells what is there, what is to be made first and what is to be bought.'}
          </Empty>
        </Section>
      )}
    </Screen>
  )
}

const lineOf = ({ item_variant_id: id, title, net_quantity }: Answer['rows'][number]) =>
  orderLine({ id, label: title }, forTyping(net_quantity), { counted: 'STOCK' })

type QuantityProps = { readonly value: Decimal | null; readonly onChange: (value: string | undefined) => void }

function QuantityFilter({ value, onChange }: QuantityProps) {
  const [input, setInput] = useState(value === null ? '' : forTyping(value))
  const [error, setError] = useState<string | null>(null)
  const take = () => {
    const wrong = decimalRules.empty(input) ? null : decimalRules.positive(input)
    setError(wrong)
    if (wrong === null) onChange(typed(input) ?? undefined)
  }
  return (
    <DecimalInput
      label="How many"
      value={input}
      error={error}
      onChange={event => setInput(event.currentTarget.value)}
      onBlur={take}
      onKeyDown={event => {
        if (event.key === 'Enter') take()
      }}
    />
  )
}

function Answered({ answer }: { readonly answer: Answer }) {
  const { me } = useSession()
  const variant = useVariantChoice(answer.item_variant_id)
  const suppliers = useSupplierTitles(answer.rows.map(({ supplier_id }) => supplier_id))
  const { item_variant_id, storage_place_id: place, quantity, max_quantity, is_coverable, rows } = answer
  const unit = useUnits([item_variant_id])(item_variant_id)
  const goods = useGoods(rows.map(row => row.item_variant_id))
  const toBuy = rows.filter(({ action }) => action === 'BUY')
  const lieElsewhere = toBuy.filter(row => goods && elsewhere(goods, row.item_variant_id, place).length > 0)
  const [supplierId, ...otherSuppliers] = new Set(toBuy.map(({ supplier_id }) => supplier_id))
  const costs = toBuy.flatMap(({ cost }) => (cost === null ? [] : [cost]))
  return (
    <>
      <Alert
        role="status"
        variant="outline"
        color={is_coverable ? 'green' : 'orange'}
        title={
          is_coverable
            ? `Yes: ${withUnit(quantity, unit)} can be made from what is there`
            : `Not yet: ${quantityText(max_quantity)} of ${withUnit(quantity, unit)} can be made from what is there`
        }
      >
        <Group gap="sm" mt={4}>
          <Text size="sm">
            {is_coverable
              ? 'Nothing is reserved by asking.'
              : `For all of them ${countText(toBuy.length)} ${toBuy.length === 1 ? 'material is' : 'materials are'} to be bought.`}
            {lieElsewhere.length > 0 &&
              ` Before that: ${countText(lieElsewhere.length)} of them ${lieElsewhere.length === 1 ? 'lies' : 'lie'} at another place and can be transferred.`}
          </Text>
          <Group gap="sm">
            <NewManufacturingOrder
              begin={{ item_variant_id: variant, quantity: forTyping(quantity), manufacturing_location_id: place }}
            />
            {toBuy.length > 0 && (
              <NewPurchaseOrder
                explains={`What is missing, of one supplier: take out what another one sells.${toBuy.length > LINES_MAX ? ` Of ${countText(toBuy.length)} materials these are the first ${LINES_MAX}.` : ''}`}
                begin={{
                  storage_place_id: placeValue(place),
                  ...(supplierId && otherSuppliers.length === 0
                    ? { supplier: { id: supplierId, label: suppliers.get(supplierId) ?? '' } }
                    : {}),
                }}
                lines={() => toBuy.slice(0, LINES_MAX).map(lineOf)}
              />
            )}
          </Group>
        </Group>
      </Alert>
      <Facts
        facts={[
          ['Asked for', <Quantity key="asked" of={quantity} goods={answer} />],
          ['Can be made now', <Quantity key="now" of={max_quantity} goods={answer} />],
          ['Where', <PlaceTitle key="place" id={place} />],
          [
            costs.length === toBuy.length ? 'To be bought for' : 'To be bought for, at least',
            moneyText(sum(costs), me.currency),
          ],
        ]}
      />
      <TableSection
        title="What it would take"
        columns={columns}
        rows={rows.map(row => ({
          ...{ ...row, currency: me.currency },
          supplier: <SupplierLink id={row.supplier_id} titles={suppliers} />,
          more: goods && <LiesWhere goods={goods} of={row} missing={row.net_quantity} at={place} />,
        }))}
        rowId={row => row.item_variant_id}
        whenEmpty="Its recipe has no materials."
      />
    </>
  )
}
