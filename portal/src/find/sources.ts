/** Where the search looks: what each list of the interface can be asked for, and where its records are shown. */

import type { Product } from '@millrace/client'
import type { Exact, ExactApi } from '../exact.ts'
import { dayText, words } from '../format.tsx'
import { documentPath } from '../patterns/links.tsx'
import { variantTitle } from '../patterns/titles.ts'
import { productsWith } from '../patterns/variants.ts'
import { newestOr } from './newest.ts'

export type Result = {
  readonly id: string
  readonly label: string
  readonly hint: string | null
  readonly to: string
  readonly search?: Readonly<Record<string, string>>
  /** Whether the text is its number, sku or barcode as a whole. */
  readonly isExact?: boolean
}

export type Source = {
  readonly label: string
  readonly scope: string
  /** Lists that know only whole numbers are asked for texts that look like one. */
  readonly takes?: RegExp
  readonly find: (api: ExactApi, q: string, signal: AbortSignal) => Promise<readonly Result[]>
}

const SHOWN_MAX = 5
const NUMBER = /^[a-z]{1,4}-?\d+$/i

const isSame = (one: string | null, q: string) => one?.toLowerCase() === q.toLowerCase()

type Numbered = { readonly id: string; readonly number: string }

/** Documents of a kind, named by their number. */
const numbered =
  <One extends Numbered>(
    kind: string,
    list: (
      api: ExactApi,
      q: string,
      options: { readonly signal: AbortSignal },
    ) => PromiseLike<{ readonly data: One[] }>,
    hint: (one: One) => string | null,
  ): Source['find'] =>
  async (api, q, signal) =>
    (await list(api, q, { signal })).data.slice(0, SHOWN_MAX).map(one => ({
      id: one.id,
      label: one.number,
      hint: hint(one),
      to: documentPath(kind, one.id) ?? '/',
      isExact: isSame(one.number, q),
    }))

const limit = SHOWN_MAX
const order = 'desc'
/** The interface writes numbers in capitals. */
const asNumber = (q: string) => ({ number: q.toUpperCase(), limit })
const joined = (...parts: readonly (string | null)[]) => parts.filter(part => part !== null && part !== '').join(', ')

export const sources: readonly Source[] = [
  {
    label: 'Sales orders',
    scope: 'read:sales',
    find: numbered(
      'SALES_ORDER',
      (api, q, options) => api.salesOrders.list({ q, limit, order }, options),
      ({ customer, status }) => joined(customer.title, words(status)),
    ),
  },
  {
    label: 'Purchase orders',
    scope: 'read:purchase',
    find: numbered(
      'PURCHASE_ORDER',
      (api, q, options) => api.purchaseOrders.list({ q, limit, order }, options),
      ({ supplier, status }) => joined(supplier.title, words(status)),
    ),
  },
  {
    label: 'Manufacturing orders',
    scope: 'read:manufacturing',
    find: numbered(
      'MANUFACTURING_ORDER',
      (api, q, options) => api.manufacturingOrders.list({ q, limit, order }, options),
      ({ item_variant, status }) => joined(item_variant.title, words(status)),
    ),
  },
  {
    label: 'Sales returns',
    scope: 'read:sales',
    find: numbered(
      'SALES_RETURN',
      async (api, q, options) => {
        const { data } = await api.salesReturns.list({ q, limit, order }, options)
        return { data: data.map(({ sales_return }) => sales_return) }
      },
      ({ status }) => words(status),
    ),
  },
  {
    label: 'Products',
    scope: 'read:catalog',
    find: async (api, q, signal) =>
      (await productsWith(api, q, { limit }, { signal }))
        .flatMap(product => variantResults(product, q))
        .toSorted((one, other) => Number(other.isExact) - Number(one.isExact))
        .slice(0, SHOWN_MAX),
  },
  {
    label: 'Batches',
    scope: 'read:stock',
    find: numbered(
      'BATCH',
      newestOr('batches', (api, query, options) => api.batches.list(query, options), { whole: 'number' }),
      ({ title, sku }) => joined(title, sku),
    ),
  },
  {
    label: 'Shipments',
    scope: 'read:sales',
    find: numbered(
      'SALES_SHIPMENT',
      newestOr('sales-shipments', (api, query, options) => api.salesShipments.list(query, options), {
        whole: 'external_ref',
        texts: ({ tracking_number }) => [tracking_number],
      }),
      ({ date, tracking_number }) => joined(dayText(date), tracking_number),
    ),
  },
  {
    label: 'Receipts',
    scope: 'read:purchase',
    find: numbered(
      'PURCHASE_RECEIPT',
      newestOr('purchase-receipts', (api, query, options) => api.purchaseReceipts.list(query, options), {
        whole: 'external_ref',
      }),
      ({ received_date, external_ref }) => joined(dayText(received_date), external_ref),
    ),
  },
  {
    label: 'Customers',
    scope: 'read:sales',
    find: async (api, q, signal) =>
      (await api.customers.list({ q, limit }, { signal })).data.map(({ id, title, email }) => ({
        ...{ id, label: title, hint: email },
        to: `/customers/${id}`,
      })),
  },
  {
    label: 'Suppliers',
    scope: 'read:purchase',
    find: async (api, q, signal) =>
      (await api.suppliers.list({ q, limit }, { signal })).data.map(({ id, title, email }) => ({
        ...{ id, label: title, hint: email },
        to: `/suppliers/${id}`,
      })),
  },
  {
    label: 'Transfers',
    scope: 'read:stock',
    takes: NUMBER,
    find: numbered(
      'STOCK_TRANSFER',
      (api, q, options) => api.stockTransfers.list(asNumber(q), options),
      () => null,
    ),
  },
  {
    label: 'Adjustments',
    scope: 'read:stock',
    takes: NUMBER,
    find: numbered(
      'STOCK_ADJUSTMENT',
      (api, q, options) => api.stockAdjustments.list(asNumber(q), options),
      () => null,
    ),
  },
  {
    label: 'Counts',
    scope: 'read:stock',
    takes: NUMBER,
    find: numbered(
      'STOCK_COUNT',
      (api, q, options) => api.stockCounts.list(asNumber(q), options),
      ({ status }) => words(status),
    ),
  },
  {
    label: 'Holds',
    scope: 'read:sales',
    takes: NUMBER,
    find: numbered(
      'RESERVATION',
      (api, q, options) => api.reservations.list(asNumber(q), options),
      ({ status }) => words(status),
    ),
  },
  {
    label: 'Landed costs',
    scope: 'read:purchase',
    takes: NUMBER,
    find: numbered(
      'LANDED_COST',
      (api, q, options) => api.landedCosts.list(asNumber(q), options),
      () => null,
    ),
  },
]

/** The variants that the text names; all of a product that is named itself. */
function variantResults({ id, title, variants }: Exact<Product>, q: string): readonly Result[] {
  const isNamed = (code: string | null) => code?.toLowerCase().includes(q.toLowerCase())
  const named = variants.filter(({ sku, barcode }) => isNamed(sku) || isNamed(barcode))
  return (named.length > 0 ? named : variants).map(variant => ({
    id: variant.id,
    label: variantTitle({ item_title: title, title: variant.title }),
    hint: joined(variant.sku, variant.barcode),
    to: `/stock/${id}/${variant.id}`,
    isExact: isSame(variant.sku, q) || isSame(variant.barcode, q),
  }))
}
