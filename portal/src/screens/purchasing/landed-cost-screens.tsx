/** Landed costs: their list, and a page for each with the share of each line. */
import { List as Items, Text } from '@mantine/core'
import { isZero } from '../../exact.ts'
import { dayText, Instant, quantityText } from '../../format.tsx'
import { Amount, column, numberColumn } from '../../patterns/columns.tsx'
import { type Columns, TableSection } from '../../patterns/data-table.tsx'
import { useRecord } from '../../patterns/detail-page.tsx'
import { documentScreens } from '../../patterns/document-screens.tsx'
import { linkTo } from '../../patterns/links.tsx'
import { PlaceTitle } from '../../patterns/places.tsx'
import { Reversed } from '../../patterns/reversal.tsx'
import { joinedTexts } from '../../patterns/titles.ts'
import type { LandedCost as Landed, PurchaseReceipt as Receipt } from '../../records.ts'
import { useSession } from '../../session.tsx'
import { landedCosts, purchaseReceipts } from './nouns.ts'

export const landedColumns: Columns<Landed> = [
  numberColumn(landedCosts),
  column.day('Date', ({ date }) => date),
  column.shown('What', landed => (
    <>
      {landed.items.map(({ title }) => title).join(', ')}
      <Reversed of={landed} />
    </>
  )),
  column.amount('Cost', ({ total_amount }) => total_amount),
  column.amount('Into the stock', ({ stock_amount }) => stock_amount, 'sm'),
  column.amount('Expensed', ({ expensed_amount }) => expensed_amount, 'sm'),
]

export const spread = { VALUE: 'by value', QUANTITY: 'by quantity' } as const

const costColumns: Columns<Landed['items'][number] & { readonly currency: string }> = [
  column.shown('What', ({ title }) => title),
  column.shown('Spread', ({ distribution }) => spread[distribution], 'sm'),
  column.money('Amount', ({ amount, currency }) => [amount, currency]),
]

type Allocated = { readonly id: string; readonly title: string; readonly sku: string | null } & Pick<
  Landed['allocations'][number],
  'amount' | 'stock_amount' | 'expensed_amount'
>

const allocationColumns: Columns<Allocated> = [
  column.what('What', line => line),
  column.amount('Bears', ({ amount }) => amount),
  column.amount('Into the stock', ({ stock_amount }) => stock_amount),
  column.amount('Expensed', ({ expensed_amount }) => expensed_amount),
]

const useReceipt = ({ purchase_receipt_id }: Landed) => useRecord(purchaseReceipts, purchase_receipt_id)

/** An allocation has only the sku of its goods. The line of the receipt has the title. */
function allocatedOf(allocations: Landed['allocations'], receipt: Receipt | null | undefined): readonly Allocated[] {
  const titles = new Map(receipt?.items.map(({ id, title }) => [id, title]))
  return allocations.map(({ purchase_receipt_item_id: id, ...line }) => ({ ...line, id, title: titles.get(id) ?? '' }))
}

export const { List, Page } = documentScreens(landedCosts, {
  columns: landedColumns,
  whenEmpty: 'No freight or duty has been booked yet. Open a purchase order and book it on a receipt.',
  useMore: landed => ({ me: useSession().me, receipt: useReceipt(landed) }),
  reverses: {
    scope: 'write:purchase.receipt.reverse',
    ofValue: landed => ({
      explains:
        'The stock gives back what this cost brought, as far as the goods are still there. This cannot be undone.',
      does: <TakenBack landed={landed} />,
    }),
    send: (api, { id }, body, sending) => api.landedCosts.reverse(id, body, sending),
  },
  facts: (landed, { me }) => [
    ['Order', linkTo('PURCHASE_ORDER', landed.purchase_order_id, 'The purchase order of its receipt')],
    ['Date', dayText(landed.date)],
    ['Goods at', <PlaceTitle key="place" id={landed.storage_place_id} />],
    ['Cost', <Amount key="cost" of={landed.total_amount} />],
    ['Into the stock', <Amount key="stock" of={landed.stock_amount} />],
    ['Expensed', <Amount key="expensed" of={landed.expensed_amount} />],
    [
      'Currency',
      landed.currency === me.currency ? null : `${landed.currency}, at ${quantityText(landed.exchange_rate)}`,
    ],
    ['Booked', <Instant key="booked" at={landed.created_at} />],
    ['Reversed by', landed.reversed_by_user_name],
    ['Reference', landed.external_ref],
    ['Notes', landed.notes],
  ],
  related: ({ items, allocations, currency }, { receipt }) => (
    <>
      <TableSection title="Costs" columns={costColumns} rows={items.map(item => ({ ...item, currency }))} />
      <TableSection title="Where it went" columns={allocationColumns} rows={allocatedOf(allocations, receipt)} />
    </>
  ),
})

/** The most that the reversal takes from the value of the stock. */
function TakenBack({ landed }: { readonly landed: Landed }) {
  const { allocations, storage_place_id } = landed
  const lines = allocatedOf(allocations, useReceipt(landed)).filter(({ stock_amount }) => !isZero(stock_amount))
  if (lines.length === 0) return <Text size="sm">All of it was expensed: the stock gives nothing back.</Text>
  return (
    <Items size="sm" aria-label="What it does">
      {lines.map(({ id, title, sku, stock_amount }) => (
        <Items.Item key={id}>
          up to <Amount of={stock_amount} /> leaves the value of {joinedTexts(title, sku) || 'the goods'} at{' '}
          <PlaceTitle id={storage_place_id} />
        </Items.Item>
      ))}
    </Items>
  )
}
