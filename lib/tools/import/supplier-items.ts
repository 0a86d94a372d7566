/**
 * The import of supplier items. A row is the body of `POST /supplier-items`, which may name the supplier by its external_ref and the
 * variant by its sku. It is found again by its external_ref, else by supplier and variant.
 */
import { Supplier } from '../../domain/partners/noun.ts'
import { SupplierItem } from '../../domain/purchasing/supplier-items/noun.ts'
import type { JsonObject } from '../../platform/json.ts'
import { type Columns, columnsOf, type Fault, text } from './columns.ts'
import { nameOf } from './in-order.ts'
import { sameFields } from './json-values.ts'
import type { ImportKind } from './kind.ts'
import { recordUpdater, recordWriter } from './record-writer.ts'
import { findFirst, type Service } from './service.ts'
import { noSku, skuFinder } from './skus.ts'

const { path, scopes } = SupplierItem

/** Supplier and variant each have two columns for their name. */
const columns: Columns = {
  ...columnsOf(SupplierItem),
  ...{ supplier_id: text, supplier_ref: text, item_variant_id: text, sku: text },
}

export const supplierItems: ImportKind = {
  name: 'supplier-items',
  about:
    `as in POST ${path}, with the supplier's external_ref as supplier_ref instead of supplier_id, and sku instead of item_variant_id; ` +
    'found again by external_ref, else by supplier and variant',
  columns,
  scopes: ['read:catalog', scopes.read, scopes.create ?? ''],
  updateScope: scopes.update ?? '',
  open: (service, { update } = { update: false }) => {
    const findSku = skuFinder(service)
    const findSupplier = supplierFinder(service)
    const fixed = ['supplier_id', 'item_variant_id']
    const kind = { path, keyPrefix: 'import-supplier-items', lookupOf, isSame: sameFields, fixed }
    const write = (update ? recordUpdater : recordWriter)(service, kind)
    /** The row with ids instead of the reference and the sku. Each is looked up once per import. */
    const withIds = async ({
      supplier_ref,
      sku,
      ...body
    }: JsonObject): Promise<{ readonly body: JsonObject } | Fault> => {
      if (supplier_ref !== undefined && body['supplier_id'] === undefined) {
        const found = await findSupplier(String(supplier_ref).trim())
        if (found === null) return { fault: `supplier_ref: no supplier has the external_ref "${supplier_ref}"` }
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
        if ('fault' in read) return []
        return [
          ...nameOf('external_ref', read.body['external_ref']),
          ...nameOf('item_variant_id', read.body['item_variant_id']),
        ]
      },
      take: async ({ body }) => {
        const read = await withIds(body)
        return 'fault' in read ? read : write(read.body)
      },
    }
  },
}

/** Finds suppliers by their external_ref, each once per import. */
function supplierFinder(service: Service): (ref: string) => Promise<string | null> {
  const found = new Map<string, Promise<string | null>>()
  const look = async (ref: string) => {
    const supplier = await findFirst(service, Supplier.path, `external_ref=${encodeURIComponent(ref)}`)
    return supplier === null ? null : String(supplier['id'])
  }
  return ref => {
    const known = found.get(ref) ?? look(ref)
    found.set(ref, known)
    return known
  }
}

function lookupOf({ external_ref: ref, supplier_id: supplier, item_variant_id: variant }: JsonObject): string | null {
  if (typeof ref === 'string' && ref.trim() !== '') return `external_ref=${encodeURIComponent(ref.trim())}`
  if (supplier === undefined || variant === undefined) return null
  return `archived=false&supplier_id=${encodeURIComponent(String(supplier))}&item_variant_id=${encodeURIComponent(String(variant))}`
}
