/** Labels of a shelf: which variant lies there. Their barcode is what counting takes: the variant's barcode, else its SKU. */
import { getRouteApi } from '@tanstack/react-router'
import { DetailPage } from '../../patterns/detail-page.tsx'
import { variantTitle } from '../../patterns/titles.ts'
import { useApi } from '../../session.tsx'
import { LabelSheet } from './labels.tsx'

const route = getRouteApi('/print/shelf-labels/$productId/$variantId')

export function ShelfLabels() {
  const api = useApi()
  const { productId, variantId } = route.useParams()
  return (
    <DetailPage
      kind="Shelf labels"
      name={['products', 'labels', productId, variantId]}
      read={async options => {
        const product = await api.products.get(productId, options)
        const variant = product.variants.find(({ id }) => id === variantId)
        if (!variant) throw new Error(`${product.title} has no variant ${variantId}.`)
        return { product, variant }
      }}
    >
      {({ product, variant }) => {
        const title = variantTitle({ item_title: product.title, title: variant.title })
        return (
          <LabelSheet
            kind="Shelf labels of"
            number={variant.sku ?? title}
            back={`/stock/${productId}/${variantId}`}
            title={title}
            lines={[variant.sku && `SKU ${variant.sku}`, `Counted in ${product.unit_name}`]}
            code={variant.barcode ?? variant.sku}
          />
        )
      }}
    </DetailPage>
  )
}
