/** What rows of a product change in the product that is there. Pure: no I/O and no clock. */
import { type ImportOptions, type Outcome, type Row, type RowOutcome, refused } from './kind.ts'
import { faultsOf, type Refusal } from './service.ts'
import { differenceOf, type Fields } from './values.ts'
import { VARIANTS_MAX, type VariantRow, variantChange } from './variant-rows.ts'

type Said = { readonly product: Fields; readonly variants: readonly VariantRow[]; readonly first: Row }
type How = ImportOptions & {
  /** Of the product as a new one; null where it was known to be there. */
  readonly refusal: Refusal | null
}

/** What is to be sent of a product's rows. */
export type ProductPlan = {
  /** Null where nothing is to be sent. */
  readonly body: Fields | null
  /** The rows of the body's variants, in their order. */
  readonly sent: readonly VariantRow[]
  /** The rows of all variants that are to be sent. */
  readonly rest: readonly VariantRow[]
  /** Lines that need nothing or are refused. */
  readonly settled: readonly RowOutcome[]
  /** What the other lines are once the body is taken. */
  readonly outcomes: readonly RowOutcome[]
  /** Whether what is said of the product itself is refused. */
  readonly isProductRefused: boolean
}

/**
 * The body of the PATCH, with as many variants as a request takes. Without `update` a row may add a variant, and one with other values is refused.
 */
export function plannedChange(
  found: Fields,
  { product, variants, first }: Said,
  { update, refusal }: How,
): ProductPlan {
  const settled: RowOutcome[] = []
  const outcomes: RowOutcome[] = []
  const rest: VariantRow[] = []
  const bodies: Fields[] = []
  const other = (line: number): RowOutcome => ({
    line,
    outcome:
      refusal !== null && line === first.line
        ? { faults: faultsOf(refusal) }
        : refused(null, 'is there with other values, which only an update changes'),
  })
  const change = differenceOf(product, found)
  const isOther = Object.keys(change).length > 0
  if (isOther && !update) settled.push(other(first.line))
  else if ('type' in change)
    settled.push({ line: first.line, outcome: refused('type', `is ${found['type']} and cannot change`) })
  const isRefused = settled.length > 0
  if (isOther && !isRefused) outcomes.push({ line: first.line, outcome: 'changed' })
  for (const row of variants) {
    const { line, fields } = row
    if (isRefused && line === first.line) continue
    const said = variantChange(fields, found)
    if (said === null) settled.push({ line, outcome: 'known' })
    else if ('faults' in said) settled.push({ line, outcome: said as Exclude<Outcome, string> })
    else if ('id' in said && !update) {
      if (!settled.some(before => before.line === line && typeof before.outcome !== 'string')) settled.push(other(line))
    } else {
      rest.push(row)
      bodies.push(said as Fields)
    }
  }
  const sent = rest.slice(0, VARIANTS_MAX)
  const sentBodies = bodies.slice(0, VARIANTS_MAX)
  for (const [at, { line }] of sent.entries())
    outcomes.push({ line, outcome: 'id' in (sentBodies[at] ?? {}) ? 'changed' : 'created' })
  const own = isOther && !isRefused ? change : {}
  const body = sent.length === 0 ? own : { ...own, variants: sentBodies }
  return {
    body: Object.keys(body).length === 0 ? null : body,
    sent,
    rest,
    settled,
    outcomes,
    isProductRefused: isRefused,
  }
}
