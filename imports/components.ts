/** Components of kits in rows of products: a row has one, and rows that repeat the kit have the others. Pure: no I/O and no clock. */
import { nameOf } from './in-order.ts'
import { type Fields, fieldsIn, sameValue } from './values.ts'

/** Columns of a component, with the names of their fields. */
export const componentColumns = { component_sku: 'sku', component_quantity: 'quantity' } as const

export const isComponentRow = (row: Fields): boolean => Object.keys(componentColumns).some(column => column in row)

/** The row with its component as a field of its variant. */
export function withComponent(row: Fields): Fields {
  if (!isComponentRow(row)) return row
  const { component_sku: sku, component_quantity: quantity, ...rest } = row
  const component = { ...(sku === undefined ? {} : { sku }), ...(quantity === undefined ? {} : { quantity }) }
  return { ...rest, components: [component] }
}

/** The column of a field within a component. */
export const columnOfComponent = (field: string | undefined): string =>
  field === 'quantity' ? 'component_quantity' : 'component_sku'

const kitsIn = (row: Fields): readonly Fields[] => [row, ...fieldsIn(row['variants'])]

/** The skus that a row, or the body of a request, names as components. */
export const componentSkus = (row: Fields): readonly string[] =>
  kitsIn(withComponent(row)).flatMap(({ components }) =>
    fieldsIn(components).flatMap(({ sku }) => (typeof sku === 'string' ? [sku.trim()] : [])),
  )

/** The variants that a kit waits for. */
export const componentNames = (row: Fields): readonly string[] => componentSkus(row).flatMap(sku => nameOf('sku', sku))

/** Whether the kit has these components, in any spelling. */
export function sameComponents(asked: Fields[string], found: Fields[string] | undefined): boolean {
  const [wanted, there] = [fieldsIn(asked), fieldsIn(found)]
  return wanted.length === there.length && wanted.every((part, at) => isSame(part, there[at] ?? {}))
}

const isSame = (part: Fields, there: Fields): boolean =>
  Object.entries(part).every(([name, value]) => sameValue(value, there[name]))
