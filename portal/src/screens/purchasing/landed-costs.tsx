/** Landed costs: the list of them, and a page each with where the cost went. */
import { List, Text } from '@mantine/core'
import type { LandedCost as Landed } from '@millrace/client'
import { getRouteApi } from '@tanstack/react-router'
import { type Exact, isZero } from '../../exact.ts'
import { dayText, Instant, quantityText } from '../../format.tsx'
import { Cost, column, numberColumn } from '../../patterns/columns.tsx'
import { type Columns, DataTable } from '../../patterns/data-table.tsx'
import { DetailPage, RecordPage } from '../../patterns/detail-page.tsx'
import { DayFilter } from '../../patterns/filters.tsx'
import { DocumentLink } from '../../patterns/links.tsx'
import { ListOf } from '../../patterns/list-of.tsx'
import { PlaceTitle } from '../../patterns/places.tsx'
import { Reversed, ReverseStep } from '../../patterns/reversal.tsx'
import { Section } from '../../patterns/section.tsx'
import { useApi, useSession } from '../../session.tsx'

const route = getRouteApi('/landed-costs')
const one = getRouteApi('/landed-costs/$id')

type LandedCostRecord = Exact<Landed>

export const landedColumns: Columns<LandedCostRecord> = [
  numberColumn('LANDED_COST'),
  column.day('Date', ({ date }) => date),
  column.shown('What', landed => (
    <>
      {landed.items.map(({ title }) => title).join(', ')}
      <Reversed of={landed} />
    </>
  )),
  column.cost('Cost', ({ total_amount }) => total_amount),
  column.cost('Into the stock', ({ stock_amount }) => stock_amount, 'sm'),
  column.cost('Expensed', ({ expensed_amount }) => expensed_amount, 'sm'),
]

export const LandedCosts = () => (
  <ListOf
    title="Landed costs"
    route={route}
    name="landed-costs"
    of={api => api.landedCosts}
    columns={landedColumns}
    whenEmpty="No freight or duty has been booked yet. Open a purchase order and book it on a receipt."
    filters={filter => (
      <>
        <DayFilter label="Booked from" {...filter('created_after')} />
        <DayFilter label="Booked before" {...filter('created_before')} />
      </>
    )}
  />
)

const spread = { VALUE: 'by value', QUANTITY: 'by quantity' } as const

const costColumns: Columns<LandedCostRecord['items'][number] & { readonly currency: string }> = [
  column.shown('What', ({ title }) => title),
  column.shown('Spread', ({ distribution }) => spread[distribution], 'sm'),
  column.money('Amount', ({ amount, currency }) => [amount, currency]),
]

const allocationColumns: Columns<LandedCostRecord['allocations'][number]> = [
  column.shown('Sku', ({ sku }) => sku),
  column.cost('Bears', ({ amount }) => amount),
  column.cost('Into the stock', ({ stock_amount }) => stock_amount),
  column.cost('Expensed', ({ expensed_amount }) => expensed_amount),
]

export function LandedCost() {
  const api = useApi()
  const { me } = useSession()
  const { id } = one.useParams()
  return (
    <DetailPage
      kind="Landed cost"
      name={['landed-costs', 'one', id]}
      read={options => api.landedCosts.get(id, options)}
    >
      {landed => (
        <RecordPage
          title={landed.number}
          of={landed}
          status={<Reversed of={landed} />}
          steps={
            <ReverseStep
              of={landed}
              record={landed}
              reread={() => api.landedCosts.get(id)}
              scope="write:purchase.receipt.reverse"
              ofValue={{
                explains:
                  'The stock gives back what this cost brought, as far as the goods are still there. This cannot be undone.',
                does: <TakenBack landed={landed} />,
              }}
              send={(body, sending) => api.landedCosts.reverse(id, body, sending)}
            />
          }
          facts={[
            [
              'Order',
              <DocumentLink key="order" kind="PURCHASE_ORDER" id={landed.purchase_order_id}>
                The purchase order of its receipt
              </DocumentLink>,
            ],
            ['Date', dayText(landed.date)],
            ['Goods at', <PlaceTitle key="place" id={landed.storage_place_id} />],
            ['Cost', <Cost key="cost" of={landed.total_amount} />],
            ['Into the stock', <Cost key="stock" of={landed.stock_amount} />],
            ['Expensed', <Cost key="expensed" of={landed.expensed_amount} />],
            [
              'Currency',
              landed.currency === me.currency ? null : `${landed.currency}, at ${quantityText(landed.exchange_rate)}`,
            ],
            ['Booked', <Instant key="booked" at={landed.created_at} />],
            ['Reversed by', landed.reversed_by_user_name],
            ['Reference', landed.external_ref],
            ['Notes', landed.notes],
          ]}
        >
          <Section title="Costs">
            <DataTable
              label="Costs"
              columns={costColumns}
              rows={landed.items.map(item => ({ ...item, currency: landed.currency }))}
            />
          </Section>
          <Section title="Where it went">
            <DataTable
              label="Where it went"
              columns={allocationColumns}
              rows={landed.allocations.map(line => ({ ...line, id: line.purchase_receipt_item_id }))}
            />
          </Section>
        </RecordPage>
      )}
    </DetailPage>
  )
}

/** What leaves the value of the stock at most. */
function TakenBack({ landed: { allocations, storage_place_id } }: { readonly landed: LandedCostRecord }) {
  const lines = allocations.filter(({ stock_amount }) => !isZero(stock_amount))
  if (lines.length === 0) return <Text size="sm">All of it was expensed: the stock gives nothing back.</Text>
  return (
    <List size="sm" aria-label="What it does">
      {lines.map(({ purchase_receipt_item_id, sku, stock_amount }) => (
        <List.Item key={purchase_receipt_item_id}>
          up to <Cost of={stock_amount} /> leaves the value of {sku ?? 'the goods'} at{' '}
          <PlaceTitle id={storage_place_id} />
        </List.Item>
      ))}
    </List>
  )
}
