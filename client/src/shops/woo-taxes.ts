/**
 * WooCommerce's taxes in the currency's minor unit. A line has each tax unrounded; `tax_lines` has each rate's total. Whether the shop
 * rounds by line or by order, half up or half down, an order does not say.
 */
import type { ShopTax } from './amounts.ts'
import { type Micro, micro, nearestMicro, percent, roundedTo, ShopFieldError, size, sum, toText } from './decimal.ts'
import type { WooOrder, WooTax } from './woo.ts'

type Taxed = { readonly taxes?: readonly WooTax[] | null | undefined }

/** The taxes that a line has at all: the shop leaves the others empty. */
export const given = ({ taxes }: Taxed): readonly WooTax[] => (taxes ?? []).filter(({ total }) => total !== '')

/**
 * Of each line or charge its taxes: rounded such that those of one rate come to the shop's total of that rate, and none is a whole minor
 * unit off.
 */
export function taxesOf(
  taxed: readonly Taxed[],
  order: WooOrder,
  { total, unit }: { readonly total: 'tax_total' | 'shipping_tax_total'; readonly unit: Micro },
): ShopTax[][] {
  const entries = taxed.flatMap((one, of) => given(one).map(tax => ({ of, id: String(tax.id), exact: exactOf(tax) })))
  const amounts = new Map<(typeof entries)[number], Micro>()
  const rates = new Map((order.tax_lines ?? []).map((tax, at) => [String(tax.rate_id), { ...tax, at }] as const))
  for (const id of new Set(entries.map(entry => entry.id))) {
    const ofRate = entries.filter(entry => entry.id === id)
    const rate = rates.get(id)
    if (rate === undefined) throw new ShopFieldError('tax_lines', `has no rate ${id}, which a line has`)
    const field = `tax_lines[${rate.at}].${total}`
    const rounded = roundedTogether(
      ofRate.map(({ exact }) => exact),
      roundedTo(nearestMicro(rate[total], field), unit),
      { unit, field },
    )
    for (const [at, entry] of ofRate.entries()) amounts.set(entry, rounded[at] ?? 0n)
  }
  return taxed.map((_, of) =>
    entries
      .filter(entry => entry.of === of)
      .map(entry => {
        const { label, rate_percent, at = 0 } = rates.get(entry.id) ?? {}
        const field = `tax_lines[${at}].rate_percent`
        if (rate_percent == null) throw new ShopFieldError(field, 'is missing')
        return { title: label, rate: percent(micro(rate_percent, field), field), amount: amounts.get(entry) ?? 0n }
      }),
  )
}

export const exactOf = ({ total }: WooTax): Micro => nearestMicro(total, 'taxes.total')

/** Each rounded, then those that were rounded the furthest the other way, until all come to `target`. */
function roundedTogether(
  exact: readonly Micro[],
  target: Micro,
  { unit, field }: { readonly unit: Micro; readonly field: string },
): Micro[] {
  const rounded = exact.map(one => roundedTo(one, unit))
  const missing = target - sum(rounded)
  const step = missing < 0n ? -unit : unit
  // How far each was rounded away from where it has to go.
  const lost = exact
    .map((one, at) => ({ at, by: ((one - (rounded[at] ?? 0n)) * step) / unit }))
    .filter(({ by }) => by > 0n)
    .sort((a, b) => (a.by === b.by ? a.at - b.at : a.by < b.by ? 1 : -1))
  const steps = Number(size(missing / unit))
  if (steps > lost.length)
    throw new ShopFieldError(field, `is ${toText(target)}, but the taxes of the lines come to ${toText(sum(exact))}`)
  for (const { at } of lost.slice(0, steps)) rounded[at] = (rounded[at] ?? 0n) + step
  return rounded
}
