/** Who sells a variant, or the variants of a product, and how. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { rowsOf } from '../../patterns/groups.ts'
import { TablePanel } from '../../patterns/panel.tsx'
import { Small } from '../../patterns/small.tsx'
import { SupplierLink, useSupplierTitles } from '../../patterns/suppliers.tsx'
import { useSession } from '../../session.tsx'
import { AddSupplierItem, ITEMS_MAX, inOrder, supplierItemColumns } from '../purchasing/supplier-items.tsx'

const columns = supplierItemColumns('Supplier')

type Props = { readonly variants: readonly { readonly id: string; readonly title: string }[] }

/** If several variants are shown, suppliers are added on the page of each. */
export function Suppliers({ variants }: Props) {
  const { api, can } = useSession()
  const ids = variants.map(({ id }) => id)
  const query = queryOptions({
    queryKey: ['supplier-items', 'of-variants', ...ids] as readonly unknown[],
    queryFn: ({ signal }) =>
      rowsOf(ids, item_variant_id => api.supplierItems.list({ item_variant_id, limit: ITEMS_MAX }, { signal })),
  })
  const { data = [] } = useQuery({ ...query, enabled: can('read:purchase') })
  const titles = useSupplierTitles(data.map(({ supplier_id }) => supplier_id))
  const [first, ...others] = variants
  const only = others.length === 0 ? first : undefined
  const titleOf = new Map(variants.map(({ id, title }) => [id, title]))
  return (
    <TablePanel
      title="Suppliers"
      scope="read:purchase"
      query={query}
      aside={only && <AddSupplierItem variantId={only.id} />}
      whenEmpty={`Nobody is known who sells it. Add a supplier${only ? '' : ' on the page of a variant'}, and orders know its unit and price.`}
      columns={columns}
      rows={items =>
        inOrder(items).map(item => ({
          ...item,
          name: (
            <>
              <SupplierLink id={item.supplier_id} titles={titles} />
              {!only && <Small>{titleOf.get(item.item_variant_id)}</Small>}
            </>
          ),
          title: titles.get(item.supplier_id) ?? `supplier ${item.supplier_id}`,
        }))
      }
    />
  )
}
