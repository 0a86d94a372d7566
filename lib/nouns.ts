/**
 * THE list: every noun with its endpoints, in the order of the reference. What speaks HTTP, the kinds of events and of movements, scopes
 * and references derive from it; an endpoint that is not here does not exist.
 */
import { apiKeys } from './access/api-keys.ts'
import { access } from './access/endpoints.ts'
import { scopesOf } from './access/scopes.ts'
import { accounting } from './domain/accounting/codes/endpoints.ts'
import { products } from './domain/catalogue/endpoints.ts'
import { operations } from './domain/manufacturing/operations/endpoints.ts'
import { manufacturingOrders } from './domain/manufacturing/orders/endpoints.ts'
import { recipes } from './domain/manufacturing/recipes/endpoints.ts'
import { customers, suppliers } from './domain/partners/endpoints.ts'
import { storagePlaces } from './domain/places/endpoints.ts'
import { projection } from './domain/planning/projection/endpoints.ts'
import { promises } from './domain/planning/promise/endpoints.ts'
import { replenishment } from './domain/planning/replenishment/endpoints.ts'
import { requirements } from './domain/planning/requirements/endpoints.ts'
import { shortages } from './domain/planning/shortages/endpoints.ts'
import { landedCosts } from './domain/purchasing/landed-costs/endpoints.ts'
import { purchaseOrders } from './domain/purchasing/orders/endpoints.ts'
import { purchaseReceipts } from './domain/purchasing/receipts/endpoints.ts'
import { supplierItems } from './domain/purchasing/supplier-items/endpoints.ts'
import { salesOrders } from './domain/sales/orders/endpoints.ts'
import { reservations } from './domain/sales/reservations/endpoints.ts'
import { expireReservations } from './domain/sales/reservations/expiry.ts'
import { salesReturns } from './domain/sales/returns/endpoints.ts'
import { salesShipments } from './domain/sales/shipments/endpoints.ts'
import { stockAdjustments } from './domain/stock/adjustments/endpoints.ts'
import { availability } from './domain/stock/availability/endpoints.ts'
import { batches, traces } from './domain/stock/batches/endpoints.ts'
import { expireBatches } from './domain/stock/batches/expiry.ts'
import { books } from './domain/stock/books/endpoints.ts'
import { stockCounts } from './domain/stock/counts/endpoints.ts'
import { stockEntries } from './domain/stock/levels/endpoints.ts'
import { stockMovements } from './domain/stock/movements/endpoints.ts'
import { scans } from './domain/stock/scan/endpoints.ts'
import { stockTransfers } from './domain/stock/transfers/endpoints.ts'
import { valuation } from './domain/stock/valuation/endpoints.ts'
import { referencesOf } from './kit/documents/references.ts'
import { collected, type Listed } from './kit/documents/resources.ts'
import { bulk } from './pipeline/bulk/endpoints.ts'
import { requests } from './pipeline/requests/endpoints.ts'
import { security } from './security/endpoints.ts'
import { webhooks } from './webhooks/endpoints.ts'

export const list: readonly Listed[] = [
  ...[products, storagePlaces, suppliers, customers],
  ...[
    stockEntries,
    availability,
    valuation,
    stockMovements,
    batches,
    traces,
    scans,
    stockAdjustments,
    stockTransfers,
    stockCounts,
    books,
    accounting,
  ],
  ...[shortages, projection, promises, replenishment, requirements],
  ...[operations, recipes, manufacturingOrders],
  ...[supplierItems, purchaseOrders, purchaseReceipts, landedCosts],
  ...[reservations, salesOrders, salesShipments, salesReturns],
  ...[webhooks, bulk, requests, security, apiKeys, access],
]

const all = collected(list)

export const { endpoints, examples, demo } = all

/** The closed list of scopes. */
export const scopes = scopesOf(endpoints)

/** What tenants do by themselves when its time has come. */
export const due = [expireReservations, expireBatches]

/** What records refer to. */
export const references = referencesOf(all.documents)
