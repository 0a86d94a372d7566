/**
 * The import of supplier items. A row is the body of `POST /supplier-items`, which may name the supplier by its external_ref and the
 * variant by its sku. It is found again by its external_ref, else by supplier and variant.
 */
import { columnsNamed, flag, number, text } from './columns.ts'
import { nameOf } from './in-order.ts'
import { type ImportKind, type Refused, refused } from './kind.ts'
import { recordWriter } from './record-writer.ts'
import { findFirst, type Service } from './service.ts'
import { noSku, skuFinder } from './skus.ts'
import { type Fields, textIn } from './values.ts'

const path = '/supplier-items'

export const supplierItems: ImportKind = {
  name: 'supplier-items',
  title: 'Supplier items',
  about:
    `as in POST ${path}, with the supplier's external_ref as supplier_ref instead of supplier_id, and sku instead of item_variant_id; ` +
    'found again by external_ref, else by supplier and variant',
  // Supplier and variant each have two columns for their name.
  columns: {
    ...columnsNamed(text, 'supplier_ref supplier_id sku item_variant_id supplier_sku purchase_unit_name'),
    ...columnsNamed(number, 'conversion_rate price'),
    ...columnsNamed(text, 'currency'),
    ...columnsNamed(number, 'minimum_quantity multiple_of lead_time_days'),
    ...columnsNamed(flag, 'is_preferred'),
    ...columnsNamed(text, 'notes external_ref metadata.*'),
  },
  scopes: ['read:catalog', 'read:purchase', 'write:purchase.supplier.update'],
  createScopes: () => ['write:purchase.supplier.update'],
  updateScope: 'write:purchase.supplier.update',
  unique: ['external_ref'],
  rowsInDocument: null,
  open: (service, how = { update: false }) => {
    const findSku = skuFinder(service)
    const findSupplier = supplierFinder(service)
    const fixed = ['supplier_id', 'item_variant_id']
    const write = recordWriter(service, { path, keyPrefix: 'import-supplier-items', lookupOf, fixed }, how)
    /** The row with ids instead of the reference and the sku. Each is looked up once per import. */
    const withIds = async ({ supplier_ref, sku, ...body }: Fields): Promise<{ readonly body: Fields } | Refused> => {
      if (supplier_ref !== undefined && body['supplier_id'] === undefined) {
        const found = await findSupplier(String(supplier_ref).trim())
        if (found === null)
          return refused(
            'supplier_ref',
            `no supplier has the external_ref ${JSON.stringify(String(supplier_ref).trim())}`,
          )
        body['supplier_id'] = found
      }
      if (sku !== undefined && body['item_variant_id'] === undefined) {
        const found = await findSku(String(sku).trim())
        if (found === null) return noSku('sku', String(sku))
        body['item_variant_id'] = found
      }
      return { body }
    }
    return {
      // A variant has one preferred supplier: the last row of the variant that sets it decides.
      names: async row => {
        const read = await withIds(row)
        if ('faults' in read) return []
        return [
          ...nameOf('external_ref', read.body['external_ref']),
          ...nameOf('item_variant_id', read.body['item_variant_id']),
        ]
      },
      take: async rows => {
        const outcomes = []
        for (const { line, body } of rows) {
          const read = await withIds(body)
          outcomes.push({ line, outcome: 'faults' in read ? read : await write(read.body) })
        }
        return outcomes
      },
    }
  },
}

/** Finds suppliers by their external_ref, each once per import. */
function supplierFinder(service: Service): (ref: string) => Promise<string | null> {
  const found = new Map<string, Promise<string | null>>()
  const look = async (ref: string) => {
    const supplier = await findFirst(service, '/suppliers', `external_ref=${encodeURIComponent(ref)}`)
    return supplier === null ? null : String(supplier['id'])
  }
  return ref => {
    const known = found.get(ref) ?? look(ref)
    found.set(ref, known)
    return known
  }
}

function lookupOf({ external_ref: ref, supplier_id: supplier, item_variant_id: variant }: Fields): string | null {
  const named = textIn(ref)
  if (named !== null) return `external_ref=${encodeURIComponent(named)}`
  if (supplier === undefined || variant === undefined) return null
  return `archived=false&supplier_id=${encodeURIComponent(String(supplier))}&item_variant_id=${encodeURIComponent(String(variant))}`
}
