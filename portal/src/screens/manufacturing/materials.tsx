/** The materials of a manufacturing order: what it needs and whether it is there, what was taken, and what that cost. */
import { type Decimal, negated, sum } from '../../exact.ts'
import { column } from '../../patterns/columns.tsx'
import { type Columns, DataTable } from '../../patterns/data-table.tsx'
import { What } from '../../patterns/links.tsx'
import { Empty } from '../../patterns/list-page.tsx'
import { Section } from '../../patterns/section.tsx'
import type { ManufacturingOrder as Order } from '../../records.ts'
import { CanStart, Covered, type Covering, useCovering } from '../sales/coverage.tsx'
import type { Need } from '../sales/coverage-rules.ts'
import type { Movement } from './reads.ts'

type Row = Order['items'][number] & { readonly cost: Decimal | null; readonly covering: Covering | undefined }

const columns: Columns<Row> = [
  column.shown(
    'What',
    line => (
      <>
        <What {...line} />
        {line.covering && <Covered of={line.covering} />}
      </>
    ),
    { says: ({ title }) => title },
  ),
  column.quantity('Needed', ({ quantity }) => quantity),
  column.quantity('Taken', ({ actual_quantity }) => actual_quantity),
  column.amount('Cost', ({ cost }) => cost, 'sm'),
]

type Props = { readonly order: Order; readonly movements: readonly Movement[] }

export function Materials({ order, movements }: Props) {
  const needs = needsOf(order)
  const covering = useCovering({ id: order.id, delivery_date: order.planned_start_date }, needs)
  const rows = order.items.map(item => ({
    ...item,
    cost: costOf(order, item.item_variant_id, movements),
    covering: covering(item.id),
  }))
  const known = rows.flatMap(row => row.covering?.coverage ?? [])
  return (
    <Section title="Materials" aside={known.length > 0 && <CanStart of={known} />}>
      {rows.length === 0 ? (
        <Empty>It takes no materials: there was no recipe when it was made.</Empty>
      ) : (
        <DataTable label="Materials" columns={columns} rows={rows} />
      )}
    </Section>
  )
}

/** What a start would take: nothing once it has started. */
const needsOf = ({ status, items, manufacturing_location_id: storage_place_id }: Order): readonly Need[] =>
  status === 'NOT_STARTED'
    ? items.map(({ quantity: left, ...item }) => ({ ...item, storage_place_id, left, isPart: false }))
    : []

/** What was taken of a variant; movements do not tell between two lines of the same. */
function costOf({ items }: Order, variantId: string, movements: readonly Movement[]): Decimal | null {
  const taken = movements.filter(
    ({ kind, item_variant_id }) => kind !== 'MANUFACTURING_OUTPUT' && item_variant_id === variantId,
  )
  const isOneLine = items.filter(({ item_variant_id }) => item_variant_id === variantId).length === 1
  return taken.length > 0 && isOneLine ? negated(sum(taken.map(({ value }) => value))) : null
}
