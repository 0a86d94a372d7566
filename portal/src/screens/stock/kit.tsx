/** A kit: what it is made of, how many could be sold at each place, and which component is scarcest there. */
import { Text } from '@mantine/core'
import { queryOptions } from '@tanstack/react-query'
import { compare, sum, times } from '../../exact.ts'
import { column } from '../../patterns/columns.tsx'
import { type Columns, DataTable } from '../../patterns/data-table.tsx'
import { What } from '../../patterns/links.tsx'
import { Panel } from '../../patterns/panel.tsx'
import type { Availability, Product } from '../../records.ts'
import { useApi } from '../../session.tsx'

type Variant = Product['variants'][number]
type Component = Variant['components'][number]

const componentColumns: Columns<Component> = [
  column.shown('Component', part => <What {...part} />, { says: ({ title }) => title }),
  column.quantity('In one kit', ({ quantity }) => quantity),
]

type Row = Pick<Availability, 'storage_place_id' | 'available_quantity'> & { readonly scarcest: string }

const columns: Columns<Row> = [
  column.place('Place', ({ storage_place_id }) => storage_place_id),
  column.number('Could be sold', ({ available_quantity }) => available_quantity),
  column.shown('Scarcest component', ({ scarcest }) => scarcest),
]

/** The components that allow no further kit. */
function scarcestOf(kit: Availability, components: readonly Component[], levels: readonly Availability[]): string {
  const { available_quantity: count, storage_place_id: place } = kit
  if (count === null) return ''
  const oneMore = sum([count, '1'])
  const there = (id: string) =>
    levels.find(row => row.item_variant_id === id && row.storage_place_id === place)?.available_quantity ?? '0'
  // A service has no rows.
  return components
    .filter(part => levels.some(row => row.item_variant_id === part.item_variant_id))
    .filter(part => compare(there(part.item_variant_id), times(part.quantity, oneMore)) < 0)
    .map(({ sku, title }) => sku ?? title)
    .join(', ')
}

export function Kit({ variant: { id, components } }: { readonly variant: Variant }) {
  const api = useApi()
  const item_variant_id = [id, ...components.map(part => part.item_variant_id)]
  const query = queryOptions({
    queryKey: ['availability', 'of-kit', ...item_variant_id] as readonly unknown[],
    queryFn: ({ signal }) => api.availability.list({ item_variant_id, limit: 200 }, { signal }).toArray({ max: 5_000 }),
  })
  return (
    <>
      <Text size="sm">A kit: it holds no stock. Its components leave when it is shipped.</Text>
      <DataTable
        label="Components"
        columns={componentColumns}
        rows={components}
        rowId={({ item_variant_id: part }) => part}
      />
      <Panel title="Could be sold" scope="read:stock" query={query} whenEmpty="An archived kit is not sold.">
        {levels => (
          <DataTable
            label="Could be sold"
            columns={columns}
            rows={levels
              .filter(row => row.item_variant_id === id)
              .map(row => ({ ...row, scarcest: scarcestOf(row, components, levels) }))}
            rowId={({ storage_place_id }) => storage_place_id ?? ''}
          />
        )}
      </Panel>
    </>
  )
}
