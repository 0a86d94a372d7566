/** Who sells a variant, and how. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { DataTable } from '../../patterns/data-table.tsx'
import { Panel } from '../../patterns/panel.tsx'
import { SupplierLink, useSupplierTitles } from '../../patterns/suppliers.tsx'
import { useSession } from '../../session.tsx'
import { AddSupplierItem } from '../purchasing/supplier-item-steps.tsx'
import { ITEMS_MAX, inOrder, supplierItemColumns } from '../purchasing/supplier-items.tsx'

const columns = supplierItemColumns('Supplier')

export function Suppliers({ variantId }: { readonly variantId: string }) {
  const { api, can } = useSession()
  const query = queryOptions({
    queryKey: ['supplier-items', 'of-variant', variantId] as readonly unknown[],
    queryFn: async ({ signal }) =>
      (await api.supplierItems.list({ item_variant_id: variantId, limit: ITEMS_MAX }, { signal })).data,
  })
  const { data = [] } = useQuery({ ...query, enabled: can('read:purchase') })
  const titles = useSupplierTitles(data.map(({ supplier_id }) => supplier_id))
  return (
    <Panel
      title="Suppliers"
      scope="read:purchase"
      query={query}
      aside={<AddSupplierItem variantId={variantId} />}
      whenEmpty="Nobody is known who sells it. Add a supplier, and orders know its unit and price."
    >
      {items => (
        <DataTable
          label="Suppliers"
          columns={columns}
          rows={inOrder(items).map(item => ({
            ...item,
            name: <SupplierLink id={item.supplier_id} titles={titles} />,
            title: titles.get(item.supplier_id) ?? `supplier ${item.supplier_id}`,
          }))}
        />
      )}
    </Panel>
  )
}
