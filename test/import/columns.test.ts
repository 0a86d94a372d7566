/** The columns of imports are the fields that a body with a new record takes. */
import { type Column, type Columns, codes, flag, number, required, text } from '../../imports/columns.ts'
import { importKinds } from '../../imports/kinds.ts'
import { stockColumns } from '../../imports/opening-stock.ts'
import { shorthandNames } from '../../imports/variant-rows.ts'
import { Product, shorthandNames as shorthandOfProducts } from '../../lib/domain/catalogue/noun.ts'
import { Customer, Supplier } from '../../lib/domain/partners/noun.ts'
import { SupplierItem } from '../../lib/domain/purchasing/supplier-items/noun.ts'
import type { Fields } from '../../lib/kit/documents/document.ts'
import type { AnyNoun } from '../../lib/kit/documents/noun.ts'
import type { AnyField } from '../../lib/kit/fields/field.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const LISTS_OF_CODES = ['barcodes']
const MAPS = ['metadata']

/** Each text of an object of texts has a column: `address.city`. Only JSON lines can have lists of other records. */
const columnsOf = ({ fields, create }: AnyNoun): Columns =>
  Object.fromEntries(
    Object.entries({ ...fields, ...create } as Fields).flatMap(([name, field]): [string, Column][] => {
      if (field.is !== 'column' || !('sent' in field)) return []
      const { sent, type, parts } = field as AnyField
      const isSent = name in create || sent.on === 'create' || sent.on === 'both'
      if (!isSent) return []
      if (LISTS_OF_CODES.includes(name)) return [[name, codes]]
      if (MAPS.includes(name)) return [[`${name}.*`, text]]
      if (parts) return parts.map(part => [`${name}.${part}`, text])
      const column = type === 'boolean' ? flag : type === 'integer' || type === 'numeric' ? number : text
      return [[name, sent.absent === 'refused' ? required(column) : column]]
    }),
  )

/** Columns that name another record which the API names by its id, and the columns of a variant. */
const further: Readonly<Record<string, Columns>> = {
  products: {
    ...{ variant_title: text, variant_external_ref: text, 'variant_metadata.*': text, 'attributes.*': text },
    ...{ component_sku: text, component_quantity: number, ...stockColumns },
  },
  'supplier-items': { supplier_id: text, supplier_ref: text, item_variant_id: text, sku: text },
}

test('every field that a new record takes has a column', t => {
  const nouns: Readonly<Record<string, AnyNoun>> = {
    ...{ products: Product, suppliers: Supplier, customers: Customer, 'supplier-items': SupplierItem },
  }
  for (const { name, columns, createScopes, updateScope } of importKinds) {
    const noun = nouns[name]
    if (noun === undefined) continue
    t.deepEqual<unknown, unknown>(columns, { ...columnsOf(noun), ...further[name] }, name)
    t.deepEqual<unknown, unknown>([createScopes([]), updateScope], [[noun.scopes.create], noun.scopes.update], name)
  }
  t.deepEqual<unknown, unknown>(shorthandNames, shorthandOfProducts)
})
