/** The materials of a manufacturing order: what it needs, what was taken, and what that cost. */
import { type Decimal, negated, sum } from '../../exact.ts'
import { column } from '../../patterns/columns.tsx'
import { type Columns, DataTable } from '../../patterns/data-table.tsx'
import { Empty } from '../../patterns/list-page.tsx'
import { Section } from '../../patterns/section.tsx'
import type { ManufacturingOrder as Order } from '../../records.ts'
import type { Movement } from './reads.ts'

const columns: Columns<Order['items'][number] & { readonly cost: Decimal | null }> = [
  column.what('What', line => line),
  column.quantity('Needed', ({ quantity }) => quantity),
  column.quantity('Taken', ({ actual_quantity }) => actual_quantity),
  column.cost('Cost', ({ cost }) => cost, 'sm'),
]

type Props = { readonly order: Order; readonly movements: readonly Movement[] }

export function Materials({ order, movements }: Props) {
  const rows = order.items.map(item => ({ ...item, cost: costOf(order, item.item_variant_id, movements) }))
  return (
    <Section title="Materials">
      {rows.length === 0 ? (
        <Empty>It takes no materials: there was no recipe when it was made.</Empty>
      ) : (
        <DataTable label="Materials" columns={columns} rows={rows} />
      )}
    </Section>
  )
}

/** What was taken of a variant; movements do not tell between two lines of the same. */
function costOf({ items }: Order, variantId: string, movements: readonly Movement[]): Decimal | null {
  const taken = movements.filter(
    ({ kind, item_variant_id }) => kind !== 'MANUFACTURING_OUTPUT' && item_variant_id === variantId,
  )
  const isOneLine = items.filter(({ item_variant_id }) => item_variant_id === variantId).length === 1
  return taken.length > 0 && isOneLine ? negated(sum(taken.map(({ value }) => value))) : null
}
