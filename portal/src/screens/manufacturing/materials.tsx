/** The materials of a manufacturing order: what it needs, what was taken, and what that cost. */
import type { ManufacturingOrder } from '@millrace/client'
import { type Decimal, type Exact, negated, sum } from '../../exact.ts'
import { moneyText, quantityText } from '../../format.tsx'
import { columnsOf, DataTable } from '../../patterns/data-table.tsx'
import { Section } from '../../patterns/detail-page.tsx'
import { Empty } from '../../patterns/list-page.tsx'
import { What } from '../../patterns/what.tsx'
import type { Movement } from './reads.ts'

type Order = Exact<ManufacturingOrder>
type Line = Order['items'][number] & { readonly cost: Decimal | null; readonly currency: string }

const column = columnsOf<Line>()
const columns = column.columns([
  column.accessor('title', {
    header: 'What',
    cell: ({ row: { original } }) => (
      <What title={original.title} sku={original.sku} ids={[original.item_id, original.item_variant_id]} />
    ),
  }),
  column.accessor('quantity', {
    header: 'Needed',
    cell: ({ getValue }) => quantityText(getValue()),
    meta: { align: 'right' },
  }),
  column.accessor('actual_quantity', {
    header: 'Taken',
    cell: ({ getValue }) => quantityText(getValue()),
    meta: { align: 'right' },
  }),
  column.accessor('cost', {
    header: 'Cost',
    cell: ({ row: { original } }) => (original.cost === null ? '–' : moneyText(original.cost, original.currency)),
    meta: { align: 'right', visibleFrom: 'sm' },
  }),
])

type Props = { readonly order: Order; readonly movements: readonly Movement[] | undefined }

export function Materials({ order, movements = [] }: Props) {
  const { currency } = order.actual_cost
  const rows = order.items.map(item => ({ ...item, cost: costOf(order, item.item_variant_id, movements), currency }))
  return (
    <Section title="Materials">
      {rows.length === 0 ? (
        <Empty>It takes no materials: there was no recipe when it was made.</Empty>
      ) : (
        <DataTable label="Materials" columns={columns} rows={rows} rowId={({ id }) => id} />
      )}
    </Section>
  )
}

/** What was taken of a variant; movements do not tell between two lines of the same. */
function costOf({ items }: Order, variantId: string, movements: readonly Movement[]): Decimal | null {
  const taken = movements.filter(
    ({ kind, item_variant_id }) => kind === 'MANUFACTURING_WRITE_OFF' && item_variant_id === variantId,
  )
  const isOneLine = items.filter(({ item_variant_id }) => item_variant_id === variantId).length === 1
  return taken.length > 0 && isOneLine ? negated(sum(taken.map(({ value }) => value))) : null
}
