/**
 * What rows of products say: of the product, and of its variants. Rows that repeat a product's external_ref are its variants. Pure: no I/O
 * and no clock.
 */
import { isComponentRow, sameComponents, withComponent } from './components.ts'
import { type Refused, type Row, refused } from './kind.ts'
import { differenceOf, type Fields, fieldsIn, sameFields, sameValue } from './values.ts'

/** A request takes no more. */
export const VARIANTS_MAX = 100

/** Fields of a variant that may stand beside a product with one variant. */
export const shorthandNames = [
  ...['sku', 'barcode', 'barcodes', 'price', 'purchase_price', 'minimum_stock', 'lead_time_days'],
  ...['minimum_order_quantity', 'order_multiple', 'components'],
]

/** Columns of a variant that are no fields of a product, with the names of their fields. */
export const variantColumns = {
  variant_title: 'title',
  variant_external_ref: 'external_ref',
  variant_metadata: 'metadata',
  attributes: 'attributes',
} as const

const fieldOfColumn: ReadonlyMap<string, string> = new Map([
  ...shorthandNames.map(name => [name, name] as const),
  ...Object.entries(variantColumns),
])
/** The column of a variant's field. */
export const columnOfField = (field: string): string =>
  Object.entries(variantColumns).find(([, name]) => name === field)?.[0] ?? field

/**
 * What a row says of one variant; a row of JSON may have several. `componentLines`: the row of each component of a kit, where rows have them.
 */
export type VariantRow = { readonly line: number; readonly fields: Fields; readonly componentLines?: readonly number[] }

/** `PART`: it adds a component to a kit. */
type Repeat = { readonly line: number; readonly of: number; readonly is: 'SAME' | 'OTHER' | 'PART' }

export type ProductRows = {
  /** The lines of all rows. */
  readonly lines: readonly number[]
  readonly product: Fields
  readonly variants: readonly VariantRow[]
  /** Rows that say again what a variant is, with the row that said it first. */
  readonly repeats: readonly Repeat[]
  readonly faults: readonly { readonly line: number; readonly outcome: Refused }[]
}

/** What the row says of the product, and of its variants. */
function partsOf(given: Fields): { readonly product: Fields; readonly variants: readonly Fields[] } {
  const { variants, ...row } = withComponent(given)
  const [product, variant]: [Fields, Fields] = [Object.create(null), Object.create(null)]
  for (const [name, value] of Object.entries(row)) {
    const field = fieldOfColumn.get(name)
    if (field === undefined) product[name] = value
    else variant[field] = value
  }
  const own = Object.keys(variant).length === 0 ? [] : [variant]
  return { product, variants: [...own, ...fieldsIn(variants)] }
}

/**
 * The rows of one product together. A later row that names a variant of an earlier one goes on top of it where `update` says so, and else
 * must say the same. A row that says something else of the product is refused.
 */
export function joinedRows(rows: readonly Row[], { update }: { readonly update: boolean }): ProductRows {
  const [first, ...others] = rows.map(({ line, body }) => ({ line, ...partsOf(body) }))
  const product = { ...first?.product }
  const hasComponent = new Set(rows.flatMap(({ line, body }) => (isComponentRow(body) ? [line] : [])))
  const newRow = (line: number, fields: Fields): VariantRow =>
    hasComponent.has(line) ? { line, fields, componentLines: [line] } : { line, fields }
  const variants: VariantRow[] = (first?.variants ?? []).map(fields => newRow(first?.line ?? 0, fields))
  const repeats: Repeat[] = []
  const faults: { line: number; outcome: Refused }[] = []
  for (const { line, ...said } of others) {
    const other = Object.entries(said.product).find(
      ([name, value]) => name in product && !sameValue(value, product[name]),
    )
    if (other !== undefined) {
      faults.push({
        line,
        outcome: refused(other[0], `is another one than on line ${first?.line}, of the same product`),
      })
      continue
    }
    Object.assign(product, said.product)
    for (const fields of said.variants) {
      const isPart = hasComponent.has(line)
      const namesNone = isPart && !naming.some(name => isSaid(fields[name]))
      const at = namesNone ? variants.length - 1 : variants.findIndex(before => isSameVariant(fields, before.fields))
      const before = variants[at]
      if (before === undefined) {
        variants.push(newRow(line, fields))
        continue
      }
      if (isPart && before.componentLines !== undefined) {
        const { components: _components, ...rest } = fields
        if (sameFields(rest, { ...rest, ...before.fields })) {
          variants[at] = {
            ...before,
            fields: { ...rest, ...before.fields, components: [...parts(before.fields), ...parts(fields)] },
            componentLines: [...before.componentLines, line],
          }
          repeats.push({ line, of: before.line, is: 'PART' })
        } else faults.push({ line, outcome: refused(null, `the kit has other values on line ${before.line}`) })
        continue
      }
      const isOther = !sameFields(fields, before.fields)
      if (isOther && !update)
        faults.push({ line, outcome: refused(null, `the variant has other values on line ${before.line}`) })
      else repeats.push({ line, of: before.line, is: isOther ? 'OTHER' : 'SAME' })
      if (update) variants[at] = { line: before.line, fields: { ...before.fields, ...fields } }
    }
  }
  return { lines: rows.map(({ line }) => line), product, variants, repeats, faults }
}

const parts = ({ components }: Fields): readonly Fields[] => fieldsIn(components)

const naming = ['external_ref', 'sku', 'title'] as const

/** Whether two rows of a product name one variant: by the first that both say of external_ref, sku, title. */
function isSameVariant(one: Fields, other: Fields): boolean {
  const name = naming.find(name => isSaid(one[name]) && isSaid(other[name]))
  return name !== undefined && sameValue(one[name] ?? null, other[name])
}

const isSaid = (value: Fields[string] | undefined): boolean => value !== undefined && value !== null && value !== ''

/**
 * The variant that a row means: by external_ref, else sku, else title, else the only one; null where it is new. A sku that is not there is a
 * new variant, unless the variant of the title has no sku.
 */
export function foundVariant(variant: Fields, found: Fields): Fields | null | Refused {
  const all = fieldsIn(found['variants'])
  const unarchived = all.filter(({ archived }) => archived !== true)
  for (const name of naming) {
    const value = variant[name]
    if (value === undefined || !isSaid(value)) continue
    const isMeant = (each: Fields) =>
      sameValue(value, each[name]) && (name !== 'title' || !isSaid(variant['sku']) || !isSaid(each['sku']))
    const [one, other] = [unarchived, all].map(of => of.filter(isMeant)).find(of => of.length > 0) ?? []
    if (other !== undefined)
      return refused(columnOfField(name), `the product has several variants with ${JSON.stringify(value)}`)
    if (one !== undefined) return one
  }
  if (isSaid(variant['sku']) || isSaid(variant['title'])) return null
  const [only = null, second] = unarchived.length > 0 ? unarchived : all
  return second === undefined
    ? only
    : refused('sku', 'the product has several variants, and the row names none of them')
}

/** The variant of the product that a row names. */
export const variantOf = (row: Fields, product: Fields): Fields | null | Refused =>
  foundVariant(partsOf(row).variants[0] ?? {}, product)

/** What a PATCH says of a variant so that it has what the row says; null where it has. A new variant has no id. */
export function variantChange(fields: Fields, found: Fields): Fields | null | Refused {
  const before = foundVariant(fields, found)
  if (before === null) return fields
  if ('faults' in before) return before as Refused
  const { components, ...rest } = fields
  const isSame = components === undefined || sameComponents(components, before['components'])
  const differing = differenceOf(isSame ? rest : fields, before)
  return Object.keys(differing).length === 0 ? null : { id: before['id'] ?? null, ...differing }
}
