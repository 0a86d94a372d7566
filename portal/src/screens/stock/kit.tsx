/** A kit: what it is made of, how many could be sold at each place, and which component is scarcest there. */
import { Text } from '@mantine/core'
import { column } from '../../patterns/columns.tsx'
import { type Columns, TableSection } from '../../patterns/data-table.tsx'
import { type KitLevel, type KitVariant, kitQuery } from '../../patterns/kits.tsx'
import { What } from '../../patterns/links.tsx'
import { TablePanel } from '../../patterns/panel.tsx'
import { useApi } from '../../session.tsx'

const componentColumns: Columns<KitVariant['components'][number]> = [
  column.shown('Component', part => <What {...part} />, { says: ({ title }) => title }),
  column.quantity('In one kit', ({ quantity }) => quantity),
]

const columns: Columns<KitLevel> = [
  column.place('Place', ({ storage_place_id }) => storage_place_id),
  column.number('Could be sold', ({ available_quantity }) => available_quantity),
  column.shown('Scarcest component', ({ scarcest }) => scarcest),
]

export function Kit({ variant }: { readonly variant: KitVariant }) {
  const api = useApi()
  return (
    <>
      <Text size="sm">A kit: it holds no stock. Its components leave when it is shipped.</Text>
      <TableSection
        title="Components"
        columns={componentColumns}
        rows={variant.components}
        rowId={({ item_variant_id }) => item_variant_id}
      />
      <TablePanel
        title="Could be sold"
        scope="read:stock"
        query={kitQuery(api, variant)}
        whenEmpty="An archived kit is not sold."
        columns={columns}
        rows={levels => levels}
        rowId={({ storage_place_id }) => storage_place_id ?? ''}
      />
    </>
  )
}
