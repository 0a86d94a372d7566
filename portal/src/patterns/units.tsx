/** Quantities with their units. A row has only its variant; the unit is that of the variant's product. */
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import type { Decimal, ExactApi } from '../exact.ts'
import { quantityText } from '../format.tsx'
import { unitKey } from '../names.ts'
import { type Reader, useSession } from '../session.tsx'
import { IDS_MAX, together } from './groups.ts'

/** What a row knows of its goods. A line of an order may have no variant, and then has no unit. */
export type Goods =
  | { readonly unit_name: string }
  | { readonly item_variant_id: string | null }
  | { readonly item_variant: { readonly id: string } }

const read = together(async (api, item_variant_id) => {
  const { data } = await api.products.list({ item_variant_id, limit: IDS_MAX })
  return new Map(data.flatMap(({ unit_name, variants }) => variants.map(({ id }) => [id, unit_name] as const)))
})

const unitQuery = (api: ExactApi, variantId: string) =>
  queryOptions({
    queryKey: unitKey(variantId) as readonly unknown[],
    queryFn: () => read(api, variantId),
    staleTime: 300_000,
  })

const variantOf = (goods: Goods): string =>
  'item_variant_id' in goods ? (goods.item_variant_id ?? '') : 'item_variant' in goods ? goods.item_variant.id : ''

/** Null until it is loaded, and for a key that may not read products. */
function useUnit(goods: Goods): string | null {
  const { api, can } = useSession()
  const isTold = 'unit_name' in goods
  const { data = null } = useQuery({
    ...unitQuery(api, variantOf(goods)),
    enabled: !isTold && variantOf(goods) !== '' && can('read:catalog'),
  })
  return isTold ? goods.unit_name : data
}

/** The units of several variants, for texts. */
export function useUnits(variantIds: readonly string[]): (variantId: string) => string | null {
  const { api, can } = useSession()
  const ids = [...new Set(variantIds)]
  const found = useQueries({ queries: ids.map(id => ({ ...unitQuery(api, id), enabled: can('read:catalog') })) })
  const units = new Map(ids.map((id, index) => [id, found[index]?.data ?? null]))
  return id => units.get(id) ?? null
}

export const readUnits = ({ api, can }: Reader, rows: readonly Goods[]): Promise<readonly (string | null)[]> =>
  Promise.all(
    rows.map(row =>
      'unit_name' in row
        ? row.unit_name
        : variantOf(row) !== '' && can('read:catalog')
          ? read(api, variantOf(row))
          : null,
    ),
  )

/** A quantity as text, if its unit is already known. */
export const withUnit = (quantity: Decimal, unit: string | null): string =>
  unit === null ? quantityText(quantity) : `${quantityText(quantity)} ${unit}`

type Props = { readonly of: Decimal; readonly goods: Goods; readonly withSign?: boolean }

export function Quantity({ of, goods, withSign = false }: Props) {
  const unit = useUnit(goods)
  return (
    <span className="whole">
      {withSign && !of.startsWith('-') && '+'}
      {quantityText(of)}
      {unit !== null && <span className="unit"> {unit}</span>}
    </span>
  )
}

const LINES_SHOWN = 3

export type Line = Goods & { readonly id: string; readonly quantity: Decimal; readonly title: string }

export const Lines = ({ of, most = LINES_SHOWN }: { readonly of: readonly Line[]; readonly most?: number }) => (
  <>
    {of.slice(0, most).map((line, index) => (
      <span key={line.id}>
        {index > 0 && ', '}
        <Quantity of={line.quantity} goods={line} /> × {line.title}
      </span>
    ))}
    {of.length > most && ` and ${of.length - most} more`}
  </>
)
