/** Labels, in the number of copies that the address has. */
import { TextInput } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import JsBarcode from 'jsbarcode'
import { dayText } from '../../format.tsx'
import { DetailPage } from '../../patterns/detail-page.tsx'
import { here, useFilters } from '../../patterns/filters.tsx'
import { variantTitle } from '../../patterns/titles.ts'
import { useApi } from '../../session.tsx'
import { Sheet } from './sheet.tsx'

const COPIES_MAX = 200
/** Longer texts take the width of the page. */
const NARROW_MAX = 28

/** One unless told. */
const copiesOf = (text = '1'): number => (/^\d{1,3}$/.test(text) ? Math.min(Math.max(Number(text), 1), COPIES_MAX) : 1)

type Props = {
  readonly kind: string
  readonly number: string
  readonly back: string
  readonly title: string
  readonly lines: readonly (string | null)[]
  /** The text that scanners read; null if there is none. */
  readonly code: string | null
}

/** @param props `number` of the document, `back` where one comes from. */
function LabelSheet({ title, lines, code, ...sheet }: Props) {
  const { search, filter } = useFilters(here)
  const { value, onChange } = filter('copies')
  return (
    <Sheet
      {...sheet}
      isLabels
      choices={
        <TextInput
          label="Copies"
          type="number"
          min={1}
          max={COPIES_MAX}
          w={90}
          value={value ?? '1'}
          onChange={event => onChange(event.currentTarget.value || undefined)}
        />
      }
    >
      <div className="labels">
        {Array.from({ length: copiesOf(search['copies']) }, (_, copy) => copy).map(copy => (
          <div key={copy} className={code !== null && code.length > NARROW_MAX ? 'label wide' : 'label'}>
            <strong>{title}</strong>
            {lines.filter(Boolean).map(line => (
              <small key={line}>{line}</small>
            ))}
            {code !== null && <Barcode text={code} />}
            {code !== null && <small>{code}</small>}
          </div>
        ))}
      </div>
    </Sheet>
  )
}

/** Free room beside the bars, which scanners need, in widths of the narrowest bar. */
const QUIET = 10
const HEIGHT = 40

type Encoded = { encodings?: readonly { readonly data: string }[] }

/** CODE 128 has these signs; the library takes some letters beyond them for signs of its own. */
const CODE_128 = /^[\x20-\x7E]+$/

/** The bars as ones and zeros; null where the text cannot be a barcode. */
function barsOf(text: string): string | null {
  const ean = /^\d{13}$/.test(text) ? 'EAN13' : /^\d{8}$/.test(text) ? 'EAN8' : null
  const asEan = ean === null ? null : encoded(text, ean)
  return asEan ?? (CODE_128.test(text) ? encoded(text, 'CODE128') : null)
}

/** Null where the format does not hold the text: the last digit of an EAN proves the others. */
function encoded(text: string, format: string): string | null {
  const into: Encoded = {}
  let isValid = false
  const valid = (is: boolean) => {
    isValid = is
  }
  JsBarcode(into, text, { format, flat: true, valid })
  return isValid && into.encodings ? into.encodings.map(({ data }) => data).join('') : null
}

/** What is drawn: where each bar begins, and how wide it is. */
const barsAt = (bits: string): readonly { readonly x: number; readonly width: number }[] =>
  [...bits.matchAll(/1+/g)].map(({ index, 0: bar }) => ({ x: QUIET + index, width: bar.length }))

function Barcode({ text }: { readonly text: string }) {
  const bits = barsOf(text)
  if (bits === null) return <small>This text cannot be a barcode.</small>
  return (
    <svg
      viewBox={`0 0 ${bits.length + 2 * QUIET} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Barcode of ${text}`}
    >
      {barsAt(bits).map(({ x, width }) => (
        <rect key={x} x={x} y={0} width={width} height={HEIGHT} fill="#000" />
      ))}
    </svg>
  )
}

const batchRoute = getRouteApi('/print/batch-labels/$id')

/** Of a batch: the barcode is its number. */
export function BatchLabels() {
  const api = useApi()
  const { id } = batchRoute.useParams()
  return (
    <DetailPage kind="Batch labels" name={['batches', 'labels', id]} read={options => api.batches.get(id, options)}>
      {batch => (
        <LabelSheet
          kind="Labels of batch"
          number={batch.number}
          back={`/trace/${id}`}
          title={batch.title}
          lines={[
            batch.sku && `SKU ${batch.sku}`,
            batch.manufacture_date && `Made on ${dayText(batch.manufacture_date)}`,
            batch.expiry_date && `To ${dayText(batch.expiry_date)}`,
          ]}
          code={batch.number}
        />
      )}
    </DetailPage>
  )
}

const shelfRoute = getRouteApi('/print/shelf-labels/$productId/$variantId')

/** Of a shelf: which variant lies there. The barcode is what counting takes: the variant's barcode, else its SKU. */
export function ShelfLabels() {
  const api = useApi()
  const { productId, variantId } = shelfRoute.useParams()
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
