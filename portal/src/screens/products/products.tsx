/** The list of products, archived ones among them; the list of stock shows what is in use by variant. */
import type { Product } from '@millrace/client'
import { getRouteApi } from '@tanstack/react-router'
import type { Exact } from '../../exact.ts'
import { words } from '../../format.tsx'
import { listQuery } from '../../lists.ts'
import { archivedOf, titleColumn, UseFilter } from '../../patterns/archived.tsx'
import { column } from '../../patterns/columns.tsx'
import type { Columns } from '../../patterns/data-table.tsx'
import { CodeFilter, TextFilter, useFilters } from '../../patterns/filters.tsx'
import { ButtonLink } from '../../patterns/links.tsx'
import { ListPage } from '../../patterns/list-page.tsx'
import { useApi } from '../../session.tsx'
import { NewProduct } from './new-product.tsx'
import { TYPES } from './types.ts'

const route = getRouteApi('/products')

const SKUS_SHOWN = 3

/** Of a product with many variants the first ones. */
function skusOf({ variants }: Exact<Product>): string {
  const skus = variants.flatMap(({ sku }) => sku ?? [])
  return skus.length > SKUS_SHOWN
    ? `${skus.slice(0, SKUS_SHOWN).join(', ')} and ${skus.length - SKUS_SHOWN} more`
    : skus.join(', ')
}

const columns: Columns<Exact<Product>> = [
  titleColumn('PRODUCT'),
  column.shown('SKU', skusOf, 'sm'),
  column.shown('Kind', ({ type }) => words(type)),
  column.shown('Category', ({ category }) => category, 'md'),
  column.shown('Unit', ({ unit_name }) => unit_name, 'md'),
]

export function Products() {
  const { products } = useApi()
  const { search, filter, onClear } = useFilters(route)
  const { archived, ...asked } = search
  return (
    <ListPage
      title="Products"
      query={listQuery(['products'], { ...asked, ...archivedOf(archived) }, (query, options) =>
        products.list(query, options),
      )}
      columns={columns}
      onClear={onClear}
      whenEmpty="There are no products yet. Make one here, or import a file of them."
      whenNoMatch="Nothing has this in its title, SKU or barcode."
      actions={
        <>
          <ButtonLink to="/import">Import</ButtonLink>
          <NewProduct />
        </>
      }
      filters={
        <>
          <TextFilter label="Title, SKU or barcode" {...filter('q')} />
          <CodeFilter label="Kind" of={TYPES} {...filter('type')} />
          <UseFilter {...filter('archived')} />
        </>
      }
    />
  )
}
