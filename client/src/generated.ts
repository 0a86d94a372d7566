/**
 * Generated from the OpenAPI description by `npm run openapi`: types of all documents and requests, and a method for each
 * endpoint. Do not edit.
 */
import { Endpoints, type Entries, type EventStream, type List, path, referencePath } from './endpoints.ts'
import type { ConditionalOptions, ReadOptions, StreamOptions, WriteOptions } from './options.ts'

/** Every error has exactly these three fields. */
export type ErrorBody = {
  /**
   * A stable code for programs.
   *
   * - `validation_failed`: The request is malformed, or names something that is not there; the message names the field
   * - `unauthorized`: The API key is missing, malformed, unknown, expired or revoked
   * - `SUBSCRIPTION_LIMIT`: The SKU limit of the free plan would be exceeded
   * - `forbidden`: The API key lacks the scope that the message names, or its tenant is suspended
   * - `not_found`: No such path, or no such record in this tenant
   * - `method_not_allowed`: The path exists, but not with this method; see the Allow header
   * - `conflict`: The Idempotency-Key was used before for another request, or another record stands in the way: see the message
   * - `insufficient_stock`: There is not enough stock; nothing was moved
   * - `stock_changed`: The stock is not what the caller expected; nothing was changed
   * - `already_reversed`: The document is reversed; it cannot be reversed a second time
   * - `purchase_receipt_not_allowed`: The purchase order does not allow this receipt
   * - `purchase_order_not_editable`: The purchase order is finished
   * - `sales_order_not_editable`: The sales order is finished
   * - `total_mismatch`: The sales order would come to another total than the caller expects; nothing was changed
   * - `reservation_not_held`: The reservation has ended: it holds nothing any more
   * - `sales_return_not_editable`: The sales return does not allow this move
   * - `stock_count_not_editable`: The stock count is done or cancelled
   * - `precondition_failed`: The record is another than the ETag of If-Match says
   * - `payload_too_large`: The body is larger than this endpoint takes
   * - `unsupported_media_type`: The body must be application/json
   * - `unprocessable`: The document date is in a closed period or in the future, or the state forbids it
   * - `manufacturing_order_invalid_status`: The manufacturing order is not in a status that allows this
   * - `manufacturing_order_transition_not_allowed`: The manufacturing order cannot be created like this
   * - `not_applied`: Another entry of the bulk was refused, so this one was not done either
   * - `rate_limited`: Too many requests; wait for the seconds in Retry-After
   * - `document_quota_exceeded`: The key's daily document quota is spent; Retry-After runs to midnight UTC
   * - `internal_error`: An unexpected fault; the request_id helps support to find it
   * - `service_unavailable`: No answer in time, or a dependency is down; a retry with the same Idempotency-Key is safe.
   */
  error: "validation_failed" | "unauthorized" | "SUBSCRIPTION_LIMIT" | "forbidden" | "not_found" | "method_not_allowed" | "conflict" | "insufficient_stock" | "stock_changed" | "already_reversed" | "purchase_receipt_not_allowed" | "purchase_order_not_editable" | "sales_order_not_editable" | "total_mismatch" | "reservation_not_held" | "sales_return_not_editable" | "stock_count_not_editable" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "unprocessable" | "manufacturing_order_invalid_status" | "manufacturing_order_transition_not_allowed" | "not_applied" | "rate_limited" | "document_quota_exceeded" | "internal_error" | "service_unavailable"
  /** What is wrong, in words; names the field where one is at fault. */
  message: string
  /** Finds the request in the logs. */
  request_id: string
}

export type AccountBalances = {
  /** Of the tenant. */
  currency: string
  /** As asked. */
  from: string | null
  /** As asked. */
  through: string | null
  /** As asked. */
  posted_through: string | null
  /** In the order of the accounts, then of category, place or reason, null first; VALUATION_DIFFERENCE is always there. */
  rows: AccountBalancesRow[]
  /** The sums of the rows. */
  totals: AccountBalancesTotals
}

export type AccountBalancesRow = {
  /**
   * - `INVENTORY`: the value of the stock
   * - `GOODS_RECEIVED_NOT_INVOICED`: what suppliers brought, until their invoice is booked
   * - `WORK_IN_PROGRESS`: the cost of manufacturing orders that is not posted yet
   * - `PRODUCTION_COSTS_ABSORBED`: operations of manufacturing orders
   * - `COST_OF_GOODS_SOLD`: what left to customers, less what came back
   * - `STOCK_ADJUSTMENT`: corrections, counts and write-downs
   * - `LANDED_COST_CLEARING`: freight, duty and the like, until their invoice is booked
   * - `LANDED_COST_EXPENSED`: the part of landed costs whose goods are gone
   * - `PRODUCTION_EXPENSED`: the cost of manufacturing orders that no stock took
   * - `VALUATION_DIFFERENCE`: what reversals moved otherwise than their documents.
   */
  account: "INVENTORY" | "GOODS_RECEIVED_NOT_INVOICED" | "WORK_IN_PROGRESS" | "PRODUCTION_COSTS_ABSORBED" | "COST_OF_GOODS_SOLD" | "STOCK_ADJUSTMENT" | "LANDED_COST_CLEARING" | "LANDED_COST_EXPENSED" | "PRODUCTION_EXPENSED" | "VALUATION_DIFFERENCE"
  /** The accountant's, that of the category where there is one. */
  account_code: string | null
  /** With `by=category`; null: none. */
  category: string | null
  /** With `by=place`; null: none. */
  storage_place_id: string | null
  /** With `by=reason`, of STOCK_ADJUSTMENT. */
  reason: string | null
  /** Before `from`; 0 without it. Debit above 0. */
  opening: number
  /** What the period debited. */
  debit: number
  /** What the period credited. */
  credit: number
  /** Opening + debit - credit. */
  closing: number
  /** The rounded closing of the day before `from`; 0 without it. */
  opening_rounded: number
  /** Closing_rounded - opening_rounded: what to book for the period. */
  net_rounded: number
  /** Closing in the minor unit of the currency; VALUATION_DIFFERENCE takes what is left. */
  closing_rounded: number
}

export type AccountBalancesTotals = {
  /** Before `from`; 0 without it. Debit above 0. */
  opening: number
  /** What the period debited. */
  debit: number
  /** What the period credited. */
  credit: number
  /** Opening + debit - credit. */
  closing: number
  /** The rounded closing of the day before `from`; 0 without it. */
  opening_rounded: number
  /** Closing_rounded - opening_rounded: what to book for the period. */
  net_rounded: number
  /** Closing in the minor unit of the currency; VALUATION_DIFFERENCE takes what is left. */
  closing_rounded: number
}

export type Accounting = {
  /** By account. */
  accounts: AccountingAccounts
  /** In the order sent. */
  categories: AccountingCategory[]
}

export type AccountingAccounts = {
  /** The value of the stock. */
  INVENTORY: AccountingAccountsINVENTORY
  /** What suppliers brought, until their invoice is booked. */
  GOODS_RECEIVED_NOT_INVOICED: AccountingAccountsGOODSRECEIVEDNOTINVOICED
  /** The cost of manufacturing orders that is not posted yet. */
  WORK_IN_PROGRESS: AccountingAccountsWORKINPROGRESS
  /** Operations of manufacturing orders. */
  PRODUCTION_COSTS_ABSORBED: AccountingAccountsPRODUCTIONCOSTSABSORBED
  /** What left to customers, less what came back. */
  COST_OF_GOODS_SOLD: AccountingAccountsCOSTOFGOODSSOLD
  /** Corrections, counts and write-downs. */
  STOCK_ADJUSTMENT: AccountingAccountsSTOCKADJUSTMENT
  /** Freight, duty and the like, until their invoice is booked. */
  LANDED_COST_CLEARING: AccountingAccountsLANDEDCOSTCLEARING
  /** The part of landed costs whose goods are gone. */
  LANDED_COST_EXPENSED: AccountingAccountsLANDEDCOSTEXPENSED
  /** The cost of manufacturing orders that no stock took. */
  PRODUCTION_EXPENSED: AccountingAccountsPRODUCTIONEXPENSED
  /** What reversals moved otherwise than their documents. */
  VALUATION_DIFFERENCE: AccountingAccountsVALUATIONDIFFERENCE
}

export type AccountingAccountsCOSTOFGOODSSOLD = {
  /** Shown as `account_code`. */
  code: string | null
  /** As the accountant calls it. */
  name: string | null
}

export type AccountingAccountsGOODSRECEIVEDNOTINVOICED = {
  /** Shown as `account_code`. */
  code: string | null
  /** As the accountant calls it. */
  name: string | null
}

export type AccountingAccountsINVENTORY = {
  /** Shown as `account_code`. */
  code: string | null
  /** As the accountant calls it. */
  name: string | null
}

export type AccountingAccountsLANDEDCOSTCLEARING = {
  /** Shown as `account_code`. */
  code: string | null
  /** As the accountant calls it. */
  name: string | null
}

export type AccountingAccountsLANDEDCOSTEXPENSED = {
  /** Shown as `account_code`. */
  code: string | null
  /** As the accountant calls it. */
  name: string | null
}

export type AccountingAccountsPRODUCTIONCOSTSABSORBED = {
  /** Shown as `account_code`. */
  code: string | null
  /** As the accountant calls it. */
  name: string | null
}

export type AccountingAccountsPRODUCTIONEXPENSED = {
  /** Shown as `account_code`. */
  code: string | null
  /** As the accountant calls it. */
  name: string | null
}

export type AccountingAccountsSTOCKADJUSTMENT = {
  /** Shown as `account_code`. */
  code: string | null
  /** As the accountant calls it. */
  name: string | null
}

export type AccountingAccountsVALUATIONDIFFERENCE = {
  /** Shown as `account_code`. */
  code: string | null
  /** As the accountant calls it. */
  name: string | null
}

export type AccountingAccountsWORKINPROGRESS = {
  /** Shown as `account_code`. */
  code: string | null
  /** As the accountant calls it. */
  name: string | null
}

export type AccountingCategory = {
  /** Of products. */
  category: string
  /**
   * - `INVENTORY`: the value of the stock
   * - `GOODS_RECEIVED_NOT_INVOICED`: what suppliers brought, until their invoice is booked
   * - `WORK_IN_PROGRESS`: the cost of manufacturing orders that is not posted yet
   * - `PRODUCTION_COSTS_ABSORBED`: operations of manufacturing orders
   * - `COST_OF_GOODS_SOLD`: what left to customers, less what came back
   * - `STOCK_ADJUSTMENT`: corrections, counts and write-downs
   * - `LANDED_COST_CLEARING`: freight, duty and the like, until their invoice is booked
   * - `LANDED_COST_EXPENSED`: the part of landed costs whose goods are gone
   * - `PRODUCTION_EXPENSED`: the cost of manufacturing orders that no stock took
   * - `VALUATION_DIFFERENCE`: what reversals moved otherwise than their documents.
   */
  account: "INVENTORY" | "GOODS_RECEIVED_NOT_INVOICED" | "WORK_IN_PROGRESS" | "PRODUCTION_COSTS_ABSORBED" | "COST_OF_GOODS_SOLD" | "STOCK_ADJUSTMENT" | "LANDED_COST_CLEARING" | "LANDED_COST_EXPENSED" | "PRODUCTION_EXPENSED" | "VALUATION_DIFFERENCE"
  /** In place of that of the account. */
  code: string
}

export type AnnotateSalesOrderBody = {
  /** Anything worth keeping. */
  notes?: string | null | undefined
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. A name that is null goes, names that are left out stay; afterwards up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. */
  metadata?: Record<string, string | null> | undefined
}

export type ApiKey = {
  /** The key. */
  id: string
  /** What the key is for. */
  name: string
  /** Whom its changes name; null: the key was issued without a name. */
  user_name: string | null
  /** What the key may do. */
  scopes: string[]
  /** How often it may ask. */
  rate: ApiKeyRate
  /** Documents that it may make in a UTC day. */
  daily_documents: number
  /**
   * Whether the key is taken.
   *
   * - `valid`: it is
   * - `expired`: its time is over
   * - `revoked`: it was ended for good.
   */
  status: "valid" | "expired" | "revoked"
  /** When it was issued. */
  created_at: string
  /** The second of its last request, also a refused one; null: none in 90 days. */
  last_used_at: string | null
  /** When it stops being valid; null: never. */
  expires_at: string | null
  /** When it was revoked; null: it is not revoked. */
  revoked_at: string | null
}

export type ApiKeyRate = {
  /** Requests. */
  per_minute: number
  /** Requests that may come at once. */
  burst: number
}

export type Availability = {
  /** The variant. */
  item_variant_id: string
  /** Stock keeping unit of the variant, which may have none. */
  sku: string | null
  /** The place; null is stock without a place. */
  storage_place_id: string | null
  /** Whether it is a kit, of which `available_quantity` counts whole ones; then the other quantities are null. */
  is_kit: boolean
  /** Physical stock over all batches, quarantined or not. */
  quantity: number | null
  /** Of the quantity. */
  quarantine_quantity: number | null
  /** Of the quantity: expired and not quarantined. */
  expired_quantity: number | null
  /** What open sales orders and planned manufacturing orders need. */
  reserved_quantity: number | null
  /** What open purchase orders and manufacturing orders will bring. */
  expected_quantity: number | null
  /** Quantity - quarantine - expired - reserved; may be negative. Of a kit: how many its scarcest component allows; null where none holds stock. */
  available_quantity: number | null
  /** Null without stock. */
  average_cost: number | null
  /** When the row changed, or the sales_allowed of its place. */
  updated_at: string | null
}

export type Batch = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** The product. */
  item_id: string
  /** The variant. */
  item_variant_id: string
  /** Stock keeping unit of the variant, which may have none. */
  sku: string | null
  /** What people call it. */
  title: string
  /** Unique per variant. */
  number: string
  /** When the batch was made. */
  manufacture_date: string | null
  /** The last day of the batch. */
  expiry_date: string | null
  /** Whether the expiry date is over in the time zone of the tenant, when answered. */
  is_expired: boolean
  /** Physical stock at all places, quarantined or not. */
  quantity: number
  /** Of the quantity. */
  quarantine_quantity: number
  /** When it was made. */
  created_at: string
  /** When its number or a date last changed; its quantities do not move it. */
  updated_at: string
}

export type BatchTrace = {
  /** The batch that was asked for. */
  batch: Batch
  /**
   * Where the batch went, or where it came from.
   *
   * - `forward`: where it went
   * - `backward`: where it came from.
   */
  direction: "forward" | "backward"
  /** There is more than rows show: beyond level 20, or beyond 5,000 rows. */
  truncated: boolean
  /** By level, then by movement. */
  rows: BatchTraceRow[]
}

export type BatchTraceRow = {
  /** 0: the batch itself; each order between leads one level deeper. */
  level: number
  /** The batch; null where there is none. */
  batch_id: string | null
  /** The number of the batch. */
  batch_number: string | null
  /** The variant. */
  item_variant_id: string
  /** Stock keeping unit of the variant, which may have none. */
  sku: string | null
  /** What people call it. */
  title: string
  /**
   * What became of the batch, or where it came from.
   *
   * - `SHIPPED`: to a customer
   * - `CONSUMED`: by a manufacturing order
   * - `PRODUCED`: by a manufacturing order
   * - `RECEIVED`: from a supplier
   * - `RETURNED`: by a customer
   * - `ADJUSTED_OUT`: by an adjustment that lowered the stock
   * - `ADJUSTED_IN`: by an adjustment that raised the stock
   * - `IN_STOCK`: what lies at a place now, quarantined or not.
   */
  kind: "SHIPPED" | "CONSUMED" | "PRODUCED" | "RECEIVED" | "RETURNED" | "ADJUSTED_OUT" | "ADJUSTED_IN" | "IN_STOCK"
  /** More than 0; over all movements of the source, the batch and the place. */
  quantity: number
  /** The place; null is stock without a place. */
  storage_place_id: string | null
  /**
   * Null for IN_STOCK, like all of the source.
   *
   * - `STOCK_ADJUSTMENT`: a stock adjustment
   * - `MANUFACTURING_ORDER`: a manufacturing order
   * - `PURCHASE_RECEIPT`: a receipt of a purchase order
   * - `SALES_SHIPMENT`: a shipment of a sales order
   * - `SALES_RETURN`: a sales return.
   */
  source_type: "STOCK_ADJUSTMENT" | "MANUFACTURING_ORDER" | "PURCHASE_RECEIPT" | "SALES_SHIPMENT" | "SALES_RETURN" | null
  /** The document. */
  source_id: string | null
  /** The number of the document. */
  source_number: string | null
  /** Of the source; an order that moved this at several times shows the earliest. */
  document_date: string | null
  /** The customer of a shipment or return, the supplier of a receipt. */
  partner: BatchTraceRowPartner | null
}

export type BatchTraceRowPartner = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** What people call it. */
  title: string
  /** ISO 3166-1 alpha-2 code. */
  country_code: string | null
}

export type BlockManufacturingOrderBody = {
  /** Why, in words. */
  reason?: string | null | undefined
}

export type Bulk = {
  /**
   * Whether entries stand alone.
   *
   * - `each`: each entry stands alone; what is refused leaves the others as they are
   * - `all`: one transaction: all entries are done, or none.
   */
  mode: "each" | "all"
  /** In the order of `requests`. */
  results: BulkResult[]
}

export type BulkBody = {
  /**
   * Whether entries stand alone. Default: `each`.
   *
   * - `each`: each entry stands alone; what is refused leaves the others as they are
   * - `all`: one transaction: all entries are done, or none.
   */
  mode?: "each" | "all" | undefined
  /** The writes, in the order in which they run. */
  requests: readonly BulkRequest[]
}

export type BulkRequest = {
  /**
   * Of HTTP.
   *
   * - `POST`: makes a record or moves it
   * - `PUT`: makes or changes the record of a reference
   * - `PATCH`: changes a record
   * - `DELETE`: removes a record.
   */
  method: "POST" | "PUT" | "PATCH" | "DELETE"
  /** Below `/api/external/v1`, without a query. */
  path: string
  /** The entry's own, in force alone and in a bulk alike; no two entries may share one. */
  idempotency_key: string
  /** As the header `If-Match`. */
  if_match?: string | null | undefined
  /** As the endpoint takes it; left out where it takes none. */
  body?: Record<string, unknown> | null | undefined
}

export type BulkResult = {
  /** Of the entry; null: it was run dry without a key. */
  idempotency_key: string | null
  /** What the entry alone would have been answered with, or 424. */
  status: number
  /** Whether it is the recorded answer of an earlier request. */
  replayed: boolean
  /** Where the body is a record as its GET shows it. */
  etag: string | null
  /** Seconds after which to try the entry again, where its refusal says so. */
  retry_after: number | null
  /** The fields that a refusal `validation_failed` names, ten at most. */
  error_fields: string[] | null
  /** What the entry alone would have been answered; null for a 204. */
  body: unknown
}

export type CancelSalesReturnBody = {
  /** Why, in words. */
  reason?: string | null | undefined
}

export type CancelStockCountBody = Record<string, never>

export type ChangeAccountingAccounts = {
  /** The value of the stock. */
  INVENTORY?: ChangeAccountingAccountsINVENTORY | undefined
  /** What suppliers brought, until their invoice is booked. */
  GOODS_RECEIVED_NOT_INVOICED?: ChangeAccountingAccountsGOODSRECEIVEDNOTINVOICED | undefined
  /** The cost of manufacturing orders that is not posted yet. */
  WORK_IN_PROGRESS?: ChangeAccountingAccountsWORKINPROGRESS | undefined
  /** Operations of manufacturing orders. */
  PRODUCTION_COSTS_ABSORBED?: ChangeAccountingAccountsPRODUCTIONCOSTSABSORBED | undefined
  /** What left to customers, less what came back. */
  COST_OF_GOODS_SOLD?: ChangeAccountingAccountsCOSTOFGOODSSOLD | undefined
  /** Corrections, counts and write-downs. */
  STOCK_ADJUSTMENT?: ChangeAccountingAccountsSTOCKADJUSTMENT | undefined
  /** Freight, duty and the like, until their invoice is booked. */
  LANDED_COST_CLEARING?: ChangeAccountingAccountsLANDEDCOSTCLEARING | undefined
  /** The part of landed costs whose goods are gone. */
  LANDED_COST_EXPENSED?: ChangeAccountingAccountsLANDEDCOSTEXPENSED | undefined
  /** The cost of manufacturing orders that no stock took. */
  PRODUCTION_EXPENSED?: ChangeAccountingAccountsPRODUCTIONEXPENSED | undefined
  /** What reversals moved otherwise than their documents. */
  VALUATION_DIFFERENCE?: ChangeAccountingAccountsVALUATIONDIFFERENCE | undefined
}

export type ChangeAccountingAccountsCOSTOFGOODSSOLD = {
  /** Shown as `account_code`. */
  code?: string | null | undefined
  /** As the accountant calls it. */
  name?: string | null | undefined
}

export type ChangeAccountingAccountsGOODSRECEIVEDNOTINVOICED = {
  /** Shown as `account_code`. */
  code?: string | null | undefined
  /** As the accountant calls it. */
  name?: string | null | undefined
}

export type ChangeAccountingAccountsINVENTORY = {
  /** Shown as `account_code`. */
  code?: string | null | undefined
  /** As the accountant calls it. */
  name?: string | null | undefined
}

export type ChangeAccountingAccountsLANDEDCOSTCLEARING = {
  /** Shown as `account_code`. */
  code?: string | null | undefined
  /** As the accountant calls it. */
  name?: string | null | undefined
}

export type ChangeAccountingAccountsLANDEDCOSTEXPENSED = {
  /** Shown as `account_code`. */
  code?: string | null | undefined
  /** As the accountant calls it. */
  name?: string | null | undefined
}

export type ChangeAccountingAccountsPRODUCTIONCOSTSABSORBED = {
  /** Shown as `account_code`. */
  code?: string | null | undefined
  /** As the accountant calls it. */
  name?: string | null | undefined
}

export type ChangeAccountingAccountsPRODUCTIONEXPENSED = {
  /** Shown as `account_code`. */
  code?: string | null | undefined
  /** As the accountant calls it. */
  name?: string | null | undefined
}

export type ChangeAccountingAccountsSTOCKADJUSTMENT = {
  /** Shown as `account_code`. */
  code?: string | null | undefined
  /** As the accountant calls it. */
  name?: string | null | undefined
}

export type ChangeAccountingAccountsVALUATIONDIFFERENCE = {
  /** Shown as `account_code`. */
  code?: string | null | undefined
  /** As the accountant calls it. */
  name?: string | null | undefined
}

export type ChangeAccountingAccountsWORKINPROGRESS = {
  /** Shown as `account_code`. */
  code?: string | null | undefined
  /** As the accountant calls it. */
  name?: string | null | undefined
}

export type ChangeAccountingBody = {
  /** By account: what is omitted stays, null clears. */
  accounts?: ChangeAccountingAccounts | undefined
  /** Codes of accounts for products of a category, in place of the account; they replace those before. */
  categories?: readonly ChangeAccountingCategory[] | undefined
}

export type ChangeAccountingCategory = {
  /** Of products. */
  category: string
  /**
   * - `INVENTORY`: the value of the stock
   * - `GOODS_RECEIVED_NOT_INVOICED`: what suppliers brought, until their invoice is booked
   * - `WORK_IN_PROGRESS`: the cost of manufacturing orders that is not posted yet
   * - `PRODUCTION_COSTS_ABSORBED`: operations of manufacturing orders
   * - `COST_OF_GOODS_SOLD`: what left to customers, less what came back
   * - `STOCK_ADJUSTMENT`: corrections, counts and write-downs
   * - `LANDED_COST_CLEARING`: freight, duty and the like, until their invoice is booked
   * - `LANDED_COST_EXPENSED`: the part of landed costs whose goods are gone
   * - `PRODUCTION_EXPENSED`: the cost of manufacturing orders that no stock took
   * - `VALUATION_DIFFERENCE`: what reversals moved otherwise than their documents.
   */
  account: "INVENTORY" | "GOODS_RECEIVED_NOT_INVOICED" | "WORK_IN_PROGRESS" | "PRODUCTION_COSTS_ABSORBED" | "COST_OF_GOODS_SOLD" | "STOCK_ADJUSTMENT" | "LANDED_COST_CLEARING" | "LANDED_COST_EXPENSED" | "PRODUCTION_EXPENSED" | "VALUATION_DIFFERENCE"
  /** In place of that of the account. */
  code: string
}

export type ClosePurchaseOrderBody = {
  /** Why, in words. */
  reason?: string | null | undefined
}

export type CompleteManufacturingOrderBody = {
  /** Output; by default all that remains. */
  quantity?: number | undefined
  /** Whether this ends the order, whatever was planned. Default: `false`. */
  is_final?: boolean | undefined
  /** When it was done. ISO-8601 timestamp (UTC without an offset) or date (the start of that day in the time zone of the tenant). */
  completed_at?: string | undefined
  /** The batch of the output; of a batch-tracked product by default the number of the order. */
  output_batch_number?: string | null | undefined
  /** When the batch of the output was made. */
  output_manufacture_date?: string | null | undefined
  /** The last day of the batch of the output. */
  output_expiry_date?: string | null | undefined
  /** Where the output goes; by default where it is made. */
  storage_place_id?: string | number | undefined
  /** Whether it goes into quarantine, out of which nothing is picked. Default: `false`. */
  quarantine?: boolean | undefined
  /** Actual durations of tasks. Default: `[]`. */
  tasks?: readonly CompleteManufacturingOrderTask[] | undefined
  /** Anything worth keeping. */
  notes?: string | null | undefined
}

export type CompleteManufacturingOrderTask = {
  /** The task. */
  id: string | number
  /** Hours. */
  actual_duration: number
}

export type CompleteStockCountBody = {
  /** When it happened: not in a closed period, nor ahead of the clock; now unless given. ISO-8601 timestamp (UTC without an offset) or date (the start of that day in the time zone of the tenant). */
  date?: string | undefined
}

export type CreateApiKeyBody = {
  /** What the key is for. */
  name: string
  /** Whom its changes name; left out: as the caller's key. */
  user_name?: string | undefined
  /** What the key may do: scopes of the caller's key. */
  scopes: readonly string[]
  /** Requests; left out: 600, at most as many as the caller's key. */
  rate_per_minute?: number | undefined
  /** Requests that may come at once; left out: 100, at most as many as the caller's key. */
  burst?: number | undefined
  /** Documents that it may make in a UTC day; left out: 500, at most as many as the caller's key. */
  daily_documents?: number | undefined
  /** When it stops being valid; null or left out: never. ISO-8601 timestamp (UTC without an offset) or date (the start of that day in the time zone of the tenant). */
  expires_at?: string | null | undefined
}

export type CreateCustomerBillingAddress = {
  /** Who receives what is sent there. */
  name?: string | null | undefined
  /** The company there. */
  company?: string | null | undefined
  /** First line of the address. */
  line_1?: string | null | undefined
  /** Second line of the address. */
  line_2?: string | null | undefined
  /** Town. */
  city?: string | null | undefined
  /** State or province. */
  region?: string | null | undefined
  /** Postal code. */
  zip?: string | null | undefined
  /** ISO 3166-1 alpha-2 code. */
  country_code?: string | null | undefined
  /** Where to call. */
  phone?: string | null | undefined
}

export type CreateCustomerBody = {
  /** What people call it. */
  title: string
  /** ISO 3166-1 alpha-2 code. */
  country_code?: string | null | undefined
  /** Where to write to. */
  email?: string | null | undefined
  /** Where to call. */
  phone?: string | null | undefined
  /** For invoices (VAT identification number). */
  tax_number?: string | null | undefined
  /** ISO 4217 code. */
  currency?: string | null | undefined
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. Up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. Default: `{}`. */
  metadata?: Record<string, string> | undefined
  /** Where goods are sent to. An object with at least one of its fields. */
  shipping_address?: CreateCustomerShippingAddress | null | undefined
  /** Where invoices are sent to. An object with at least one of its fields. */
  billing_address?: CreateCustomerBillingAddress | null | undefined
}

export type CreateCustomerShippingAddress = {
  /** Who receives what is sent there. */
  name?: string | null | undefined
  /** The company there. */
  company?: string | null | undefined
  /** First line of the address. */
  line_1?: string | null | undefined
  /** Second line of the address. */
  line_2?: string | null | undefined
  /** Town. */
  city?: string | null | undefined
  /** State or province. */
  region?: string | null | undefined
  /** Postal code. */
  zip?: string | null | undefined
  /** ISO 3166-1 alpha-2 code. */
  country_code?: string | null | undefined
  /** Where to call. */
  phone?: string | null | undefined
}

export type CreateLandedCostBody = {
  /** Unique per tenant and kind; counted unless given (`SO-00001`). */
  number?: string | null | undefined
  /** The receipt. */
  purchase_receipt_id: string | number
  /** Where the goods lie now; by default the place of the receipt, and an explicit null is stock without a place. */
  storage_place_id?: string | number | null | undefined
  /** ISO 4217 code. */
  currency?: string | undefined
  /** The tenant's currency per unit of the landed cost's; required where these differ. */
  exchange_rate?: number | undefined
  /** When it happened: not in a closed period, nor ahead of the clock; now unless given. ISO-8601 timestamp (UTC without an offset) or date (the start of that day in the time zone of the tenant). */
  date?: string | undefined
  /** Anything worth keeping. */
  notes?: string | null | undefined
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. Up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. Default: `{}`. */
  metadata?: Record<string, string> | undefined
  /** The costs. */
  items: readonly CreateLandedCostItem[]
}

export type CreateLandedCostItem = {
  /** What people call it. */
  title: string
  /** In the currency of the landed cost. */
  amount: number
  /**
   * How it is spread over the lines of the receipt. Default: `VALUE`.
   *
   * - `VALUE`: by the value at which the lines came in; by quantity where all values are 0
   * - `QUANTITY`: by the quantity of the lines.
   */
  distribution?: "VALUE" | "QUANTITY" | undefined
}

export type CreateManufacturingOrderBody = {
  /** Unique per tenant and kind; counted unless given (`SO-00001`). */
  number?: string | null | undefined
  /**
   * What it is made for; MAKE_TO_ORDER where a sales order is given.
   *
   * - `MAKE_TO_STOCK`: for the stock
   * - `MAKE_TO_ORDER`: for a sales order.
   */
  type?: "MAKE_TO_STOCK" | "MAKE_TO_ORDER" | undefined
  /** For your own order of work; the service does nothing with it. Default: `0`. */
  priority?: number | undefined
  /** How many are to be made. */
  quantity: number
  /** When work should begin. ISO-8601 timestamp (UTC without an offset) or date (the start of that day in the time zone of the tenant). */
  planned_start_date?: string | null | undefined
  /** When the output is expected. ISO-8601 timestamp (UTC without an offset) or date (the start of that day in the time zone of the tenant). */
  production_date?: string | null | undefined
  /** When the output should leave. ISO-8601 timestamp (UTC without an offset) or date (the start of that day in the time zone of the tenant). */
  shipping_date?: string | null | undefined
  /** The batch of the output; of a batch-tracked product by default the number of the order. */
  output_batch_number?: string | null | undefined
  /** When the batch of the output was made. */
  output_manufacture_date?: string | null | undefined
  /** The last day of the batch of the output. */
  output_expiry_date?: string | null | undefined
  /** Where materials are taken and output arrives; by default the main place if it allows manufacturing. */
  manufacturing_location_id?: string | number | undefined
  /** The sales order that it is made for. */
  sales_order_id?: string | number | null | undefined
  /** Anything worth keeping. */
  notes?: string | null | undefined
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. Up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. Default: `{}`. */
  metadata?: Record<string, string> | undefined
  /** The materials, instead of the recipe's; none is allowed. */
  items?: readonly CreateManufacturingOrderItem[] | undefined
  /** What is made. */
  item_variant_id?: string | number | undefined
  /** The recipe; by default the variant's newest, else the product's. */
  recipe_id?: string | number | undefined
  /** Instead of `item_variant_id`: the sku of an unarchived variant. */
  sku?: string | undefined
}

export type CreateManufacturingOrderItem = {
  /** The variant. */
  item_variant_id?: string | number | undefined
  /** Total need. */
  quantity: number
  /** Instead of `item_variant_id`: the sku of an unarchived variant. */
  sku?: string | undefined
}

export type CreateOperationBody = {
  /** What people call it. */
  title: string
  /** Its place in the technology; several may share one. Default: `0`. */
  position?: number | undefined
  /** In the tenant's currency. */
  cost_per_hour: number
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. Up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. Default: `{}`. */
  metadata?: Record<string, string> | undefined
  /** The unit that quantities count (`pcs`, `kg`). */
  unit_name?: string | null | undefined
}

export type CreatePackingBody = {
  /** Unique per tenant and kind; counted unless given (`SO-00001`). */
  number?: string | null | undefined
  /** When it happened: not in a closed period, nor ahead of the clock; now unless given. ISO-8601 timestamp (UTC without an offset) or date (the start of that day in the time zone of the tenant). */
  date?: string | undefined
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. Up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. Default: `{}`. */
  metadata?: Record<string, string> | undefined
  /** What is packed; all that is left unless given. */
  items?: readonly CreatePackingItem[] | undefined
}

export type CreatePackingItem = {
  /** The line of the sales order. */
  sales_order_item_id: string | number
  /** In the unit of the product. */
  quantity: number
  /** The batch; null where there is none. */
  batch_id?: string | number | null | undefined
}

export type CreateProductBody = {
  /** What people call it. */
  title: string
  /**
   * Its kind. Default: `PRODUCT`.
   *
   * - `PRODUCT`: made or bought, and sold
   * - `MATERIAL`: goes into what is made
   * - `SERVICE`: holds no stock: on orders it is counted without movements
   * - `KIT`: holds no stock: the components of its variants leave instead.
   */
  type?: "PRODUCT" | "MATERIAL" | "SERVICE" | "KIT" | undefined
  /** In words. */
  description?: string | null | undefined
  /** A group of your own. */
  category?: string | null | undefined
  /** Whether sales orders take it. Default: `true`. */
  is_sellable?: boolean | undefined
  /** Whether manufacturing orders make it; a PRODUCT is, unless said. */
  is_producible?: boolean | undefined
  /** Whether purchase orders take it; unless given true, of a KIT false. */
  is_purchasable?: boolean | undefined
  /** Whether its stock is kept by batch. Default: `false`. */
  batch_tracked?: boolean | undefined
  /** How long a batch lasts from its manufacture on. */
  shelf_life_days?: number | null | undefined
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. Up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. Default: `{}`. */
  metadata?: Record<string, string> | undefined
  /** The variants; or use the fields of a single one beside the product. */
  variants?: readonly CreateProductVariant[] | undefined
  /** The unit that quantities count (`pcs`, `kg`). Default: `pcs`. */
  unit_name?: string | undefined
  /** Stock keeping unit; unique among the tenant's unarchived variants. */
  sku?: string | null | undefined
  /** What scanners read: the first of `barcodes`; naming it replaces the first, null takes it out. */
  barcode?: string | null | undefined
  /** All that scanners read, as it was sent; none of them twice, a GTIN also not with other zeros before it. */
  barcodes?: readonly string[] | undefined
  /** Of the single variant, without tax, in the tenant's currency. */
  price?: number | null | undefined
  /** What a unit usually costs, in the tenant's currency. */
  purchase_price?: number | null | undefined
  /** What should always be there: see `GET /shortages`. */
  minimum_stock?: number | null | undefined
  /** Days until it is there once it is ordered or made; of what is bought, its preferred supplier's item comes first. */
  lead_time_days?: number | null | undefined
  /** Never less is ordered or made at once. */
  minimum_order_quantity?: number | null | undefined
  /** Only multiples of it are ordered or made. */
  order_multiple?: number | null | undefined
  /** Of a KIT, required there: what it is made of, each variant once; a change replaces all. */
  components?: readonly CreateProductComponent[] | undefined
}

export type CreateProductComponent = {
  /** The variant. */
  item_variant_id?: string | number | undefined
  /** In the unit of the product. */
  quantity: number
  /** Instead of `item_variant_id`: the sku of an unarchived variant. */
  sku?: string | undefined
}

export type CreateProductVariant = {
  /** What people call it. */
  title?: string | undefined
  /** Stock keeping unit; unique among the tenant's unarchived variants. */
  sku?: string | null | undefined
  /** What scanners read: the first of `barcodes`; naming it replaces the first, null takes it out. */
  barcode?: string | null | undefined
  /** All that scanners read, as it was sent; none of them twice, a GTIN also not with other zeros before it. */
  barcodes?: readonly string[] | undefined
  /** What a unit is sold for, without tax, in the tenant's currency. */
  price?: number | null | undefined
  /** What a unit usually costs, in the tenant's currency. */
  purchase_price?: number | null | undefined
  /** What should always be there: see `GET /shortages`. */
  minimum_stock?: number | null | undefined
  /** Days until it is there once it is ordered or made; of what is bought, its preferred supplier's item comes first. */
  lead_time_days?: number | null | undefined
  /** Never less is ordered or made at once. */
  minimum_order_quantity?: number | null | undefined
  /** Only multiples of it are ordered or made. */
  order_multiple?: number | null | undefined
  /** Of a KIT, required there: what it is made of, each variant once; a change replaces all. */
  components?: readonly CreateProductVariantComponent[] | undefined
  /** Names and values of your own. Default: `{}`. */
  attributes?: Record<string, string> | undefined
  /** Your own system's id of the variant, unique among the tenant's variants, archived ones too. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. Up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. Default: `{}`. */
  metadata?: Record<string, string> | undefined
}

export type CreateProductVariantComponent = {
  /** The variant. */
  item_variant_id?: string | number | undefined
  /** In the unit of the product. */
  quantity: number
  /** Instead of `item_variant_id`: the sku of an unarchived variant. */
  sku?: string | undefined
}

export type CreatePurchaseOrderBody = {
  /** Unique per tenant and kind; counted unless given (`SO-00001`). */
  number?: string | null | undefined
  /** ISO 4217 code. */
  currency?: string | undefined
  /** The tenant's currency per unit of the order's; required where these differ. */
  exchange_rate?: number | undefined
  /** When it happened: not in a closed period, nor ahead of the clock; now unless given. ISO-8601 timestamp (UTC without an offset) or date (the start of that day in the time zone of the tenant). */
  date?: string | undefined
  /** When the goods should arrive. ISO-8601 timestamp (UTC without an offset) or date (the start of that day in the time zone of the tenant). */
  expected_date?: string | null | undefined
  /** Where its open quantities are expected stock; by default the main place, null without places; an explicit null is stock without a place. */
  storage_place_id?: string | number | null | undefined
  /** Anything worth keeping. */
  notes?: string | null | undefined
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. Up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. Default: `{}`. */
  metadata?: Record<string, string> | undefined
  /** The lines. */
  items: readonly CreatePurchaseOrderItem[]
  /** The supplier. */
  supplier_id?: string | number | null | undefined
  /** The supplier; in a new order found by `external_ref`, else made. */
  supplier?: CreatePurchaseOrderSupplier | null | undefined
}

export type CreatePurchaseOrderItem = {
  /** The variant. */
  item_variant_id?: string | number | undefined
  /** The number of the batch. */
  batch_number?: string | null | undefined
  /** The last day of the batch; by default the manufacture date and the shelf life. */
  expiry_date?: string | null | undefined
  /** When the goods of the line should arrive; null: when those of the order should. ISO-8601 timestamp (UTC without an offset) or date (the start of that day in the time zone of the tenant). */
  expected_date?: string | null | undefined
  /** In the unit of the product; or `purchase_quantity`. */
  quantity?: number | undefined
  /** In purchase units, instead of `quantity`. */
  purchase_quantity?: number | undefined
  /** The purchase unit (`box of 12`); by default that of the supplier item, else null. */
  purchase_unit_name?: string | null | undefined
  /** How many stock units are in one purchase unit; by default that of the supplier item, else 1. */
  conversion_rate?: number | undefined
  /** Per unit, without tax, in the currency of the order; by default the supplier item's by its rate, else the purchase price of the variant, else 0. */
  price?: number | undefined
  /** Of one purchase unit, without tax, in the currency of the order; by default the supplier item's at its own rate, else the purchase price of the variant times the rate, else 0. */
  purchase_price?: number | undefined
  /** What the price is lowered by, in percent. Default: `0`. */
  discount_percent?: number | undefined
  /** Percent. Default: `0`. */
  tax_rate?: number | undefined
  /** Instead of `item_variant_id`: the sku of an unarchived variant. */
  sku?: string | undefined
}

export type CreatePurchaseOrderSupplier = {
  /** What people call it. */
  title: string
  /** ISO 3166-1 alpha-2 code. */
  country_code?: string | null | undefined
  /** Where to write to. */
  email?: string | null | undefined
  /** Where to call. */
  phone?: string | null | undefined
  /** For invoices (VAT identification number). */
  tax_number?: string | null | undefined
  /** ISO 4217 code. */
  currency?: string | null | undefined
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. Up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. Default: `{}`. */
  metadata?: Record<string, string> | undefined
  /** Where it is. An object with at least one of its fields. */
  address?: CreatePurchaseOrderSupplierAddress | null | undefined
}

export type CreatePurchaseOrderSupplierAddress = {
  /** Who receives what is sent there. */
  name?: string | null | undefined
  /** The company there. */
  company?: string | null | undefined
  /** First line of the address. */
  line_1?: string | null | undefined
  /** Second line of the address. */
  line_2?: string | null | undefined
  /** Town. */
  city?: string | null | undefined
  /** State or province. */
  region?: string | null | undefined
  /** Postal code. */
  zip?: string | null | undefined
  /** ISO 3166-1 alpha-2 code. */
  country_code?: string | null | undefined
  /** Where to call. */
  phone?: string | null | undefined
}

export type CreatePurchaseReceiptBody = {
  /** Unique per tenant and kind; counted unless given (`SO-00001`). */
  number?: string | null | undefined
  /** The place; null is stock without a place. */
  storage_place_id: string | number
  /** When the goods arrived; now unless given. ISO-8601 timestamp (UTC without an offset) or date (the start of that day in the time zone of the tenant). */
  received_date?: string | undefined
  /** Anything worth keeping. */
  notes?: string | null | undefined
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. Up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. Default: `{}`. */
  metadata?: Record<string, string> | undefined
  /** The tenant's currency per unit of the order's, at which the goods come in; by default the order's. */
  exchange_rate?: number | undefined
  /** What arrived; all that is outstanding unless given. */
  items?: readonly CreatePurchaseReceiptItem[] | undefined
}

export type CreatePurchaseReceiptItem = {
  /** The line of the purchase order. */
  purchase_order_item_id: string | number
  /** In the unit of the product; or `purchase_quantity`. */
  quantity?: number | undefined
  /** In purchase units, instead of `quantity`; only where the order line is in purchase units. */
  purchase_quantity?: number | undefined
  /** The number of the batch. */
  batch_number?: string | null | undefined
  /** When the batch was made. */
  manufacture_date?: string | null | undefined
  /** The last day of the batch; by default the manufacture date and the shelf life. */
  expiry_date?: string | null | undefined
  /** Whether it goes into quarantine, out of which nothing is picked. Default: `false`. */
  quarantine?: boolean | undefined
}

export type CreateRecipeBody = {
  /** The variant that it makes; or a product, for every variant without a recipe of its own. */
  item_variant_id?: string | number | null | undefined
  /** How many the materials and durations are for. Default: `1`. */
  output_quantity?: number | undefined
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. Up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. Default: `{}`. */
  metadata?: Record<string, string> | undefined
  /** What `output_quantity` of the output takes. */
  materials: readonly CreateRecipeMaterial[]
  /** The work that `output_quantity` of the output takes. Default: `[]`. */
  operations?: readonly CreateRecipeOperation[] | undefined
  /** The product whose variants it makes; or a single variant. */
  item_id?: string | number | null | undefined
}

export type CreateRecipeMaterial = {
  /** The variant. */
  item_variant_id?: string | number | undefined
  /** For `output_quantity` of the output. */
  quantity: number
  /** What is lost on the way: so much more is planned, in percent. Default: `0`. */
  scrap_percent?: number | undefined
  /** Anything worth keeping. */
  notes?: string | null | undefined
  /** Instead of `item_variant_id`: the sku of an unarchived variant. */
  sku?: string | undefined
}

export type CreateRecipeOperation = {
  /** The operation. */
  operation_id: string | number
  /**
   * The type of order that it is for; null serves both.
   *
   * - `MAKE_TO_STOCK`: for the stock
   * - `MAKE_TO_ORDER`: for a sales order.
   */
  operation_type?: "MAKE_TO_STOCK" | "MAKE_TO_ORDER" | null | undefined
  /** Its place in the technology; several may share one. */
  position?: number | undefined
  /** Hours for `output_quantity` of the output. */
  duration: number
  /** In the tenant's currency; by default the operation's. */
  cost_per_hour?: number | undefined
  /** Anything worth keeping. */
  notes?: string | null | undefined
}

export type CreateReservationBody = {
  /** Unique per tenant and kind; counted unless given (`SO-00001`). */
  number?: string | null | undefined
  /** Whom the goods are held for. */
  customer_id?: string | number | null | undefined
  /** When it ends by itself; later than now, at most 30 days ahead. ISO-8601 timestamp (UTC without an offset) or date (the start of that day in the time zone of the tenant). */
  expires_at: string
  /** Anything worth keeping. */
  notes?: string | null | undefined
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. Up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. Default: `{}`. */
  metadata?: Record<string, string> | undefined
  /** The lines. */
  items: readonly CreateReservationItem[]
}

export type CreateReservationItem = {
  /** The variant. */
  item_variant_id?: string | number | undefined
  /** Where the goods are held; null is stock without a place. */
  storage_place_id?: string | number | null | undefined
  /** In the unit of the product. */
  quantity: number
  /** Instead of `item_variant_id`: the sku of an unarchived variant. */
  sku?: string | undefined
}

export type CreateSalesOrderBillingAddress = {
  /** Who receives what is sent there. */
  name?: string | null | undefined
  /** The company there. */
  company?: string | null | undefined
  /** First line of the address. */
  line_1?: string | null | undefined
  /** Second line of the address. */
  line_2?: string | null | undefined
  /** Town. */
  city?: string | null | undefined
  /** State or province. */
  region?: string | null | undefined
  /** Postal code. */
  zip?: string | null | undefined
  /** ISO 3166-1 alpha-2 code. */
  country_code?: string | null | undefined
  /** Where to call. */
  phone?: string | null | undefined
}

export type CreateSalesOrderBody = {
  /** Unique per tenant and kind; counted unless given (`SO-00001`). */
  number?: string | null | undefined
  /** ISO 4217 code. */
  currency?: string | undefined
  /** The tenant's currency per unit of `currency`; 1 in the tenant's own. Kept for whoever books the order. */
  exchange_rate?: number | null | undefined
  /** Whether prices, discount amounts and charges have their tax in them. Default: `false`. */
  prices_include_tax?: boolean | undefined
  /**
   * Where taxes are rounded. Default: `LINE`.
   *
   * - `LINE`: on each line and charge
   * - `ORDER`: once for all lines and charges of one tax_rate.
   */
  tax_rounding?: "LINE" | "ORDER" | undefined
  /**
   * How taxes are rounded, in size. Default: `HALF_UP`.
   *
   * - `HALF_UP`: to the nearest, half up
   * - `DOWN`: down
   * - `UP`: up.
   */
  tax_rounding_mode?: "HALF_UP" | "DOWN" | "UP" | undefined
  /** For your own order of work; the service does nothing with it. Default: `0`. */
  priority?: number | undefined
  /** Anything worth keeping. */
  notes?: string | null | undefined
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. Up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. Default: `{}`. */
  metadata?: Record<string, string> | undefined
  /** False: refused with 409 where the lines exceed what is available. Default: `true`. */
  allow_backorder?: boolean | undefined
  /** When the customer ordered; not ahead of the clock. ISO-8601 timestamp (UTC without an offset) or date (the start of that day in the time zone of the tenant). */
  ordered_at?: string | null | undefined
  /** When the customer should have it. ISO-8601 timestamp (UTC without an offset) or date (the start of that day in the time zone of the tenant). */
  delivery_date?: string | null | undefined
  /** Where goods are sent to; by default the customer's, null for none. An object with at least one of its fields. */
  shipping_address?: CreateSalesOrderShippingAddress | null | undefined
  /** Where invoices are sent to; by default the customer's, null for none. An object with at least one of its fields. */
  billing_address?: CreateSalesOrderBillingAddress | null | undefined
  /** The lines. */
  items: readonly CreateSalesOrderItem[]
  /** What the order costs beside its goods; a change replaces all of them. Default: `[]`. */
  charges?: readonly CreateSalesOrderCharge[] | undefined
  /** What the order must come to with tax: another total is 409 `total_mismatch`. It is not kept. */
  expected_total_amount_with_tax?: number | null | undefined
  /** The customer. */
  customer_id?: string | number | null | undefined
  /** The customer; in a new order found by `external_ref`, else made. */
  customer?: CreateSalesOrderCustomer | null | undefined
  /** A reservation that the order takes: what it held counts as available to the order, what the order leaves is released. */
  reservation_id?: string | number | null | undefined
}

export type CreateSalesOrderCharge = {
  /** What it is for, such as shipping. */
  title: string
  /** Without tax; below 0 for a voucher. Only where prices are without tax, and required there. */
  amount?: number | undefined
  /** Percent; 0 unless given, or `taxes` instead. */
  tax_rate?: number | undefined
  /** Several taxes, or their amounts as the shop computed them, instead of `tax_rate`; not with tax_rounding ORDER. */
  taxes?: readonly CreateSalesOrderChargeTaxe[] | undefined
  /** With tax; below 0 for a voucher. Only where prices include tax, and required there. */
  amount_with_tax?: number | undefined
  /** Your own system's id of the charge; need not be unique. */
  external_ref?: string | null | undefined
}

export type CreateSalesOrderChargeTaxe = {
  /** What it is called. */
  title: string
  /** Percent. */
  rate: number
  /** The tax as the shop computed it, in the minor unit of the currency; given for all taxes of the entry or for none. */
  amount?: number | null | undefined
}

export type CreateSalesOrderCustomer = {
  /** What people call it. */
  title: string
  /** ISO 3166-1 alpha-2 code. */
  country_code?: string | null | undefined
  /** Where to write to. */
  email?: string | null | undefined
  /** Where to call. */
  phone?: string | null | undefined
  /** For invoices (VAT identification number). */
  tax_number?: string | null | undefined
  /** ISO 4217 code. */
  currency?: string | null | undefined
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. Up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. Default: `{}`. */
  metadata?: Record<string, string> | undefined
  /** Where goods are sent to. An object with at least one of its fields. */
  shipping_address?: CreateSalesOrderCustomerShippingAddress | null | undefined
  /** Where invoices are sent to. An object with at least one of its fields. */
  billing_address?: CreateSalesOrderCustomerBillingAddress | null | undefined
}

export type CreateSalesOrderCustomerBillingAddress = {
  /** Who receives what is sent there. */
  name?: string | null | undefined
  /** The company there. */
  company?: string | null | undefined
  /** First line of the address. */
  line_1?: string | null | undefined
  /** Second line of the address. */
  line_2?: string | null | undefined
  /** Town. */
  city?: string | null | undefined
  /** State or province. */
  region?: string | null | undefined
  /** Postal code. */
  zip?: string | null | undefined
  /** ISO 3166-1 alpha-2 code. */
  country_code?: string | null | undefined
  /** Where to call. */
  phone?: string | null | undefined
}

export type CreateSalesOrderCustomerShippingAddress = {
  /** Who receives what is sent there. */
  name?: string | null | undefined
  /** The company there. */
  company?: string | null | undefined
  /** First line of the address. */
  line_1?: string | null | undefined
  /** Second line of the address. */
  line_2?: string | null | undefined
  /** Town. */
  city?: string | null | undefined
  /** State or province. */
  region?: string | null | undefined
  /** Postal code. */
  zip?: string | null | undefined
  /** ISO 3166-1 alpha-2 code. */
  country_code?: string | null | undefined
  /** Where to call. */
  phone?: string | null | undefined
}

export type CreateSalesOrderItem = {
  /** The variant; a line without one has a `title` instead. */
  item_variant_id?: string | number | null | undefined
  /** Of a line without a variant: what it is for. */
  title?: string | undefined
  /** Where the line reserves and ships; null is stock without a place. */
  storage_place_id?: string | number | null | undefined
  /** In the unit of the product. */
  quantity: number
  /** Per unit, in the price mode and currency of the order; by default the variant's price, else 0. */
  price?: number | undefined
  /** What the price is lowered by, in percent. Default: `0`. */
  discount_percent?: number | undefined
  /** What is taken off the whole line after discount_percent, in the price mode of the order. Default: `0`. */
  discount_amount?: number | undefined
  /** Percent; 0 unless given, or `taxes` instead. */
  tax_rate?: number | undefined
  /** Several taxes, or their amounts as the shop computed them, instead of `tax_rate`; not with tax_rounding ORDER. */
  taxes?: readonly CreateSalesOrderItemTaxe[] | undefined
  /** Your own system's id of the line; need not be unique. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. Up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. Default: `{}`. */
  metadata?: Record<string, string> | undefined
  /** Instead of `item_variant_id`: the sku of an unarchived variant. */
  sku?: string | undefined
}

export type CreateSalesOrderItemTaxe = {
  /** What it is called. */
  title: string
  /** Percent. */
  rate: number
  /** The tax as the shop computed it, in the minor unit of the currency; given for all taxes of the entry or for none. */
  amount?: number | null | undefined
}

export type CreateSalesOrderShippingAddress = {
  /** Who receives what is sent there. */
  name?: string | null | undefined
  /** The company there. */
  company?: string | null | undefined
  /** First line of the address. */
  line_1?: string | null | undefined
  /** Second line of the address. */
  line_2?: string | null | undefined
  /** Town. */
  city?: string | null | undefined
  /** State or province. */
  region?: string | null | undefined
  /** Postal code. */
  zip?: string | null | undefined
  /** ISO 3166-1 alpha-2 code. */
  country_code?: string | null | undefined
  /** Where to call. */
  phone?: string | null | undefined
}

export type CreateSalesReturnBody = {
  /** Unique per tenant and kind; counted unless given (`SO-00001`). */
  number?: string | null | undefined
  /** The sales order. */
  sales_order_id: string | number
  /** Where the goods come back to; shown as the main place when not given. */
  storage_place_id?: string | number | null | undefined
  /** Reference in an external system; need not be unique. */
  external_return_ref?: string | null | undefined
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref?: string | null | undefined
  /** How to follow the parcel. */
  tracking_info?: string | null | undefined
  /** Anything worth keeping. */
  notes?: string | null | undefined
  /** Names and texts of your own. Up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. Default: `{}`. */
  metadata?: Record<string, string> | undefined
  /** What comes back; may be empty where charges are given. */
  items: readonly CreateSalesReturnItem[]
  /** Which charges of the order are refunded, each once. Default: `[]`. */
  charges?: readonly CreateSalesReturnCharge[] | undefined
}

export type CreateSalesReturnCharge = {
  /** The charge of the sales order. */
  sales_order_charge_id: string | number
  /** What is refunded, in the price mode of the order; all that is left unless given. */
  amount?: number | undefined
}

export type CreateSalesReturnItem = {
  /** The line of the sales order. */
  sales_order_item_id: string | number
  /** The batch; unless given those that left for the order line, the last one first, each at most what left of it. */
  batch_id?: string | number | null | undefined
  /** Where the goods come back to; null is stock without a place. */
  storage_place_id?: string | number | null | undefined
  /** Why, in words. */
  reason?: string | null | undefined
  /** More about the reason. */
  reason_note?: string | null | undefined
  /** A number of your own for the reason. */
  reason_id?: number | null | undefined
  /** How many pieces; 0 refunds `amount` for goods that stay or were never shipped. */
  quantity: number
  /** What is refunded per unit, in the price mode of the order; unless given the order line's price less its discounts, rounded to 6 decimals. */
  unit_price?: number | undefined
  /** What is refunded with quantity 0, in the price mode of the order. */
  amount?: number | null | undefined
  /** False: the pieces are paid back and do not come back. Default: `true`. */
  restock?: boolean | undefined
  /** Whether it goes into quarantine, out of which nothing is picked. Default: `false`. */
  quarantine?: boolean | undefined
  /** Of a kit's line: components of which less came back than the kits have, each once. */
  components?: readonly CreateSalesReturnItemComponent[] | undefined
}

export type CreateSalesReturnItemComponent = {
  /** The variant. */
  item_variant_id: string | number
  /** In the unit of the product. */
  quantity: number
}

export type CreateShipmentBody = {
  /** Unique per tenant and kind; counted unless given (`SO-00001`). */
  number?: string | null | undefined
  /** When it happened: not in a closed period, nor ahead of the clock; now unless given. ISO-8601 timestamp (UTC without an offset) or date (the start of that day in the time zone of the tenant). */
  date?: string | undefined
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. Up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. Default: `{}`. */
  metadata?: Record<string, string> | undefined
  /** Who carries the goods. */
  carrier?: string | null | undefined
  /** The carrier's number of the parcel. */
  tracking_number?: string | null | undefined
  /** Where to follow the parcel. */
  tracking_url?: string | null | undefined
  /** Anything worth keeping. */
  notes?: string | null | undefined
  /** What is shipped; all that is left unless given. */
  items?: readonly CreateShipmentItem[] | undefined
}

export type CreateShipmentItem = {
  /** The line of the sales order. */
  sales_order_item_id: string | number
  /** In the unit of the product. */
  quantity: number
  /** The batch; null where there is none. */
  batch_id?: string | number | null | undefined
  /** Where the goods leave; the order line's place unless given. Not of a line without stock. */
  storage_place_id?: string | number | null | undefined
  /** Of a kit's line: from which batches components leave; for those that are named together what leaves of each. Others are picked first-expired-first-out. */
  components?: readonly CreateShipmentItemComponent[] | undefined
}

export type CreateShipmentItemComponent = {
  /** The variant. */
  item_variant_id: string | number
  /** The batch; null where there is none. */
  batch_id: string | number
  /** In the unit of the product. */
  quantity: number
}

export type CreateStockAdjustmentBody = {
  /** Unique per tenant and kind; counted unless given (`SO-00001`). */
  number?: string | null | undefined
  /** The place, the main one unless given; null is stock without a place. */
  storage_place_id?: string | number | null | undefined
  /** When it happened: not in a closed period, nor ahead of the clock; now unless given. ISO-8601 timestamp (UTC without an offset) or date (the start of that day in the time zone of the tenant). */
  date?: string | undefined
  /**
   * Why the stock is corrected. Default: `CORRECTION`.
   *
   * - `CORRECTION`: the books were wrong
   * - `COUNT`: a count
   * - `DAMAGE`: broken goods
   * - `LOSS`: lost or stolen goods
   * - `EXPIRED`: goods beyond their date
   * - `INITIAL`: the first stock
   * - `OTHER`: anything else
   * - `REVALUATION`: the goods are worth less, or more again: lines with `value_change`
   */
  reason?: "CORRECTION" | "COUNT" | "DAMAGE" | "LOSS" | "EXPIRED" | "INITIAL" | "OTHER" | "REVALUATION" | undefined
  /** Anything worth keeping. */
  notes?: string | null | undefined
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. Up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. Default: `{}`. */
  metadata?: Record<string, string> | undefined
  /** The lines. */
  items: readonly CreateStockAdjustmentItem[]
}

export type CreateStockAdjustmentItem = {
  /** The variant. */
  item_variant_id?: string | number | undefined
  /** Signed, not 0; or say what was counted. */
  quantity?: number | null | undefined
  /** What was counted: the difference to the stock is posted; instead of `quantity`. */
  counted_quantity?: number | null | undefined
  /** The stock that you know: is it another now, the answer is 409 `stock_changed`. */
  expected_quantity?: number | null | undefined
  /** Instead of a quantity: what the stock of the variant at the place becomes worth more (or, negative, less), in the tenant's currency; with `reason` REVALUATION. */
  value_change?: number | null | undefined
  /** What a unit of an inflow cost, in the tenant's currency; by default the average cost, at an empty place the purchase price. */
  unit_cost?: number | undefined
  /** The batch; null where there is none. */
  batch_id?: string | number | null | undefined
  /** The number of the batch. */
  batch_number?: string | null | undefined
  /** When the batch was made. */
  manufacture_date?: string | null | undefined
  /** The last day of the batch; by default the manufacture date and the shelf life. */
  expiry_date?: string | null | undefined
  /** Instead of `item_variant_id`: the sku of an unarchived variant. */
  sku?: string | undefined
}

export type CreateStockCountBody = {
  /** Unique per tenant and kind; counted unless given (`SO-00001`). */
  number?: string | null | undefined
  /** What people call it. */
  title?: string | null | undefined
  /** The place, the main one unless given; null is stock without a place. */
  storage_place_id?: string | number | null | undefined
  /** Anything worth keeping. */
  notes?: string | null | undefined
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. Up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. Default: `{}`. */
  metadata?: Record<string, string> | undefined
  /** What is counted so far. Default: `[]`. */
  items?: readonly CreateStockCountItem[] | undefined
}

export type CreateStockCountItem = {
  /** The variant. */
  item_variant_id?: string | number | undefined
  /** The batch; null where there is none. */
  batch_id?: string | number | null | undefined
  /** The number of the batch; a number that is new makes a batch. */
  batch_number?: string | null | undefined
  /** When the batch was made. */
  manufacture_date?: string | null | undefined
  /** The last day of the batch; by default the manufacture date and the shelf life. */
  expiry_date?: string | null | undefined
  /** What is physically there, quarantined stock included. */
  counted_quantity: number
  /** Instead of `item_variant_id`: the sku of an unarchived variant. */
  sku?: string | undefined
}

export type CreateStockTransferBody = {
  /** Unique per tenant and kind; counted unless given (`SO-00001`). */
  number?: string | null | undefined
  /** Where the stock is taken from; null is stock without a place. */
  from_storage_place_id: string | number | null
  /** Where the stock goes; null is stock without a place. */
  to_storage_place_id: string | number | null
  /** When it happened: not in a closed period, nor ahead of the clock; now unless given. ISO-8601 timestamp (UTC without an offset) or date (the start of that day in the time zone of the tenant). */
  date?: string | undefined
  /** Anything worth keeping. */
  notes?: string | null | undefined
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. Up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. Default: `{}`. */
  metadata?: Record<string, string> | undefined
  /** The lines. */
  items: readonly CreateStockTransferItem[]
}

export type CreateStockTransferItem = {
  /** The variant. */
  item_variant_id?: string | number | undefined
  /** The batch; null where there is none. */
  batch_id?: string | number | null | undefined
  /** In the unit of the product. */
  quantity: number
  /** Whether it is taken out of quarantine. Default: `false`. */
  from_quarantine?: boolean | undefined
  /** Whether it goes into quarantine. Default: `false`. */
  to_quarantine?: boolean | undefined
  /** Instead of `item_variant_id`: the sku of an unarchived variant. */
  sku?: string | undefined
}

export type CreateStoragePlaceAddress = {
  /** The company there. */
  company?: string | null | undefined
  /** First line of the address. */
  line_1?: string | null | undefined
  /** Second line of the address. */
  line_2?: string | null | undefined
  /** Town. */
  city?: string | null | undefined
  /** State or province. */
  region?: string | null | undefined
  /** Postal code. */
  zip?: string | null | undefined
  /** ISO 3166-1 alpha-2 code. */
  country_code?: string | null | undefined
}

export type CreateStoragePlaceBody = {
  /** What people call it. */
  title: string
  /** A short name. */
  code?: string | null | undefined
  /** Whether manufacturing orders may use it. Default: `true`. */
  manufacturing_allowed?: boolean | undefined
  /** Whether sales orders may ship from it. Default: `true`. */
  sales_allowed?: boolean | undefined
  /** Whether receipts may go there. Default: `true`. */
  purchase_allowed?: boolean | undefined
  /** Where it is. */
  address?: CreateStoragePlaceAddress | null | undefined
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. Up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. Default: `{}`. */
  metadata?: Record<string, string> | undefined
}

export type CreateSupplierAddress = {
  /** Who receives what is sent there. */
  name?: string | null | undefined
  /** The company there. */
  company?: string | null | undefined
  /** First line of the address. */
  line_1?: string | null | undefined
  /** Second line of the address. */
  line_2?: string | null | undefined
  /** Town. */
  city?: string | null | undefined
  /** State or province. */
  region?: string | null | undefined
  /** Postal code. */
  zip?: string | null | undefined
  /** ISO 3166-1 alpha-2 code. */
  country_code?: string | null | undefined
  /** Where to call. */
  phone?: string | null | undefined
}

export type CreateSupplierBody = {
  /** What people call it. */
  title: string
  /** ISO 3166-1 alpha-2 code. */
  country_code?: string | null | undefined
  /** Where to write to. */
  email?: string | null | undefined
  /** Where to call. */
  phone?: string | null | undefined
  /** For invoices (VAT identification number). */
  tax_number?: string | null | undefined
  /** ISO 4217 code. */
  currency?: string | null | undefined
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. Up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. Default: `{}`. */
  metadata?: Record<string, string> | undefined
  /** Where it is. An object with at least one of its fields. */
  address?: CreateSupplierAddress | null | undefined
}

export type CreateSupplierItemBody = {
  /** The supplier. */
  supplier_id: string | number
  /** The variant. */
  item_variant_id?: string | number | undefined
  /** What the supplier calls the variant. */
  supplier_sku?: string | null | undefined
  /** The unit in which the supplier sells (`box of 12`). */
  purchase_unit_name?: string | null | undefined
  /** How many stock units are in one purchase unit. Default: `1`. */
  conversion_rate?: number | undefined
  /** Of one purchase unit, without tax; null: the purchase price of the variant counts. */
  price?: number | null | undefined
  /** Of the price, which counts in orders of this currency alone; null: in orders of any currency. */
  currency?: string | null | undefined
  /** The least that the supplier sells at once, in purchase units. */
  minimum_quantity?: number | null | undefined
  /** The supplier sells multiples of this, in purchase units. */
  multiple_of?: number | null | undefined
  /** Days from order to delivery. */
  lead_time_days?: number | null | undefined
  /** Whether the variant is bought so; true ends it for the other item of the variant that was preferred. Default: `false`. */
  is_preferred?: boolean | undefined
  /** Anything worth keeping. */
  notes?: string | null | undefined
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. Up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. Default: `{}`. */
  metadata?: Record<string, string> | undefined
  /** Instead of `item_variant_id`: the sku of an unarchived variant. */
  sku?: string | undefined
}

export type CreateWebhookSubscriptionBody = {
  /** Where events are sent to. */
  url: string
  /** What it is for. */
  description?: string | null | undefined
  /**
   * The kinds that are sent, or `["*"]` for all of them, also those that come later.
   *
   * - `product.created`: A product was created
   * - `product.updated`: A product or one of its variants was changed
   * - `storage_place.created`: A storage place was created
   * - `storage_place.updated`: A storage place was changed
   * - `supplier.created`: A supplier was created, also by a purchase order
   * - `supplier.updated`: A supplier was changed
   * - `customer.created`: A customer was created, also by a sales order
   * - `customer.updated`: A customer was changed
   * - `stock.changed`: Physical, quarantine, expired, reserved or expected quantity of a variant at a place changed: its levels over all batches
   * - `kit.changed`: Another number of a kit could be sold at a place, since its components or their stock changed. Published behind the `stock.changed` of the same write; `previous` is null where the kit had no row
   * - `batch.updated`: The number or a date of a batch changed, or it is good again because the time zone of its tenant changed
   * - `batch.expired`: The last day of a batch ended in the time zone of its tenant
   * - `stock_adjustment.created`: Stock was adjusted
   * - `stock_adjustment.updated`: What is noted of a stock adjustment changed
   * - `stock_adjustment.reversed`: A stock adjustment was reversed
   * - `stock_transfer.created`: Stock was transferred
   * - `stock_transfer.updated`: What is noted of a stock transfer changed
   * - `stock_transfer.reversed`: A stock transfer was reversed
   * - `stock_count.created`: A stock count began
   * - `stock_count.updated`: Something was counted, or what is noted of a stock count changed
   * - `stock_count.completed`: The differences of a stock count were booked
   * - `stock_count.cancelled`: A stock count was cancelled
   * - `operation.created`: An operation was created
   * - `operation.updated`: An operation was changed
   * - `recipe.created`: A recipe was created
   * - `recipe.updated`: A recipe was changed
   * - `manufacturing_order.created`: A manufacturing order was created
   * - `manufacturing_order.updated`: Fields, the quantity, the place or materials of a manufacturing order changed
   * - `manufacturing_order.started`: Materials were written off; work began
   * - `manufacturing_order.partially_done`: A part of the output came into stock
   * - `manufacturing_order.done`: A manufacturing order was completed
   * - `manufacturing_order.blocked`: A manufacturing order was blocked
   * - `manufacturing_order.unblocked`: A manufacturing order went on
   * - `manufacturing_order.deleted`: A manufacturing order was deleted; `data` is as it last was
   * - `supplier_item.created`: A supplier item was created
   * - `supplier_item.updated`: A supplier item was changed, or is preferred no more
   * - `purchase_order.created`: A purchase order was created
   * - `purchase_order.updated`: Fields or lines of a purchase order changed, or a receipt left it open
   * - `purchase_order.done`: A purchase order was received in full, closed, or lost what was outstanding
   * - `purchase_receipt.created`: Goods were received
   * - `purchase_receipt.updated`: What is noted of a receipt changed
   * - `purchase_receipt.reversed`: A receipt was reversed
   * - `landed_cost.created`: A landed cost was booked
   * - `landed_cost.updated`: What is noted of a landed cost changed
   * - `landed_cost.reversed`: A landed cost was reversed
   * - `reservation.created`: Goods are held
   * - `reservation.updated`: `expires_at`, notes, `external_ref` or metadata of a reservation changed
   * - `reservation.released`: A reservation was let go
   * - `reservation.expired`: The time of a reservation was over
   * - `reservation.consumed`: A sales order took a reservation
   * - `sales_order.created`: A sales order was created
   * - `sales_order.updated`: Fields, lines, charges, packing, or a part of the shipment changed
   * - `sales_order.shipped`: All of a sales order is shipped
   * - `sales_order.done`: A sales order was set done by hand
   * - `sales_order.cancelled`: A sales order was cancelled
   * - `sales_shipment.created`: Goods were shipped
   * - `sales_shipment.updated`: Carrier, tracking, notes, `external_ref` or metadata of a shipment changed
   * - `sales_shipment.reversed`: A shipment was reversed
   * - `sales_return.created`: A sales return was announced
   * - `sales_return.updated`: What is noted of a sales return changed
   * - `sales_return.returned`: Returned goods came back into stock
   * - `sales_return.cancelled`: A sales return was cancelled
   * - `webhook.test`: Asked for with the test endpoint; sent to the tested subscription only, and not in the event feed
   * - `*`: All kinds, also those that come later.
   */
  events: readonly ("product.created" | "product.updated" | "storage_place.created" | "storage_place.updated" | "supplier.created" | "supplier.updated" | "customer.created" | "customer.updated" | "stock.changed" | "kit.changed" | "batch.updated" | "batch.expired" | "stock_adjustment.created" | "stock_adjustment.updated" | "stock_adjustment.reversed" | "stock_transfer.created" | "stock_transfer.updated" | "stock_transfer.reversed" | "stock_count.created" | "stock_count.updated" | "stock_count.completed" | "stock_count.cancelled" | "operation.created" | "operation.updated" | "recipe.created" | "recipe.updated" | "manufacturing_order.created" | "manufacturing_order.updated" | "manufacturing_order.started" | "manufacturing_order.partially_done" | "manufacturing_order.done" | "manufacturing_order.blocked" | "manufacturing_order.unblocked" | "manufacturing_order.deleted" | "supplier_item.created" | "supplier_item.updated" | "purchase_order.created" | "purchase_order.updated" | "purchase_order.done" | "purchase_receipt.created" | "purchase_receipt.updated" | "purchase_receipt.reversed" | "landed_cost.created" | "landed_cost.updated" | "landed_cost.reversed" | "reservation.created" | "reservation.updated" | "reservation.released" | "reservation.expired" | "reservation.consumed" | "sales_order.created" | "sales_order.updated" | "sales_order.shipped" | "sales_order.done" | "sales_order.cancelled" | "sales_shipment.created" | "sales_shipment.updated" | "sales_shipment.reversed" | "sales_return.created" | "sales_return.updated" | "sales_return.returned" | "sales_return.cancelled" | "webhook.test" | "*")[]
  /** Whether anything is sent. Default: `true`. */
  enabled?: boolean | undefined
}

export type Customer = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** What people call it. */
  title: string
  /** ISO 3166-1 alpha-2 code. */
  country_code: string | null
  /** Where to write to. */
  email: string | null
  /** Where to call. */
  phone: string | null
  /** For invoices (VAT identification number). */
  tax_number: string | null
  /** ISO 4217 code. */
  currency: string | null
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref: string | null
  /** Names and texts of your own. */
  metadata: Record<string, string>
  /** Where goods are sent to. */
  shipping_address: CustomerShippingAddress | null
  /** Where invoices are sent to. */
  billing_address: CustomerBillingAddress | null
  /** The user named by the key that made it; null for a key issued without a name, and for what was before the service kept it. */
  created_by_user_name: string | null
  /** The user named by the key that last changed it, or else made it; null for a key issued without a name, and for what was before the service kept it. */
  updated_by_user_name: string | null
  /** Whether it is out of use: shown, but not for new documents. */
  archived: boolean
  /** When it was made. */
  created_at: string
  /** Moves with any change to its own fields and lines. */
  updated_at: string
}

export type CustomerBillingAddress = {
  /** Who receives what is sent there. */
  name: string | null
  /** The company there. */
  company: string | null
  /** First line of the address. */
  line_1: string | null
  /** Second line of the address. */
  line_2: string | null
  /** Town. */
  city: string | null
  /** State or province. */
  region: string | null
  /** Postal code. */
  zip: string | null
  /** ISO 3166-1 alpha-2 code. */
  country_code: string | null
  /** Where to call. */
  phone: string | null
}

export type CustomerShippingAddress = {
  /** Who receives what is sent there. */
  name: string | null
  /** The company there. */
  company: string | null
  /** First line of the address. */
  line_1: string | null
  /** Second line of the address. */
  line_2: string | null
  /** Town. */
  city: string | null
  /** State or province. */
  region: string | null
  /** Postal code. */
  zip: string | null
  /** ISO 3166-1 alpha-2 code. */
  country_code: string | null
  /** Where to call. */
  phone: string | null
}

export type DeliveryPromise = {
  /** The variant. */
  item_variant_id: string
  /** Where; null is stock without a place. */
  storage_place_id: string | null
  /** In the unit of the product. */
  quantity: number
  /** So many can be promised for today. */
  available_now: number
  /** The first UTC day for which the quantity can be promised; null: unknown. */
  promise_date: string | null
  /**
   * What the date rests on.
   *
   * - `STOCK`: enough is there
   * - `SUPPLY`: enough will be there on that day
   * - `LEAD_TIME`: ordered or made now, it is there on that day.
   */
  basis: "STOCK" | "SUPPLY" | "LEAD_TIME" | null
  /** Today and each later day on which something happens. */
  days: DeliveryPromiseDay[]
}

export type DeliveryPromiseDay = {
  /** A UTC day. */
  date: string
  /** So many can be promised for the day; nobody else then waits for them. */
  available_quantity: number
}

/** What happened, by kind; new kinds may come. */
export type Event = ProductCreatedEvent | ProductUpdatedEvent | StoragePlaceCreatedEvent | StoragePlaceUpdatedEvent | SupplierCreatedEvent | SupplierUpdatedEvent | CustomerCreatedEvent | CustomerUpdatedEvent | StockChangedEvent | KitChangedEvent | BatchUpdatedEvent | BatchExpiredEvent | StockAdjustmentCreatedEvent | StockAdjustmentUpdatedEvent | StockAdjustmentReversedEvent | StockTransferCreatedEvent | StockTransferUpdatedEvent | StockTransferReversedEvent | StockCountCreatedEvent | StockCountUpdatedEvent | StockCountCompletedEvent | StockCountCancelledEvent | OperationCreatedEvent | OperationUpdatedEvent | RecipeCreatedEvent | RecipeUpdatedEvent | ManufacturingOrderCreatedEvent | ManufacturingOrderUpdatedEvent | ManufacturingOrderStartedEvent | ManufacturingOrderPartiallyDoneEvent | ManufacturingOrderDoneEvent | ManufacturingOrderBlockedEvent | ManufacturingOrderUnblockedEvent | ManufacturingOrderDeletedEvent | SupplierItemCreatedEvent | SupplierItemUpdatedEvent | PurchaseOrderCreatedEvent | PurchaseOrderUpdatedEvent | PurchaseOrderDoneEvent | PurchaseReceiptCreatedEvent | PurchaseReceiptUpdatedEvent | PurchaseReceiptReversedEvent | LandedCostCreatedEvent | LandedCostUpdatedEvent | LandedCostReversedEvent | ReservationCreatedEvent | ReservationUpdatedEvent | ReservationReleasedEvent | ReservationExpiredEvent | ReservationConsumedEvent | SalesOrderCreatedEvent | SalesOrderUpdatedEvent | SalesOrderShippedEvent | SalesOrderDoneEvent | SalesOrderCancelledEvent | SalesShipmentCreatedEvent | SalesShipmentUpdatedEvent | SalesShipmentReversedEvent | SalesReturnCreatedEvent | SalesReturnUpdatedEvent | SalesReturnReturnedEvent | SalesReturnCancelledEvent

/** Who caused an event. */
export type EventActor = {
  /** The id of the API key. */
  key_id: string
  /** The user whom the key names; null for a key issued without a name. */
  user_name: string | null
  /** The `X-Request-Id` of the write; of a bulk's entry its own. */
  request_id: string
}

export type JournalEntry = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** The day of the books on which it counts. */
  day: string
  /** The date of the document, or of its reversal. */
  document_date: string
  /** When it was made. */
  created_at: string
  /**
   * The kind of the document.
   *
   * - `STOCK_ADJUSTMENT`: a stock adjustment
   * - `STOCK_TRANSFER`: a stock transfer
   * - `MANUFACTURING_ORDER`: a manufacturing order
   * - `PURCHASE_RECEIPT`: a receipt of a purchase order
   * - `LANDED_COST`: a landed cost
   * - `SALES_SHIPMENT`: a shipment of a sales order
   * - `SALES_RETURN`: a sales return
   * - `PRODUCT`: a product whose category changed.
   */
  source_type: "STOCK_ADJUSTMENT" | "STOCK_TRANSFER" | "MANUFACTURING_ORDER" | "PURCHASE_RECEIPT" | "LANDED_COST" | "SALES_SHIPMENT" | "SALES_RETURN" | "PRODUCT"
  /** The document. */
  source_id: string
  /** The number of the document. */
  source_number: string | null
  /** Of a stock adjustment. */
  reason: string | null
  /** ISO 4217 code. */
  currency: string
  /** One line for each account, place and variant, both sides netted; debits equal credits. */
  lines: JournalEntryLine[]
}

export type JournalEntryLine = {
  /**
   * - `INVENTORY`: the value of the stock
   * - `GOODS_RECEIVED_NOT_INVOICED`: what suppliers brought, until their invoice is booked
   * - `WORK_IN_PROGRESS`: the cost of manufacturing orders that is not posted yet
   * - `PRODUCTION_COSTS_ABSORBED`: operations of manufacturing orders
   * - `COST_OF_GOODS_SOLD`: what left to customers, less what came back
   * - `STOCK_ADJUSTMENT`: corrections, counts and write-downs
   * - `LANDED_COST_CLEARING`: freight, duty and the like, until their invoice is booked
   * - `LANDED_COST_EXPENSED`: the part of landed costs whose goods are gone
   * - `PRODUCTION_EXPENSED`: the cost of manufacturing orders that no stock took
   * - `VALUATION_DIFFERENCE`: what reversals moved otherwise than their documents.
   */
  account: "INVENTORY" | "GOODS_RECEIVED_NOT_INVOICED" | "WORK_IN_PROGRESS" | "PRODUCTION_COSTS_ABSORBED" | "COST_OF_GOODS_SOLD" | "STOCK_ADJUSTMENT" | "LANDED_COST_CLEARING" | "LANDED_COST_EXPENSED" | "PRODUCTION_EXPENSED" | "VALUATION_DIFFERENCE"
  /** The accountant's, that of the category where there is one. */
  account_code: string | null
  /** 0 where it credits. */
  debit: number
  /** 0 where it debits. */
  credit: number
  /** The place; null is stock without a place. */
  storage_place_id: string | null
  /** Null for VALUATION_DIFFERENCE. */
  item_variant_id: string | null
  /** As it was. */
  sku: string | null
  /** Of the product, as it was. */
  category: string | null
}

export type LandedCost = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** Unique per tenant and kind; counted unless given (`SO-00001`). */
  number: string
  /** The receipt. */
  purchase_receipt_id: string
  /** The purchase order. */
  purchase_order_id: string
  /** Where the goods lay; null is stock without a place. */
  storage_place_id: string | null
  /** ISO 4217 code. */
  currency: string
  /** The tenant's currency per unit of the landed cost's. */
  exchange_rate: number
  /** When it happened: not in a closed period, nor ahead of the clock; now unless given. */
  date: string
  /** Anything worth keeping. */
  notes: string | null
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref: string | null
  /** Names and texts of your own. */
  metadata: Record<string, string>
  /** The user named by the key that made it; null for a key issued without a name, and for what was before the service kept it. */
  created_by_user_name: string | null
  /** The user named by the key that last changed it, or else made it; null for a key issued without a name, and for what was before the service kept it. */
  updated_by_user_name: string | null
  /** When it was made. */
  created_at: string
  /** Moves with any change to its own fields and lines. */
  updated_at: string
  /** The date of its reversal; null: it is not reversed. */
  reversed_at: string | null
  /** Why it was reversed. */
  reversal_reason: string | null
  /** The user named by the key that reversed it; null for a key issued without a name. */
  reversed_by_user_name: string | null
  /** Sum of the costs in the tenant's currency. */
  total_amount: number
  /** What of it went into the value of the stock, in the tenant's currency. */
  stock_amount: number
  /** The rest, in the tenant's currency. */
  expensed_amount: number
  /** The costs, in the order sent. */
  items: LandedCostItem[]
  /** By line of the receipt that holds stock, in the tenant's currency. */
  allocations: LandedCostAllocation[]
}

export type LandedCostAllocation = {
  /** The line of the purchase receipt. */
  purchase_receipt_item_id: string
  /** The variant. */
  item_variant_id: string
  /** Stock keeping unit of the variant, which may have none. */
  sku: string | null
  /** What the line bears of all costs. */
  amount: number
  /** What of it went into the value of the stock. */
  stock_amount: number
  /** What of it did not: the goods are gone. */
  expensed_amount: number
}

export type LandedCostItem = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** What people call it. */
  title: string
  /** In the currency of the landed cost. */
  amount: number
  /**
   * How it is spread over the lines of the receipt.
   *
   * - `VALUE`: by the value at which the lines came in; by quantity where all values are 0
   * - `QUANTITY`: by the quantity of the lines.
   */
  distribution: "VALUE" | "QUANTITY"
}

export type LoggedRequest = {
  /** The place in the list; ids rise as requests are decided. */
  id: string
  /** What `X-Request-Id` answered; of an entry of a bulk with its place: `req_x.007`. */
  request_id: string
  /** The API key that sent it. */
  key_id: string
  /** The user whom the key named; null: the key was issued without a name. */
  user_name: string | null
  /** Of HTTP. */
  method: string | null
  /** Below the prefix of the interface. */
  path: string | null
  /** With which it was sent. */
  idempotency_key: string
  /**
   * How it ended.
   *
   * - `done`: it was done
   * - `refused`: it was refused, and nothing of it was done.
   */
  outcome: "done" | "refused"
  /** Of the answer. */
  status: number
  /** The code of a refusal. */
  error: string | null
  /** Why it was refused; null for a key without the scope of that endpoint. */
  message: string | null
  /** Of its first event; null: it told none. */
  first_sequence: number | null
  /** Of its last event. */
  last_sequence: number | null
  /** When it was decided. */
  created_at: string
}

export type ManufacturingOrder = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** Unique per tenant and kind; counted unless given (`SO-00001`). */
  number: string
  /**
   * What it is made for; MAKE_TO_ORDER where a sales order is given.
   *
   * - `MAKE_TO_STOCK`: for the stock
   * - `MAKE_TO_ORDER`: for a sales order.
   */
  type: "MAKE_TO_STOCK" | "MAKE_TO_ORDER"
  /**
   * Where the order stands.
   *
   * - `NOT_STARTED`: materials are reserved, output is expected
   * - `IN_PROGRESS`: materials are written off
   * - `BLOCKED`: stopped until it is unblocked
   * - `PARTIALLY_DONE`: a part of the output is in stock
   * - `DONE`: all output is in stock, all cost is posted.
   */
  status: "NOT_STARTED" | "IN_PROGRESS" | "BLOCKED" | "PARTIALLY_DONE" | "DONE"
  /** Why it is blocked. */
  block_reason: string | null
  /** For your own order of work; the service does nothing with it. */
  priority: number
  /** Planned. */
  quantity: number
  /** Good output: released and not quarantined. */
  actual_quantity: number
  /** All output received into stock so far. */
  released_quantity: number
  /** When it was made. */
  created_date: string
  /** When work should begin. */
  planned_start_date: string | null
  /** When work began. */
  started_at: string | null
  /** Of the last completion; null until DONE. */
  completed_at: string | null
  /** When the output is expected. */
  production_date: string | null
  /** When the output should leave. */
  shipping_date: string | null
  /** Of the last output, or as planned. */
  output_batch_number: string | null
  /** When the batch of the output was made. */
  output_manufacture_date: string | null
  /** The last day of the batch of the output. */
  output_expiry_date: string | null
  /** Where materials are taken and output arrives; by default the main place if it allows manufacturing. */
  manufacturing_location_id: string
  /** The sales order that it is made for. */
  sales_order_id: string | null
  /** The recipe. */
  recipe_id: string | null
  /** Anything worth keeping. */
  notes: string | null
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref: string | null
  /** Names and texts of your own. */
  metadata: Record<string, string>
  /** The user named by the key that made it; null for a key issued without a name, and for what was before the service kept it. */
  created_by_user_name: string | null
  /** The user named by the key that last changed it, or else made it; null for a key issued without a name, and for what was before the service kept it. */
  updated_by_user_name: string | null
  /** When it was made. */
  created_at: string
  /** Moves with any change to its own fields and lines. */
  updated_at: string
  /** What it costs so far; all 0 before the start. */
  actual_cost: ManufacturingOrderActualCost
  /** What is made. */
  item_variant: ManufacturingOrderItemVariant
  /** In the order sent, or of the recipe, added ones last; sku and title as of the order. */
  items: ManufacturingOrderItem[]
}

export type ManufacturingOrderActualCost = {
  /** ISO 4217 code. */
  currency: string
  /** What left the stock for it, each at the moving average of its moment, less what came back. */
  materials_cost: number
  /** By planned durations, or by actual ones as far as they are reported. */
  operations_cost: number
  /** Materials + operations = posted + work in progress. */
  total_cost: number
  /** Gone with the output, or expensed at the end without stock to carry it. */
  posted_cost: number
  /** Work in progress; 0 when DONE. */
  wip_cost: number
  /** Posted cost per released unit; null before output. */
  unit_cost: number | null
  /** True when DONE: nothing more will be posted. */
  is_final: boolean
}

export type ManufacturingOrderItem = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** The product. */
  item_id: string
  /** The variant. */
  item_variant_id: string
  /** Stock keeping unit of the variant, which may have none. */
  sku: string | null
  /** What people call it. */
  title: string
  /** Total need. */
  quantity: number
  /** Of the recipe as the order took it, with scrap, rounded; null where a caller gave or changed the quantity. Needs are computed from the recipe, not from this. */
  quantity_per_unit: number | null
  /** Written off so far, less what came back. */
  actual_quantity: number
}

export type ManufacturingOrderItemVariant = {
  /** The variant. */
  id: string
  /** The product. */
  item_id: string
  /** The title of the product. */
  item_title: string
  /** Stock keeping unit of the variant, which may have none. */
  sku: string | null
  /** What people call it. */
  title: string
}

export type Me = {
  /** The tenant. */
  tenant_id: string
  /** The name of the tenant. */
  tenant_name: string
  /** Of costs and stock values (ISO 4217). */
  currency: string
  /** A name of the IANA base: a day of the tenant is a day there. */
  time_zone: string
  /** The last day of the closed accounting period. */
  closed_through: string | null
  /**
   * The tenant's plan.
   *
   * - `free`: a limited number of unarchived variants
   * - `pro`: any number of variants.
   */
  plan: "free" | "pro"
  /** The key. */
  key_id: string
  /** The name of the key. */
  key_name: string
  /** Who is named where a document says by whom. */
  user_name: string
  /** What the key may do. */
  scopes: string[]
  /** When the key stops being valid; null: never. */
  expires_at: string | null
  /** How often it may ask. */
  rate: MeRate
  /** How many documents it may make today. */
  documents: MeDocuments
}

export type MeDocuments = {
  /** Documents a day. */
  limit: number
  /** Of them today, also by keys that this one was rotated from or to. */
  spent: number
  /** The next midnight, UTC. */
  resets_at: string
}

export type MeRate = {
  /** Requests. */
  per_minute: number
  /** Requests that may come at once. */
  burst: number
}

export type MoveMaterialsBody = {
  /** When it happened: not in a closed period, nor ahead of the clock; now unless given. ISO-8601 timestamp (UTC without an offset) or date (the start of that day in the time zone of the tenant). */
  date?: string | undefined
  /** What is issued and what comes back, in this order. */
  items: readonly MoveMaterialsItem[]
}

export type MoveMaterialsItem = {
  /** The variant. */
  item_variant_id?: string | number | undefined
  /** Signed, not 0: above 0 more is issued, below 0 goods come back. */
  quantity: number
  /** The batch that is issued, or into which goods come back; by default as the description says. */
  batch_id?: string | number | null | undefined
  /** Instead of `item_variant_id`: the sku of an unarchived variant. */
  sku?: string | undefined
}

export type NewApiKey = {
  /** The key. */
  id: string
  /** What the key is for. */
  name: string
  /** Whom its changes name; null: the key was issued without a name. */
  user_name: string | null
  /** What the key may do. */
  scopes: string[]
  /** How often it may ask. */
  rate: NewApiKeyRate
  /** Documents that it may make in a UTC day. */
  daily_documents: number
  /**
   * Whether the key is taken.
   *
   * - `valid`: it is
   * - `expired`: its time is over
   * - `revoked`: it was ended for good.
   */
  status: "valid" | "expired" | "revoked"
  /** When it was issued. */
  created_at: string
  /** The second of its last request, also a refused one; null: none in 90 days. */
  last_used_at: string | null
  /** When it stops being valid; null: never. */
  expires_at: string | null
  /** When it was revoked; null: it is not revoked. */
  revoked_at: string | null
  /** What requests carry; it is shown this once, and stored nowhere. */
  token: string
}

export type NewApiKeyRate = {
  /** Requests. */
  per_minute: number
  /** Requests that may come at once. */
  burst: number
}

export type Operation = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** What people call it. */
  title: string
  /** Its place in the technology; several may share one. */
  position: number
  /** In the tenant's currency. */
  cost_per_hour: number
  /** The unit. */
  unit_id: string | null
  /** The unit that quantities count (`pcs`, `kg`). */
  unit_name: string | null
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref: string | null
  /** Names and texts of your own. */
  metadata: Record<string, string>
  /** The user named by the key that made it; null for a key issued without a name, and for what was before the service kept it. */
  created_by_user_name: string | null
  /** The user named by the key that last changed it, or else made it; null for a key issued without a name, and for what was before the service kept it. */
  updated_by_user_name: string | null
  /** When it was made. */
  created_at: string
  /** Moves with any change to its own fields and lines. */
  updated_at: string
}

export type Product = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** What people call it. */
  title: string
  /**
   * Its kind.
   *
   * - `PRODUCT`: made or bought, and sold
   * - `MATERIAL`: goes into what is made
   * - `SERVICE`: holds no stock: on orders it is counted without movements
   * - `KIT`: holds no stock: the components of its variants leave instead.
   */
  type: "PRODUCT" | "MATERIAL" | "SERVICE" | "KIT"
  /** In words. */
  description: string | null
  /** A group of your own. */
  category: string | null
  /** The unit. */
  unit_id: string
  /** The unit that quantities count (`pcs`, `kg`). */
  unit_name: string
  /** Whether sales orders take it. */
  is_sellable: boolean
  /** Whether manufacturing orders make it; a PRODUCT is, unless said. */
  is_producible: boolean
  /** Whether purchase orders take it. */
  is_purchasable: boolean
  /** Whether its stock is kept by batch. */
  batch_tracked: boolean
  /** How long a batch lasts from its manufacture on. */
  shelf_life_days: number | null
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref: string | null
  /** Names and texts of your own. */
  metadata: Record<string, string>
  /** The user named by the key that made it; null for a key issued without a name, and for what was before the service kept it. */
  created_by_user_name: string | null
  /** The user named by the key that last changed it, or else made it; null for a key issued without a name, and for what was before the service kept it. */
  updated_by_user_name: string | null
  /** Whether it is out of use: shown, but not for new documents. */
  archived: boolean
  /** When it was made. */
  created_at: string
  /** Moves with any change to the product or to its variants. */
  updated_at: string
  /** Archived ones included, in the order in which they were made. */
  variants: ProductVariant[]
}

export type ProductVariant = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** The product. */
  item_id: string
  /** What people call it. */
  title: string
  /** Stock keeping unit; unique among the tenant's unarchived variants. */
  sku: string | null
  /** What scanners read: the first of `barcodes`; naming it replaces the first, null takes it out. */
  barcode: string | null
  /** All that scanners read, as it was sent; none of them twice, a GTIN also not with other zeros before it. */
  barcodes: string[]
  /** What a unit is sold for, without tax, in the tenant's currency. */
  price: number | null
  /** What a unit usually costs, in the tenant's currency. */
  purchase_price: number | null
  /** What should always be there: see `GET /shortages`. */
  minimum_stock: number | null
  /** Days until it is there once it is ordered or made; of what is bought, its preferred supplier's item comes first. */
  lead_time_days: number | null
  /** Never less is ordered or made at once. */
  minimum_order_quantity: number | null
  /** Only multiples of it are ordered or made. */
  order_multiple: number | null
  /** What a kit is made of, in the order sent; [] where it is no kit. */
  components: ProductVariantComponent[]
  /** Names and values of your own. */
  attributes: Record<string, string>
  /** Your own system's id of the variant, unique among the tenant's variants, archived ones too. */
  external_ref: string | null
  /** Names and texts of your own. */
  metadata: Record<string, string>
  /** The variant's own flag; a variant of an archived product is archived in effect. */
  archived: boolean
  /** When it was made. */
  created_at: string
  /** Moves with any change to its own fields and lines. */
  updated_at: string
}

export type ProductVariantComponent = {
  /** The variant. */
  item_variant_id: string
  /** The product. */
  item_id: string
  /** Stock keeping unit of the variant, which may have none. */
  sku: string | null
  /** What people call it. */
  title: string
  /** How many are in one kit. */
  quantity: number
}

export type ProductionTask = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** The manufacturing order. */
  manufacturing_order_id: string
  /** The operation. */
  operation_id: string
  /** The title of the operation. */
  operation_title: string
  /** Its place in the technology; several may share one. */
  position: number
  /**
   * Follows the order's.
   *
   * - `NOT_STARTED`: the order is not started
   * - `IN_PROGRESS`: the order is started
   * - `BLOCKED`: the order is blocked
   * - `DONE`: the order is done.
   */
  status: "NOT_STARTED" | "IN_PROGRESS" | "BLOCKED" | "DONE"
  /** Hours. */
  planned_duration: number
  /** Hours; null until reported. */
  actual_duration: number | null
  /** In the tenant's currency. */
  cost_per_hour: number
  /** Planned duration * cost per hour. */
  planned_cost: number
  /** Of the actual duration; null until reported. */
  actual_cost: number | null
  /** The unit. */
  unit_id: string | null
  /** The unit that quantities count (`pcs`, `kg`). */
  unit_name: string | null
  /** Anything worth keeping. */
  notes: string | null
  /** When work began. */
  started_at: string | null
  /** When it was done. */
  completed_at: string | null
}

export type Projection = {
  /** The variant. */
  item_variant_id: string
  /** Where; null is stock without a place. */
  storage_place_id: string | null
  /** What is physically there, neither quarantined nor expired today. */
  quantity: number
  /** The variant's; it counts at the main place. */
  minimum_stock: number | null
  /** Today and each later day on which something happens. */
  days: ProjectionDay[]
  /** What is expected without a date: no day counts it. */
  undated_supply: ProjectionSource[]
  /** The first day that ends below 0. */
  first_short_date: string | null
  /** The first day that ends below the minimum stock, or below 0 where no minimum counts. */
  first_below_minimum_date: string | null
}

export type ProjectionDay = {
  /** A UTC day. */
  date: string
  /** What comes on the day. */
  supply_quantity: number
  /** What goes on the day. */
  demand_quantity: number
  /** What is there at the end of the day; may be below 0. */
  projected_quantity: number
  /** Which documents bring and take it, by their dates. */
  sources: ProjectionSource[]
}

export type ProjectionSource = {
  /**
   * The kind of the document.
   *
   * - `SALES_ORDER`: a sales order takes it
   * - `RESERVATION`: a hold takes it, without a date
   * - `MANUFACTURING_ORDER`: a manufacturing order makes it, or needs it where the quantity is below 0
   * - `PURCHASE_ORDER`: a purchase order brings it.
   */
  source_type: "SALES_ORDER" | "RESERVATION" | "MANUFACTURING_ORDER" | "PURCHASE_ORDER"
  /** The document. */
  source_id: string
  /** Unique per tenant and kind; counted unless given (`SO-00001`). */
  number: string
  /** Above 0 the document brings it, below 0 it takes it. */
  quantity: number
  /** The UTC day for which the document says it. */
  due_date: string | null
}

export type PurchaseOrder = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** Unique per tenant and kind; counted unless given (`SO-00001`). */
  number: string
  /**
   * Whether more may be received.
   *
   * - `OPEN`: takes receipts
   * - `DONE`: received in full, or closed: takes no more receipts.
   */
  status: "OPEN" | "DONE"
  /**
   * How much was received.
   *
   * - `NOT_RECEIVED`: nothing is received
   * - `PARTIALLY_RECEIVED`: some is received
   * - `RECEIVED`: all is received.
   */
  delivery_status: "NOT_RECEIVED" | "PARTIALLY_RECEIVED" | "RECEIVED"
  /** ISO 4217 code. */
  currency: string
  /** The tenant's currency per unit of the order's. */
  exchange_rate: number
  /** When it happened: not in a closed period, nor ahead of the clock; now unless given. */
  date: string
  /** When the goods should arrive. */
  expected_date: string | null
  /** Where its open quantities are expected stock; null is stock without a place. */
  storage_place_id: string | null
  /** When all was received, or the order closed. */
  completed_at: string | null
  /** Anything worth keeping. */
  notes: string | null
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref: string | null
  /** Names and texts of your own. */
  metadata: Record<string, string>
  /** The user named by the key that made it; null for a key issued without a name, and for what was before the service kept it. */
  created_by_user_name: string | null
  /** The user named by the key that last changed it, or else made it; null for a key issued without a name, and for what was before the service kept it. */
  updated_by_user_name: string | null
  /** Why the order was closed short. */
  close_reason: string | null
  /** When it was made. */
  created_at: string
  /** Moves with any change to its own fields and lines. */
  updated_at: string
  /** The supplier. */
  supplier: PurchaseOrderSupplier
  /** Sum of the line amounts. */
  total_amount: number
  /** Sum of the line tax amounts. */
  tax_amount: number
  /** `total_amount` and `tax_amount` together. */
  total_amount_with_tax: number
  /** In the order sent, added ones last; sku and title as of the order. */
  items: PurchaseOrderItem[]
}

export type PurchaseOrderItem = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** The product. */
  item_id: string
  /** The variant. */
  item_variant_id: string
  /** Stock keeping unit of the variant, which may have none. */
  sku: string | null
  /** What the supplier calls the variant, as of its supplier item. */
  supplier_sku: string | null
  /** What people call it. */
  title: string
  /** The number of the batch. */
  batch_number: string | null
  /** The last day of the batch; by default the manufacture date and the shelf life. */
  expiry_date: string | null
  /** When the goods of the line should arrive; null: when those of the order should. */
  expected_date: string | null
  /** In the unit of the product. */
  quantity: number
  /** In purchase units; null in a line in stock units. */
  purchase_quantity: number | null
  /** The purchase unit (`box of 12`). */
  purchase_unit_name: string | null
  /** How many stock units are in one purchase unit; 1 in a line in stock units. */
  conversion_rate: number
  /** What of it was received. */
  received_quantity: number
  /** Per unit, without tax, in the currency of the document. */
  price: number
  /** Of one purchase unit, without tax, in the currency of the document; null in a line in stock units. */
  purchase_price: number | null
  /** What the price is lowered by, in percent. */
  discount_percent: number
  /** Percent. */
  tax_rate: number
  /** Quantity * price * (100 - discount_percent) / 100, or purchase_quantity * purchase_price instead, rounded half up to the minor unit of the currency. */
  line_amount: number
  /** From the rounded line_amount. */
  line_tax_amount: number
  /** `line_amount` and `line_tax_amount` together. */
  line_amount_with_tax: number
}

export type PurchaseOrderSupplier = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** What people call it. */
  title: string
  /** ISO 3166-1 alpha-2 code. */
  country_code: string | null
}

export type PurchaseReceipt = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** Unique per tenant and kind; counted unless given (`SO-00001`). */
  number: string
  /** The purchase order. */
  purchase_order_id: string
  /** The place; null is stock without a place. */
  storage_place_id: string
  /** When the goods arrived; now unless given. */
  received_date: string
  /** When it was made. */
  created_at: string
  /** Moves with any change to its own fields and lines. */
  updated_at: string
  /** The date of its reversal; null: it is not reversed. */
  reversed_at: string | null
  /** Why it was reversed. */
  reversal_reason: string | null
  /** The user named by the key that reversed it; null for a key issued without a name. */
  reversed_by_user_name: string | null
  /** Anything worth keeping. */
  notes: string | null
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref: string | null
  /** Names and texts of your own. */
  metadata: Record<string, string>
  /** The user named by the key that made it; null for a key issued without a name, and for what was before the service kept it. */
  created_by_user_name: string | null
  /** The user named by the key that last changed it, or else made it; null for a key issued without a name, and for what was before the service kept it. */
  updated_by_user_name: string | null
  /** The order's. */
  currency: string
  /** The tenant's currency per unit of the receipt's, at which the goods came in. */
  exchange_rate: number
  /** Sum of the line amounts. */
  total_amount: number
  /** The tax on them, each rounded, by the tax rates of the order's lines. */
  tax_amount: number
  /** `total_amount` and `tax_amount` together. */
  total_amount_with_tax: number
  /** What it brought into the value of the stock, in the tenant's currency. */
  stock_amount: number
  /** In the order sent. */
  items: PurchaseReceiptItem[]
}

export type PurchaseReceiptItem = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** The line of the purchase order. */
  purchase_order_item_id: string
  /** The product. */
  item_id: string
  /** The variant. */
  item_variant_id: string
  /** Stock keeping unit of the variant, which may have none. */
  sku: string | null
  /** What people call it. */
  title: string
  /** In the unit of the product. */
  quantity: number
  /** In purchase units; null where the order line is in stock units, or so many purchase units have more than 6 decimals. */
  purchase_quantity: number | null
  /** The order line's. */
  purchase_unit_name: string | null
  /** The order line's: how many stock units are in one purchase unit. */
  conversion_rate: number
  /** The batch; null where there is none. */
  batch_id: string | null
  /** The number of the batch. */
  batch_number: string | null
  /** When the batch was made. */
  manufacture_date: string | null
  /** The last day of the batch; by default the manufacture date and the shelf life. */
  expiry_date: string | null
  /** The order line's, in the order's currency. */
  price: number
  /** The order line's, of one purchase unit; null where the line is in stock units. */
  purchase_price: number | null
  /** The order line's, in percent. */
  discount_percent: number
  /** Quantity times the discounted price (of purchase units theirs), rounded half up to the minor unit, without tax. */
  line_amount: number
  /** Whether it goes into quarantine, out of which nothing is picked. */
  quarantine: boolean
}

export type PutCustomerByRefBillingAddress = {
  /** Who receives what is sent there. */
  name?: string | null | undefined
  /** The company there. */
  company?: string | null | undefined
  /** First line of the address. */
  line_1?: string | null | undefined
  /** Second line of the address. */
  line_2?: string | null | undefined
  /** Town. */
  city?: string | null | undefined
  /** State or province. */
  region?: string | null | undefined
  /** Postal code. */
  zip?: string | null | undefined
  /** ISO 3166-1 alpha-2 code. */
  country_code?: string | null | undefined
  /** Where to call. */
  phone?: string | null | undefined
}

export type PutCustomerByRefBody = {
  /** What people call it. */
  title?: string | undefined
  /** ISO 3166-1 alpha-2 code. */
  country_code?: string | null | undefined
  /** Where to write to. */
  email?: string | null | undefined
  /** Where to call. */
  phone?: string | null | undefined
  /** For invoices (VAT identification number). */
  tax_number?: string | null | undefined
  /** ISO 4217 code. */
  currency?: string | null | undefined
  /** Names and texts of your own. A name that is null goes, names that are left out stay; afterwards up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. */
  metadata?: Record<string, string | null> | undefined
  /** Where goods are sent to. An object with at least one of its fields. */
  shipping_address?: PutCustomerByRefShippingAddress | null | undefined
  /** Where invoices are sent to. An object with at least one of its fields. */
  billing_address?: PutCustomerByRefBillingAddress | null | undefined
  /** Whether it is out of use: shown, but not for new documents. */
  archived?: boolean | undefined
}

export type PutCustomerByRefShippingAddress = {
  /** Who receives what is sent there. */
  name?: string | null | undefined
  /** The company there. */
  company?: string | null | undefined
  /** First line of the address. */
  line_1?: string | null | undefined
  /** Second line of the address. */
  line_2?: string | null | undefined
  /** Town. */
  city?: string | null | undefined
  /** State or province. */
  region?: string | null | undefined
  /** Postal code. */
  zip?: string | null | undefined
  /** ISO 3166-1 alpha-2 code. */
  country_code?: string | null | undefined
  /** Where to call. */
  phone?: string | null | undefined
}

export type PutProductByRefBody = {
  /** What people call it. */
  title?: string | undefined
  /**
   * Its kind.
   *
   * - `PRODUCT`: made or bought, and sold
   * - `MATERIAL`: goes into what is made
   * - `SERVICE`: holds no stock: on orders it is counted without movements
   * - `KIT`: holds no stock: the components of its variants leave instead.
   */
  type?: "PRODUCT" | "MATERIAL" | "SERVICE" | "KIT" | undefined
  /** In words. */
  description?: string | null | undefined
  /** A group of your own. */
  category?: string | null | undefined
  /** Whether sales orders take it. */
  is_sellable?: boolean | undefined
  /** Whether manufacturing orders make it; a PRODUCT is, unless said. */
  is_producible?: boolean | undefined
  /** Whether purchase orders take it. */
  is_purchasable?: boolean | undefined
  /** Whether its stock is kept by batch. */
  batch_tracked?: boolean | undefined
  /** How long a batch lasts from its manufacture on. */
  shelf_life_days?: number | null | undefined
  /** Names and texts of your own. A name that is null goes, names that are left out stay; afterwards up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. */
  metadata?: Record<string, string | null> | undefined
  /** Whether it is out of use: shown, but not for new documents. */
  archived?: boolean | undefined
  /** Variants by `external_ref`, else `sku`, else title; one that is not found is added, others stay. */
  variants?: readonly PutProductByRefVariant[] | undefined
  /** The unit that quantities count (`pcs`, `kg`). */
  unit_name?: string | undefined
  /** Stock keeping unit; unique among the tenant's unarchived variants. */
  sku?: string | null | undefined
  /** What scanners read: the first of `barcodes`; naming it replaces the first, null takes it out. */
  barcode?: string | null | undefined
  /** All that scanners read, as it was sent; none of them twice, a GTIN also not with other zeros before it. */
  barcodes?: readonly string[] | undefined
  /** Of the single variant, without tax, in the tenant's currency. */
  price?: number | null | undefined
  /** What a unit usually costs, in the tenant's currency. */
  purchase_price?: number | null | undefined
  /** What should always be there: see `GET /shortages`. */
  minimum_stock?: number | null | undefined
  /** Days until it is there once it is ordered or made; of what is bought, its preferred supplier's item comes first. */
  lead_time_days?: number | null | undefined
  /** Never less is ordered or made at once. */
  minimum_order_quantity?: number | null | undefined
  /** Only multiples of it are ordered or made. */
  order_multiple?: number | null | undefined
  /** Of a KIT, required there: what it is made of, each variant once; a change replaces all. */
  components?: readonly PutProductByRefComponent[] | undefined
}

export type PutProductByRefComponent = {
  /** The variant. */
  item_variant_id?: string | number | undefined
  /** In the unit of the product. */
  quantity: number
  /** Instead of `item_variant_id`: the sku of an unarchived variant. */
  sku?: string | undefined
}

export type PutProductByRefVariant = {
  /** What people call it. */
  title?: string | undefined
  /** Stock keeping unit; unique among the tenant's unarchived variants. */
  sku?: string | null | undefined
  /** What scanners read: the first of `barcodes`; naming it replaces the first, null takes it out. */
  barcode?: string | null | undefined
  /** All that scanners read, as it was sent; none of them twice, a GTIN also not with other zeros before it. */
  barcodes?: readonly string[] | undefined
  /** What a unit is sold for, without tax, in the tenant's currency. */
  price?: number | null | undefined
  /** What a unit usually costs, in the tenant's currency. */
  purchase_price?: number | null | undefined
  /** What should always be there: see `GET /shortages`. */
  minimum_stock?: number | null | undefined
  /** Days until it is there once it is ordered or made; of what is bought, its preferred supplier's item comes first. */
  lead_time_days?: number | null | undefined
  /** Never less is ordered or made at once. */
  minimum_order_quantity?: number | null | undefined
  /** Only multiples of it are ordered or made. */
  order_multiple?: number | null | undefined
  /** Of a KIT, required there: what it is made of, each variant once; a change replaces all. */
  components?: readonly PutProductByRefVariantComponent[] | undefined
  /** Names and values of your own. */
  attributes?: Record<string, string> | undefined
  /** Your own system's id of the variant, unique among the tenant's variants, archived ones too. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. A name that is null goes, names that are left out stay; afterwards up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. */
  metadata?: Record<string, string | null> | undefined
  /** The variant's own flag; a variant of an archived product is archived in effect. */
  archived?: boolean | undefined
}

export type PutProductByRefVariantComponent = {
  /** The variant. */
  item_variant_id?: string | number | undefined
  /** In the unit of the product. */
  quantity: number
  /** Instead of `item_variant_id`: the sku of an unarchived variant. */
  sku?: string | undefined
}

export type PutStoragePlaceByRefAddress = {
  /** The company there. */
  company?: string | null | undefined
  /** First line of the address. */
  line_1?: string | null | undefined
  /** Second line of the address. */
  line_2?: string | null | undefined
  /** Town. */
  city?: string | null | undefined
  /** State or province. */
  region?: string | null | undefined
  /** Postal code. */
  zip?: string | null | undefined
  /** ISO 3166-1 alpha-2 code. */
  country_code?: string | null | undefined
}

export type PutStoragePlaceByRefBody = {
  /** What people call it. */
  title?: string | undefined
  /** A short name. */
  code?: string | null | undefined
  /** Whether manufacturing orders may use it. */
  manufacturing_allowed?: boolean | undefined
  /** Whether sales orders may ship from it. */
  sales_allowed?: boolean | undefined
  /** Whether receipts may go there. */
  purchase_allowed?: boolean | undefined
  /** Where it is. */
  address?: PutStoragePlaceByRefAddress | null | undefined
  /** Names and texts of your own. A name that is null goes, names that are left out stay; afterwards up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. */
  metadata?: Record<string, string | null> | undefined
  /** Whether it is out of use: shown, but not for new documents. */
  archived?: boolean | undefined
}

export type PutSupplierByRefAddress = {
  /** Who receives what is sent there. */
  name?: string | null | undefined
  /** The company there. */
  company?: string | null | undefined
  /** First line of the address. */
  line_1?: string | null | undefined
  /** Second line of the address. */
  line_2?: string | null | undefined
  /** Town. */
  city?: string | null | undefined
  /** State or province. */
  region?: string | null | undefined
  /** Postal code. */
  zip?: string | null | undefined
  /** ISO 3166-1 alpha-2 code. */
  country_code?: string | null | undefined
  /** Where to call. */
  phone?: string | null | undefined
}

export type PutSupplierByRefBody = {
  /** What people call it. */
  title?: string | undefined
  /** ISO 3166-1 alpha-2 code. */
  country_code?: string | null | undefined
  /** Where to write to. */
  email?: string | null | undefined
  /** Where to call. */
  phone?: string | null | undefined
  /** For invoices (VAT identification number). */
  tax_number?: string | null | undefined
  /** ISO 4217 code. */
  currency?: string | null | undefined
  /** Names and texts of your own. A name that is null goes, names that are left out stay; afterwards up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. */
  metadata?: Record<string, string | null> | undefined
  /** Where it is. An object with at least one of its fields. */
  address?: PutSupplierByRefAddress | null | undefined
  /** Whether it is out of use: shown, but not for new documents. */
  archived?: boolean | undefined
}

export type ReceiveSalesReturnBody = {
  /** When the goods came back; now unless given. ISO-8601 timestamp (UTC without an offset) or date (the start of that day in the time zone of the tenant). */
  return_date?: string | undefined
}

export type Recipe = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** The product. */
  item_id: string
  /** Null: for every variant of the item that has no recipe of its own. */
  item_variant_id: string | null
  /** The title of the product. */
  item_title: string
  /** The title of the variant. */
  item_variant_title: string | null
  /** Stock keeping unit of the variant, which may have none. */
  sku: string | null
  /** How many the materials and durations are for. */
  output_quantity: number
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref: string | null
  /** Names and texts of your own. */
  metadata: Record<string, string>
  /** The user named by the key that made it; null for a key issued without a name, and for what was before the service kept it. */
  created_by_user_name: string | null
  /** The user named by the key that last changed it, or else made it; null for a key issued without a name, and for what was before the service kept it. */
  updated_by_user_name: string | null
  /** When it was made. */
  created_at: string
  /** Moves with any change to its own fields and lines. */
  updated_at: string
  /** In the order sent. */
  materials: RecipeMaterial[]
  /** In the order sent; tasks go by position. */
  operations: RecipeOperation[]
}

export type RecipeMaterial = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** The product. */
  item_id: string
  /** The variant. */
  item_variant_id: string
  /** Stock keeping unit of the variant, which may have none. */
  sku: string | null
  /** What people call it. */
  title: string
  /** For `output_quantity` of the output. */
  quantity: number
  /** What is lost on the way: so much more is planned, in percent. */
  scrap_percent: number
  /** Anything worth keeping. */
  notes: string | null
}

export type RecipeOperation = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** The operation. */
  operation_id: string
  /** The title of the operation. */
  operation_title: string
  /**
   * The type of order that it is for; null serves both.
   *
   * - `MAKE_TO_STOCK`: for the stock
   * - `MAKE_TO_ORDER`: for a sales order.
   */
  operation_type: "MAKE_TO_STOCK" | "MAKE_TO_ORDER" | null
  /** Its place in the technology; several may share one. */
  position: number
  /** Hours for `output_quantity` of the output. */
  duration: number
  /** As of the writing of the recipe. */
  cost_per_hour: number
  /** Anything worth keeping. */
  notes: string | null
}

export type RecoverWebhookSubscriptionBody = {
  /** From which event on, inclusive. ISO-8601 timestamp (UTC without an offset) or date (the start of that day in the time zone of the tenant). */
  since: string
}

export type RedeliverWebhookDeliveryBody = Record<string, never>

export type ReleaseReservationBody = Record<string, never>

export type Replenishment = {
  /** Where; null is stock without a place. */
  storage_place_id: string | null
  /** By level, then variant. */
  rows: ReplenishmentRow[]
}

export type ReplenishmentRow = {
  /** The product. */
  item_id: string
  /** The variant. */
  item_variant_id: string
  /** Stock keeping unit of the variant, which may have none. */
  sku: string | null
  /** What people call it. */
  title: string
  /** The longest path from the variants that are short. */
  level: number
  /**
   * - `MAKE`: a recipe makes it
   * - `BUY`: no recipe makes it.
   */
  action: "MAKE" | "BUY"
  /** What is there, neither quarantined nor expired, less what is reserved, with what is expected. */
  projected_quantity: number
  /** The variant's; it counts at the main place. */
  minimum_stock: number | null
  /** What the proposals of other rows take of it. */
  dependent_quantity: number
  /** What is missing. */
  net_quantity: number
  /** The net quantity, raised to the minimum, then up to the next multiple. */
  order_quantity: number
  /** Of what is bought: its preferred supplier. */
  supplier_id: string | null
  /** This supplier's item. */
  supplier_item_id: string | null
  /** Of what is bought the supplier's item's, else the variant's; of what is made its own. */
  lead_time_days: number | null
  /** Of what is bought: the supplier's item's price in the tenant's currency, else the average cost at the place, else the purchase price. */
  unit_cost: number | null
  /** Order_quantity * unit_cost. */
  cost: number | null
}

export type Requirements = {
  /** The variant. */
  item_variant_id: string
  /** In the unit of the product. */
  quantity: number
  /** Whose stock is taken; null is stock without a place. */
  storage_place_id: string | null
  /** Nothing has to be bought. */
  is_coverable: boolean
  /** The greatest whole number up to `quantity` that is coverable. */
  max_quantity: number
  /** By level, then variant; the asked variant is not among them, nor what comes to 0. */
  rows: RequirementsRow[]
}

export type RequirementsRow = {
  /** The product. */
  item_id: string
  /** The variant. */
  item_variant_id: string
  /** Stock keeping unit of the variant, which may have none. */
  sku: string | null
  /** What people call it. */
  title: string
  /** The longest path from the asked variant, which is at 0. */
  level: number
  /** What is needed, over everything that it goes into. */
  gross_quantity: number
  /** What of it stands at the place, neither quarantined, expired nor reserved; not below 0. */
  available_quantity: number
  /** What is missing. */
  net_quantity: number
  /**
   * Where what is missing comes from.
   *
   * - `STOCK`: nothing is missing
   * - `MAKE`: a recipe makes it
   * - `BUY`: no recipe makes it.
   */
  action: "STOCK" | "MAKE" | "BUY"
  /** Of what is to be bought: the supplier of the preferred supplier item. */
  supplier_id: string | null
  /** Of what is to be bought: the preferred supplier item. */
  supplier_item_id: string | null
  /** Of what is to be bought: the average cost at the place, else the purchase price. */
  unit_cost: number | null
  /** Net_quantity * unit_cost. */
  cost: number | null
}

export type Reservation = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** Unique per tenant and kind; counted unless given (`SO-00001`). */
  number: string
  /**
   * Whether it still holds, or how it ended.
   *
   * - `HELD`: reserves its goods until `expires_at`
   * - `CONSUMED`: a sales order took it
   * - `RELEASED`: let go by a caller
   * - `EXPIRED`: its time was over.
   */
  status: "HELD" | "CONSUMED" | "RELEASED" | "EXPIRED"
  /** Whom the goods are held for. */
  customer_id: string | null
  /** The sales order that took it. */
  sales_order_id: string | null
  /** When it ends by itself; later than now, at most 30 days ahead. */
  expires_at: string
  /** Anything worth keeping. */
  notes: string | null
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref: string | null
  /** Names and texts of your own. */
  metadata: Record<string, string>
  /** The user named by the key that made it; null for a key issued without a name, and for what was before the service kept it. */
  created_by_user_name: string | null
  /** The user named by the key that last changed it, or else made it; null for a key issued without a name, and for what was before the service kept it. */
  updated_by_user_name: string | null
  /** When it was made. */
  created_at: string
  /** Moves with any change to its own fields and lines. */
  updated_at: string
  /** In the order sent. */
  items: ReservationItem[]
}

export type ReservationItem = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** The product. */
  item_id: string
  /** The variant. */
  item_variant_id: string
  /** Stock keeping unit of the variant, which may have none. */
  sku: string | null
  /** What people call it. */
  title: string
  /** Where the goods are held; null is stock without a place. */
  storage_place_id: string | null
  /** In the unit of the product. */
  quantity: number
  /** What the kit of the line is made of, as it was when the line was made; [] of other lines. */
  components: ReservationItemComponent[]
}

export type ReservationItemComponent = {
  /** The variant. */
  item_variant_id: string
  /** Stock keeping unit of the variant, which may have none. */
  sku: string | null
  /** What people call it. */
  title: string
  /** How many are in one kit. */
  quantity_per_kit: number
  /** How many are held. */
  quantity: number
}

export type ReverseLandedCostBody = {
  /** Why, in words. */
  reason: string
  /** When it happened: not in a closed period, nor ahead of the clock; now unless given. ISO-8601 timestamp (UTC without an offset) or date (the start of that day in the time zone of the tenant). */
  date?: string | undefined
}

export type ReversePurchaseReceiptBody = {
  /** Why, in words. */
  reason: string
  /** When it happened: not in a closed period, nor ahead of the clock; now unless given. ISO-8601 timestamp (UTC without an offset) or date (the start of that day in the time zone of the tenant). */
  date?: string | undefined
}

export type ReverseSalesShipmentBody = {
  /** Why, in words. */
  reason: string
  /** When it happened: not in a closed period, nor ahead of the clock; now unless given. ISO-8601 timestamp (UTC without an offset) or date (the start of that day in the time zone of the tenant). */
  date?: string | undefined
}

export type ReverseStockAdjustmentBody = {
  /** Why, in words. */
  reason: string
  /** When it happened: not in a closed period, nor ahead of the clock; now unless given. ISO-8601 timestamp (UTC without an offset) or date (the start of that day in the time zone of the tenant). */
  date?: string | undefined
}

export type ReverseStockTransferBody = {
  /** Why, in words. */
  reason: string
  /** When it happened: not in a closed period, nor ahead of the clock; now unless given. ISO-8601 timestamp (UTC without an offset) or date (the start of that day in the time zone of the tenant). */
  date?: string | undefined
}

export type RotateWebhookSecretBody = {
  /** How long the earlier secrets sign too. Default: `86400`. */
  overlap_seconds?: number | undefined
}

export type SalesOrder = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** Unique per tenant and kind; counted unless given (`SO-00001`). */
  number: string
  /**
   * Where the order stands.
   *
   * - `OPEN`: may change, be packed and be shipped
   * - `DONE`: all is shipped, or it was ended by hand: nothing changes any more
   * - `CANCELLED`: called off before anything was shipped: nothing changes any more.
   */
  status: "OPEN" | "DONE" | "CANCELLED"
  /**
   * How much is packed and shipped.
   *
   * - `NOT_SHIPPED`: nothing is packed or shipped
   * - `PACKED`: all is packed, nothing shipped
   * - `PARTIALLY_PACKED`: some is packed, nothing shipped
   * - `PARTIALLY_SHIPPED`: some is shipped
   * - `SHIPPED`: all is shipped.
   */
  delivery_status: "NOT_SHIPPED" | "PACKED" | "PARTIALLY_PACKED" | "PARTIALLY_SHIPPED" | "SHIPPED"
  /** ISO 4217 code. */
  currency: string
  /** The tenant's currency per unit of `currency`; 1 in the tenant's own. Kept for whoever books the order. */
  exchange_rate: number | null
  /** Whether prices, discount amounts and charges have their tax in them. */
  prices_include_tax: boolean
  /**
   * Where taxes are rounded.
   *
   * - `LINE`: on each line and charge
   * - `ORDER`: once for all lines and charges of one tax_rate.
   */
  tax_rounding: "LINE" | "ORDER"
  /**
   * How taxes are rounded, in size.
   *
   * - `HALF_UP`: to the nearest, half up
   * - `DOWN`: down
   * - `UP`: up.
   */
  tax_rounding_mode: "HALF_UP" | "DOWN" | "UP"
  /** For your own order of work; the service does nothing with it. */
  priority: number
  /** Anything worth keeping. */
  notes: string | null
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref: string | null
  /** Names and texts of your own. */
  metadata: Record<string, string>
  /** The user named by the key that made it; null for a key issued without a name, and for what was before the service kept it. */
  created_by_user_name: string | null
  /** The user named by the key that last changed it, or else made it; null for a key issued without a name, and for what was before the service kept it. */
  updated_by_user_name: string | null
  /** False: refused with 409 where the lines exceed what is available. */
  allow_backorder: boolean
  /** When it was made. */
  created_date: string
  /** Moves with any change to the order or to its lines. */
  updated_at: string
  /** When the customer ordered; not ahead of the clock. */
  ordered_at: string | null
  /** When the customer should have it. */
  delivery_date: string | null
  /** The date of the shipment that left nothing unshipped. */
  shipped_at: string | null
  /** When it was cancelled. */
  cancelled_at: string | null
  /** Who cancelled it. */
  cancelled_by_user_id: string | null
  /** The user whom the API key names. */
  cancelled_by_user_name: string | null
  /** Why it was cancelled. */
  cancel_reason: string | null
  /** The customer. */
  customer: SalesOrderCustomer
  /** Where goods are sent to. */
  shipping_address: SalesOrderShippingAddress | null
  /** Where invoices are sent to. */
  billing_address: SalesOrderBillingAddress | null
  /** Sum of the amounts of lines and charges, as are the other totals. */
  total_amount: number
  /** Sum of the tax amounts of lines and charges. */
  tax_amount: number
  /** `total_amount` and `tax_amount` together. */
  total_amount_with_tax: number
  /** In the order sent, added ones last. */
  items: SalesOrderItem[]
  /** In the order sent. */
  charges: SalesOrderCharge[]
}

export type SalesOrderBillingAddress = {
  /** Who receives what is sent there. */
  name: string | null
  /** The company there. */
  company: string | null
  /** First line of the address. */
  line_1: string | null
  /** Second line of the address. */
  line_2: string | null
  /** Town. */
  city: string | null
  /** State or province. */
  region: string | null
  /** Postal code. */
  zip: string | null
  /** ISO 3166-1 alpha-2 code. */
  country_code: string | null
  /** Where to call. */
  phone: string | null
}

export type SalesOrderCharge = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** What it is for, such as shipping. */
  title: string
  /** Without tax, rounded half up to the currency's minor unit; below 0 for a voucher. */
  amount: number
  /** Percent; the sum of the rates of taxes. */
  tax_rate: number
  /** Each tax with what it comes to; [] where a tax_rate was given. */
  taxes: SalesOrderChargeTaxe[]
  /** The taxes of the charge. */
  tax_amount: number
  /** Amount and tax_amount together. */
  amount_with_tax: number
  /** Your own system's id of the charge; need not be unique. */
  external_ref: string | null
}

export type SalesOrderChargeTaxe = {
  /** What it is called. */
  title: string
  /** Percent. */
  rate: number
  /** In the currency's minor unit. */
  amount: number
}

export type SalesOrderCustomer = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** What people call it. */
  title: string
  /** ISO 3166-1 alpha-2 code. */
  country_code: string | null
}

export type SalesOrderItem = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** The product. */
  item_id: string | null
  /** The variant; null of a line without one. */
  item_variant_id: string | null
  /** Stock keeping unit of the variant, which may have none. */
  sku: string | null
  /** The variant's when the line was made, or what was said. */
  title: string
  /** Where the line reserves and ships; null is stock without a place. */
  storage_place_id: string | null
  /** In the unit of the product. */
  quantity: number
  /** Per unit, in the price mode and currency of the order. */
  price: number
  /** What the price is lowered by, in percent. */
  discount_percent: number
  /** What is taken off the whole line after discount_percent, in the price mode of the order. */
  discount_amount: number
  /** Percent; the sum of the rates of taxes. */
  tax_rate: number
  /** Each tax with what it comes to; [] where a tax_rate was given. */
  taxes: SalesOrderItemTaxe[]
  /** Without tax, rounded half up to the currency's minor unit; where prices are without tax, quantity * price * (100 - discount_percent) / 100 - discount_amount. */
  line_amount: number
  /** The taxes of the line. */
  line_tax_amount: number
  /** `line_amount` and `line_tax_amount` together. */
  line_amount_with_tax: number
  /** What of it is packed. */
  packed_quantity: number
  /** What of it is shipped. */
  shipped_quantity: number
  /** Your own system's id of the line; need not be unique. */
  external_ref: string | null
  /** Names and texts of your own. */
  metadata: Record<string, string>
  /** What the kit of the line is made of, as it was when the line was made; [] of other lines. */
  components: SalesOrderItemComponent[]
}

export type SalesOrderItemComponent = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** The variant. */
  item_variant_id: string
  /** Stock keeping unit of the variant, which may have none. */
  sku: string | null
  /** What people call it. */
  title: string
  /** How many are in one kit. */
  quantity_per_kit: number
  /** The quantity of the line * quantity_per_kit, never less than is shipped. */
  quantity: number
  /** What of it is shipped. */
  shipped_quantity: number
}

export type SalesOrderItemTaxe = {
  /** What it is called. */
  title: string
  /** Percent. */
  rate: number
  /** In the currency's minor unit. */
  amount: number
}

export type SalesOrderShippingAddress = {
  /** Who receives what is sent there. */
  name: string | null
  /** The company there. */
  company: string | null
  /** First line of the address. */
  line_1: string | null
  /** Second line of the address. */
  line_2: string | null
  /** Town. */
  city: string | null
  /** State or province. */
  region: string | null
  /** Postal code. */
  zip: string | null
  /** ISO 3166-1 alpha-2 code. */
  country_code: string | null
  /** Where to call. */
  phone: string | null
}

export type SalesPacking = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** Unique per tenant and kind; counted unless given (`SO-00001`). */
  number: string
  /** The sales order. */
  sales_order_id: string
  /** When it happened: not in a closed period, nor ahead of the clock; now unless given. */
  date: string
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref: string | null
  /** Names and texts of your own. */
  metadata: Record<string, string>
  /** The user named by the key that made it; null for a key issued without a name, and for what was before the service kept it. */
  created_by_user_name: string | null
  /** The user named by the key that last changed it, or else made it; null for a key issued without a name, and for what was before the service kept it. */
  updated_by_user_name: string | null
  /** When it was made. */
  created_at: string
  /** An entry for each line. */
  items: SalesPackingItem[]
}

export type SalesPackingItem = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** The line of the sales order. */
  sales_order_item_id: string
  /** The variant. */
  item_variant_id: string | null
  /** In the unit of the product. */
  quantity: number
  /** The batch; null where there is none. */
  batch_id: string | null
}

export type SalesReturn = {
  /** All but the lines. */
  sales_return: SalesReturnDetails
  /** In the order sent, one for each batch into which goods come back. */
  items: SalesReturnItem[]
  /** In the order sent. */
  charges: SalesReturnCharge[]
}

export type SalesReturnCharge = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** The charge of the sales order. */
  sales_order_charge_id: string
  /** What it is for, such as shipping. */
  title: string
  /** What is refunded without tax; below 0 for a voucher. */
  amount: number
  /** The tax on it. */
  tax_amount: number
  /** `amount` and `tax_amount` together. */
  amount_with_tax: number
  /** Tax_amount by the taxes of the charge; [] where that has a rate alone. */
  taxes: SalesReturnChargeTaxe[]
}

export type SalesReturnChargeTaxe = {
  /** What it is called. */
  title: string
  /** Percent. */
  rate: number
  /** In the currency's minor unit. */
  amount: number
}

export type SalesReturnDetails = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** Unique per tenant and kind; counted unless given (`SO-00001`). */
  number: string
  /**
   * Where the return stands.
   *
   * - `NOT_RETURNED`: announced
   * - `RETURNED`: the goods are back in stock
   * - `CANCELLED`: called off.
   */
  status: "NOT_RETURNED" | "RETURNED" | "CANCELLED"
  /**
   * The kind of the document.
   *
   * - `SALES_ORDER`: goods of a sales order.
   */
  source_type: "SALES_ORDER"
  /** The sales order. */
  sales_order_id: string
  /** The number of the sales order. */
  sales_order_number: string
  /** The customer. */
  customer_id: string
  /** The place; null is stock without a place. */
  storage_place_id: string | null
  /** Reference in an external system; need not be unique. */
  external_return_ref: string | null
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref: string | null
  /** How to follow the parcel. */
  tracking_info: string | null
  /** Anything worth keeping. */
  notes: string | null
  /** Names and texts of your own. */
  metadata: Record<string, string>
  /** The user named by the key that made it; null for a key issued without a name, and for what was before the service kept it. */
  created_by_user_name: string | null
  /** The user named by the key that last changed it, or else made it; null for a key issued without a name, and for what was before the service kept it. */
  updated_by_user_name: string | null
  /** Why it was cancelled. */
  cancellation_reason: string | null
  /** When it was made. */
  created_date: string
  /** Moves with any change to its own fields and lines. */
  updated_at: string
  /** When the goods were received. */
  return_date: string | null
  /** Sum of what lines and charges refund without tax, as is refund_tax_amount of their taxes. */
  refund_amount: number
  /** Sum of the taxes on what lines and charges refund. */
  refund_tax_amount: number
  /** `refund_amount` and `refund_tax_amount` together. */
  refund_amount_with_tax: number
}

export type SalesReturnItem = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** The line of the sales order. */
  sales_order_item_id: string
  /** The variant. */
  item_variant_id: string | null
  /** The batch. */
  batch_id: string | null
  /** Where the goods come back to; null is stock without a place. */
  storage_place_id: string | null
  /** Stock keeping unit of the variant, which may have none. */
  sku: string | null
  /** What people call it. */
  title: string
  /** Why, in words. */
  reason: string | null
  /** More about the reason. */
  reason_note: string | null
  /** A number of your own for the reason. */
  reason_id: number | null
  /** How many pieces. */
  quantity: number
  /** What is refunded per unit, in the price mode of the order; unless given the order line's price less its discounts, rounded to 6 decimals. */
  unit_price: number
  /** What the line refunds without tax, in the minor unit of the order's currency. */
  refund_amount: number
  /** The tax on it. */
  refund_tax_amount: number
  /** `refund_amount` and `refund_tax_amount` together. */
  refund_amount_with_tax: number
  /** Refund_tax_amount by the taxes of the order line; [] where that has a rate alone. */
  taxes: SalesReturnItemTaxe[]
  /** False: the pieces are paid back and do not come back. */
  restock: boolean
  /** Whether it goes into quarantine, out of which nothing is picked. */
  quarantine: boolean
  /** What comes back of a kit's components, an entry for each component and batch; [] of other lines. */
  components: SalesReturnItemComponent[]
}

export type SalesReturnItemComponent = {
  /** The variant. */
  item_variant_id: string
  /** Stock keeping unit of the variant, which may have none. */
  sku: string | null
  /** What people call it. */
  title: string
  /** In the unit of the product. */
  quantity: number
  /** The batch; null where there is none. */
  batch_id: string | null
  /** The number of the batch. */
  batch_number: string | null
}

export type SalesReturnItemTaxe = {
  /** What it is called. */
  title: string
  /** Percent. */
  rate: number
  /** In the currency's minor unit. */
  amount: number
}

export type SalesShipment = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** Unique per tenant and kind; counted unless given (`SO-00001`). */
  number: string
  /** The sales order. */
  sales_order_id: string
  /** When it happened: not in a closed period, nor ahead of the clock; now unless given. */
  date: string
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref: string | null
  /** Names and texts of your own. */
  metadata: Record<string, string>
  /** The user named by the key that made it; null for a key issued without a name, and for what was before the service kept it. */
  created_by_user_name: string | null
  /** The user named by the key that last changed it, or else made it; null for a key issued without a name, and for what was before the service kept it. */
  updated_by_user_name: string | null
  /** When it was made. */
  created_at: string
  /** Who carries the goods. */
  carrier: string | null
  /** The carrier's number of the parcel. */
  tracking_number: string | null
  /** Where to follow the parcel. */
  tracking_url: string | null
  /** Anything worth keeping. */
  notes: string | null
  /** Moves with any change to its own fields and lines. */
  updated_at: string
  /** The date of its reversal; null: it is not reversed. */
  reversed_at: string | null
  /** Why it was reversed. */
  reversal_reason: string | null
  /** The user named by the key that reversed it; null for a key issued without a name. */
  reversed_by_user_name: string | null
  /** An entry for each line and batch; one for the line of a kit. */
  items: SalesShipmentItem[]
}

export type SalesShipmentItem = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** The line of the sales order. */
  sales_order_item_id: string
  /** The variant. */
  item_variant_id: string | null
  /** In the unit of the product. */
  quantity: number
  /** The batch; null where there is none. */
  batch_id: string | null
  /** Where the goods left; null is stock without a place, and of a line without stock. */
  storage_place_id: string | null
  /** What left of a kit's components, an entry for each component and batch; [] of other lines. */
  components: SalesShipmentItemComponent[]
}

export type SalesShipmentItemComponent = {
  /** The variant. */
  item_variant_id: string
  /** Stock keeping unit of the variant, which may have none. */
  sku: string | null
  /** What people call it. */
  title: string
  /** In the unit of the product. */
  quantity: number
  /** The batch; null where there is none. */
  batch_id: string | null
  /** The number of the batch. */
  batch_number: string | null
}

export type Scan = {
  /** The code as it was asked for. */
  code: string
  /** 14 digits, with zeros before a shorter one; also of a plain code. */
  gtin: string | null
  /** The number of a shipping unit. */
  sscc: string | null
  /** The number of the batch, as the code says. */
  batch_number: string | null
  /** When it was made, as the code says. */
  manufacture_date: string | null
  /** Its last day, as the code says: expiry, else best before. */
  expiry_date: string | null
  /** The number of the single piece. */
  serial_number: string | null
  /** How many pieces, else the net weight in kg, as the code says. */
  quantity: number | null
  /** What it means, at most 20: unarchived variants first. */
  matches: ScanMatche[]
}

export type ScanMatche = {
  /**
   * - `VARIANT`: a variant
   * - `BATCH`: a batch of a variant
   * - `DOCUMENT`: a document.
   */
  kind: "VARIANT" | "BATCH" | "DOCUMENT"
  /** The product of the variant. */
  item_id: string | null
  /** The variant. */
  item_variant_id: string | null
  /** Stock keeping unit of the variant, which may have none. */
  sku: string | null
  /** Of the variant. */
  title: string | null
  /** The batch. */
  batch_id: string | null
  /** The number of the batch. */
  batch_number: string | null
  /**
   * The kind of the document.
   *
   * - `STOCK_ADJUSTMENT`: a stock adjustment
   * - `STOCK_TRANSFER`: a stock transfer
   * - `STOCK_COUNT`: a stock count
   * - `MANUFACTURING_ORDER`: a manufacturing order
   * - `PURCHASE_ORDER`: a purchase order
   * - `PURCHASE_RECEIPT`: a receipt
   * - `LANDED_COST`: a landed cost
   * - `RESERVATION`: a reservation
   * - `SALES_ORDER`: a sales order
   * - `SALES_SHIPMENT`: a shipment
   * - `SALES_PACKING`: a packing
   * - `SALES_RETURN`: a sales return.
   */
  source_type: "STOCK_ADJUSTMENT" | "STOCK_TRANSFER" | "STOCK_COUNT" | "MANUFACTURING_ORDER" | "PURCHASE_ORDER" | "PURCHASE_RECEIPT" | "LANDED_COST" | "RESERVATION" | "SALES_ORDER" | "SALES_SHIPMENT" | "SALES_PACKING" | "SALES_RETURN" | null
  /** The document. */
  source_id: string | null
  /** Of the document. */
  number: string | null
}

export type SecurityTelemetry = {
  /** Inclusive. */
  window_start: string
  /** Exclusive. */
  window_end: string
  /** Seven days before `window_start`. */
  baseline_start: string
  /** The start of the window. */
  baseline_end: string
  /** When this was made. */
  generated_at: string
  /** What was counted, beside the days before. */
  metrics: SecurityTelemetryMetric[]
  /** The same by key. */
  by_key: SecurityTelemetryByKey[]
  /** The same by endpoint. */
  by_route: SecurityTelemetryByRoute[]
  /** What the operators of the service did that concerns the tenant, in the window, the newest first; 100 at most. */
  operator_actions: SecurityTelemetryOperatorAction[]
  /** What protects single users. */
  privacy: SecurityTelemetryPrivacy
}

export type SecurityTelemetryByKey = {
  /** The key. */
  key_id: string
  /** How many there were. */
  requests: number
  /** Answered with 401, 403 or 429. */
  denied: number
  /** Networks (/24 of IPv4, /48 of IPv6) that the key was used from; null below `privacy.minimum_group`. */
  distinct_networks: number | null
}

export type SecurityTelemetryByRoute = {
  /** Of HTTP. */
  method: string
  /** The template (`/products/{id}`). */
  route: string
  /** How many there were. */
  requests: number
  /** Answered with 4xx or 5xx. */
  errors: number
}

export type SecurityTelemetryMetric = {
  /**
   * What is counted.
   *
   * - `requests`: all requests of the tenant
   * - `responses_2xx`: answered with success
   * - `responses_4xx`: refused
   * - `responses_5xx`: failed
   * - `unauthorized`: with a revoked or expired key
   * - `forbidden`: without the scope
   * - `not_found`: for what is not there
   * - `rate_limited`: refused for the rate
   * - `quota_exceeded`: refused for the daily documents
   * - `idempotency_replays`: answered with what was recorded
   * - `idempotency_conflicts`: with a key that was used for another request
   * - `foreign_references`: refused for a reference to a record that is not in this tenant
   * - `keys_created`: keys issued
   * - `keys_revoked`: keys revoked
   * - `webhook_failures`: failed attempts to deliver.
   */
  name: "requests" | "responses_2xx" | "responses_4xx" | "responses_5xx" | "unauthorized" | "forbidden" | "not_found" | "rate_limited" | "quota_exceeded" | "idempotency_replays" | "idempotency_conflicts" | "foreign_references" | "keys_created" | "keys_revoked" | "webhook_failures"
  /** In the window. */
  count: number
  /** Of the seven 24-hour windows before it. */
  baseline_daily_mean: number
  /** Of the seven 24-hour windows before it. */
  baseline_daily_max: number
  /** `count` by `baseline_daily_mean`; null when the mean is 0. */
  ratio: number | null
  /**
   * ELEVATED from a ratio of 3 on (without a ratio: from a count of 10 on, or of 100 when the baseline holds no request at all), HIGH from a ratio of 10 on.
   *
   * - `NORMAL`: as on the days before
   * - `ELEVATED`: clearly more than on the days before
   * - `HIGH`: many times what it was on the days before.
   */
  level: "NORMAL" | "ELEVATED" | "HIGH"
}

export type SecurityTelemetryOperatorAction = {
  /** When it was done. */
  at: string
  /** The name that the operator gave; null: none. */
  operator: string | null
  /** What was done, as `key update`. */
  command: string
  /** The fields that are others since then. */
  changed: string[]
}

export type SecurityTelemetryPrivacy = {
  /** Fewer networks than this are not told. */
  minimum_group: number
}

export type Shortage = {
  /** The product. */
  item_id: string
  /** The variant. */
  item_variant_id: string
  /** Stock keeping unit of the variant, which may have none. */
  sku: string | null
  /** What people call it. */
  title: string
  /** The place; null is stock without a place. */
  storage_place_id: string | null
  /** Physical stock over all batches, quarantined or not. */
  quantity: number
  /** Of the quantity. */
  quarantine_quantity: number
  /** Of the quantity: expired and not quarantined. */
  expired_quantity: number
  /** The sum of `demand`. */
  reserved_quantity: number
  /** The sum of `supply`. */
  expected_quantity: number
  /** Quantity - quarantine - expired - reserved; may be negative. */
  available_quantity: number
  /** Available + expected. */
  projected_quantity: number
  /** The variant's, wherever the row stands. */
  minimum_stock: number | null
  /** What is missing to 0, or to the minimum. */
  short_quantity: number
  /** Open reservations, one entry per document: the earliest first, those without a date last. */
  demand: ShortageDemand[]
  /** What is expected, one entry per document: the earliest first, those without a date last. */
  supply: ShortageSupply[]
}

export type ShortageDemand = {
  /**
   * The kind of the document.
   *
   * - `SALES_ORDER`: a sales order reserves it
   * - `RESERVATION`: it is held for somebody who is about to order
   * - `MANUFACTURING_ORDER`: a manufacturing order needs it.
   */
  source_type: "SALES_ORDER" | "RESERVATION" | "MANUFACTURING_ORDER"
  /** The document. */
  source_id: string
  /** Unique per tenant and kind; counted unless given (`SO-00001`). */
  number: string
  /** What the document still reserves, over its lines. */
  quantity: number
  /** The sales order's delivery date, or the manufacturing order's planned start; null for a reservation. */
  needed_by: string | null
}

export type ShortageSupply = {
  /**
   * The kind of the document.
   *
   * - `PURCHASE_ORDER`: a purchase order brings it
   * - `MANUFACTURING_ORDER`: a manufacturing order makes it.
   */
  source_type: "PURCHASE_ORDER" | "MANUFACTURING_ORDER"
  /** The document. */
  source_id: string
  /** Unique per tenant and kind; counted unless given (`SO-00001`). */
  number: string
  /** What is still to come, over its lines. */
  quantity: number
  /** The earliest expected date of the purchase order's open lines, where a line without one has the order's; or the manufacturing order's production date. */
  expected_by: string | null
}

export type StartManufacturingOrderBody = {
  /** When work began. ISO-8601 timestamp (UTC without an offset) or date (the start of that day in the time zone of the tenant). */
  started_at?: string | undefined
  /** What is written off of single lines, where it is another quantity than planned. Default: `[]`. */
  items?: readonly StartManufacturingOrderItem[] | undefined
  /** Anything worth keeping. */
  notes?: string | null | undefined
}

export type StartManufacturingOrderItem = {
  /** The line of the order. */
  id: string | number
  /** What is written off for the line. */
  quantity: number
}

export type StockAdjustment = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** Unique per tenant and kind; counted unless given (`SO-00001`). */
  number: string
  /** The place, the main one unless given; null is stock without a place. */
  storage_place_id: string | null
  /** When it happened: not in a closed period, nor ahead of the clock; now unless given. */
  date: string
  /**
   * Why the stock is corrected.
   *
   * - `CORRECTION`: the books were wrong
   * - `COUNT`: a count
   * - `DAMAGE`: broken goods
   * - `LOSS`: lost or stolen goods
   * - `EXPIRED`: goods beyond their date
   * - `INITIAL`: the first stock
   * - `OTHER`: anything else
   * - `REVALUATION`: the goods are worth less, or more again: lines with `value_change`
   */
  reason: "CORRECTION" | "COUNT" | "DAMAGE" | "LOSS" | "EXPIRED" | "INITIAL" | "OTHER" | "REVALUATION"
  /** Anything worth keeping. */
  notes: string | null
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref: string | null
  /** Names and texts of your own. */
  metadata: Record<string, string>
  /** The user named by the key that made it; null for a key issued without a name, and for what was before the service kept it. */
  created_by_user_name: string | null
  /** The user named by the key that last changed it, or else made it; null for a key issued without a name, and for what was before the service kept it. */
  updated_by_user_name: string | null
  /** The stock count whose differences it books; null: it books no stock count. */
  stock_count_id: string | null
  /** When it was made. */
  created_at: string
  /** Moves with any change to its own fields and lines. */
  updated_at: string
  /** The date of its reversal; null: it is not reversed. */
  reversed_at: string | null
  /** Why it was reversed. */
  reversal_reason: string | null
  /** The user named by the key that reversed it; null for a key issued without a name. */
  reversed_by_user_name: string | null
  /** Sum of the amounts. */
  total_amount: number
  /** One per stock row touched, in the order sent. */
  items: StockAdjustmentItem[]
}

export type StockAdjustmentItem = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** The product. */
  item_id: string
  /** The variant. */
  item_variant_id: string
  /** Stock keeping unit of the variant, which may have none. */
  sku: string | null
  /** What people call it. */
  title: string
  /** The batch; null where there is none. */
  batch_id: string | null
  /** The number of the batch. */
  batch_number: string | null
  /** Signed; 0 for a count equal to the stock, and where the value alone changed. */
  quantity: number
  /** Of the stock row that the line touches. */
  quantity_before: number
  /** Of the stock row that the line touches. */
  quantity_after: number
  /** The given cost of an inflow, else the average cost before the line; at an empty place the purchase price, else 0. */
  unit_cost: number
  /** What the line added to the stock value, signed. */
  amount: number
}

export type StockCount = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** Unique per tenant and kind; counted unless given (`SO-00001`). */
  number: string
  /** What people call it. */
  title: string | null
  /** The place, the main one unless given; null is stock without a place. */
  storage_place_id: string | null
  /**
   * Where the count stands.
   *
   * - `OPEN`: people count
   * - `DONE`: the differences are booked
   * - `CANCELLED`: nothing was booked, and nothing will be.
   */
  status: "OPEN" | "DONE" | "CANCELLED"
  /** Anything worth keeping. */
  notes: string | null
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref: string | null
  /** Names and texts of your own. */
  metadata: Record<string, string>
  /** The user named by the key that made it; null for a key issued without a name, and for what was before the service kept it. */
  created_by_user_name: string | null
  /** The user named by the key that last changed it, or else made it; null for a key issued without a name, and for what was before the service kept it. */
  updated_by_user_name: string | null
  /** How many lines were counted; the list of items has them. */
  line_count: number
  /** How many of them differ from what was there. */
  difference_count: number
  /** The stock adjustment that booked the differences; null: not done, or there was none. */
  adjustment_id: string | null
  /** When it was made. */
  created_at: string
  /** Moves with any change to its own fields and lines. */
  updated_at: string
  /** When it was completed. */
  completed_at: string | null
}

export type StockCountItem = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** The product. */
  item_id: string
  /** The variant. */
  item_variant_id: string
  /** Stock keeping unit of the variant, which may have none. */
  sku: string | null
  /** What people call it. */
  title: string
  /** The batch; null where there is none. */
  batch_id: string | null
  /** The number of the batch. */
  batch_number: string | null
  /** What was physically there when it was counted, quarantined stock included. */
  expected_quantity: number
  /** What was counted. */
  counted_quantity: number
  /** `counted_quantity` less `expected_quantity`: what the completion books. */
  difference: number
  /** When it was counted. */
  counted_at: string
  /** The user named by the key that counted it; null for a key issued without a name. */
  counted_by_user_name: string | null
}

export type StockEntry = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** The product. */
  item_id: string
  /** The variant. */
  item_variant_id: string
  /** Stock keeping unit of the variant, which may have none. */
  sku: string | null
  /** Of the product and the variant. */
  title: string
  /** The place; null is stock without a place. */
  storage_place_id: string | null
  /** The batch; null where there is none. */
  batch_id: string | null
  /** The number of the batch. */
  batch_number: string | null
  /** When the batch was made. */
  manufacture_date: string | null
  /** The last day of the batch. */
  expiry_date: string | null
  /** Whether the expiry date of the batch is over in the time zone of the tenant, when answered. */
  is_expired: boolean
  /** The unit that quantities count (`pcs`, `kg`). */
  unit_name: string
  /** Physical stock, quarantined or not. */
  quantity: number
  /** Of the quantity. */
  quarantine_quantity: number
  /** Of the quantity: expired and not quarantined. */
  expired_quantity: number
  /** On the row without a batch, for all batches. */
  reserved_quantity: number
  /** On the row without a batch, for all batches. */
  expected_quantity: number
  /** Quantity - quarantine - expired - reserved of this row; may be negative. */
  available_quantity: number
  /** Of the variant at the place, over all its batches; null without stock. */
  average_cost: number | null
  /** This row's share of the stock value of the variant at the place. */
  stock_value: number
  /** When this row's quantities, average cost or share of the value last changed. */
  updated_at: string
}

export type StockMovement = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** The variant. */
  item_variant_id: string
  /** Stock keeping unit of the variant, which may have none. */
  sku: string | null
  /** What people call it. */
  title: string
  /** The place; null is stock without a place. */
  storage_place_id: string | null
  /** The batch; null where there is none. */
  batch_id: string | null
  /**
   * What moved it.
   *
   * - `ADJUSTMENT`: a correction or a count
   * - `REVERSAL`: the document was reversed
   * - `TRANSFER_OUT`: to another place, or into or out of quarantine
   * - `TRANSFER_IN`: from another place, or into or out of quarantine
   * - `MANUFACTURING_WRITE_OFF`: materials of an order
   * - `MANUFACTURING_RETURN`: materials that came back from an order
   * - `MANUFACTURING_OUTPUT`: output of an order
   * - `PURCHASE_RECEIPT`: goods of a supplier
   * - `LANDED_COST`: freight, duty and the like of a receipt
   * - `SALES_SHIPMENT`: goods to a customer
   * - `SALES_RETURN`: goods back from a customer.
   */
  kind: "ADJUSTMENT" | "REVERSAL" | "TRANSFER_OUT" | "TRANSFER_IN" | "MANUFACTURING_WRITE_OFF" | "MANUFACTURING_RETURN" | "MANUFACTURING_OUTPUT" | "PURCHASE_RECEIPT" | "LANDED_COST" | "SALES_SHIPMENT" | "SALES_RETURN"
  /** Signed; 0 where only the value changed. */
  quantity: number
  /** Signed, in the tenant's currency. */
  value: number
  /** Of the stock entry. */
  quantity_after: number
  /**
   * The kind of the document.
   *
   * - `STOCK_ADJUSTMENT`: a stock adjustment
   * - `STOCK_TRANSFER`: a stock transfer
   * - `MANUFACTURING_ORDER`: a manufacturing order
   * - `PURCHASE_RECEIPT`: a receipt of a purchase order
   * - `LANDED_COST`: a landed cost
   * - `SALES_SHIPMENT`: a shipment of a sales order
   * - `SALES_RETURN`: a sales return.
   */
  source_type: "STOCK_ADJUSTMENT" | "STOCK_TRANSFER" | "MANUFACTURING_ORDER" | "PURCHASE_RECEIPT" | "LANDED_COST" | "SALES_SHIPMENT" | "SALES_RETURN"
  /** The document. */
  source_id: string
  /** The number of the document. */
  source_number: string | null
  /** Of a stock adjustment. */
  reason: string | null
  /** The date of the document. */
  document_date: string
  /** When it was made. */
  created_at: string
}

export type StockTransfer = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** Unique per tenant and kind; counted unless given (`SO-00001`). */
  number: string
  /** Where the stock is taken from; null is stock without a place. */
  from_storage_place_id: string | null
  /** Where the stock goes; null is stock without a place. */
  to_storage_place_id: string | null
  /** When it happened: not in a closed period, nor ahead of the clock; now unless given. */
  date: string
  /** Anything worth keeping. */
  notes: string | null
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref: string | null
  /** Names and texts of your own. */
  metadata: Record<string, string>
  /** The user named by the key that made it; null for a key issued without a name, and for what was before the service kept it. */
  created_by_user_name: string | null
  /** The user named by the key that last changed it, or else made it; null for a key issued without a name, and for what was before the service kept it. */
  updated_by_user_name: string | null
  /** When it was made. */
  created_at: string
  /** Moves with any change to its own fields and lines. */
  updated_at: string
  /** The date of its reversal; null: it is not reversed. */
  reversed_at: string | null
  /** Why it was reversed. */
  reversal_reason: string | null
  /** The user named by the key that reversed it; null for a key issued without a name. */
  reversed_by_user_name: string | null
  /** One per stock row taken from, in the order sent. */
  items: StockTransferItem[]
}

export type StockTransferItem = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** The variant. */
  item_variant_id: string
  /** Stock keeping unit of the variant, which may have none. */
  sku: string | null
  /** What people call it. */
  title: string
  /** The batch; null where there is none. */
  batch_id: string | null
  /** The number of the batch. */
  batch_number: string | null
  /** In the unit of the product. */
  quantity: number
  /** The stock value that moved with the quantity. */
  value: number
}

export type StockValuation = {
  /** The product. */
  item_id: string
  /** The variant. */
  item_variant_id: string
  /** Stock keeping unit of the variant, which may have none. */
  sku: string | null
  /** What people call it. */
  title: string
  /** The place; null is stock without a place. */
  storage_place_id: string | null
  /** Physical stock over all batches, quarantined or not. */
  quantity: number
  /** Stock_value / quantity, rounded; null without stock. */
  average_cost: number | null
  /** In the tenant's currency. */
  stock_value: number
  /** Of the product, as it is now. */
  category: string | null
  /** The moment that is shown; null with `through`. */
  as_of: string | null
  /** The day that is shown; null with `as_of`. */
  through: string | null
}

export type StockValuationTotals = {
  /** As asked. */
  as_of: string | null
  /** As asked. */
  through: string | null
  /** How many the list has. */
  rows: number
  /** Of all rows, in the tenant's currency. */
  stock_value: number
}

export type StoragePlace = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** What people call it. */
  title: string
  /** A short name. */
  code: string | null
  /** The place that documents take where they name none; the first one made. */
  is_main: boolean
  /** Whether manufacturing orders may use it. */
  manufacturing_allowed: boolean
  /** Whether sales orders may ship from it. */
  sales_allowed: boolean
  /** Whether receipts may go there. */
  purchase_allowed: boolean
  /** Where it is. */
  address: StoragePlaceAddress | null
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref: string | null
  /** Names and texts of your own. */
  metadata: Record<string, string>
  /** The user named by the key that made it; null for a key issued without a name, and for what was before the service kept it. */
  created_by_user_name: string | null
  /** The user named by the key that last changed it, or else made it; null for a key issued without a name, and for what was before the service kept it. */
  updated_by_user_name: string | null
  /** Whether it is out of use: shown, but not for new documents. */
  archived: boolean
  /** When it was made. */
  created_at: string
  /** Moves with any change to its own fields and lines. */
  updated_at: string
}

export type StoragePlaceAddress = {
  /** The company there. */
  company: string | null
  /** First line of the address. */
  line_1: string | null
  /** Second line of the address. */
  line_2: string | null
  /** Town. */
  city: string | null
  /** State or province. */
  region: string | null
  /** Postal code. */
  zip: string | null
  /** ISO 3166-1 alpha-2 code. */
  country_code: string | null
}

export type Supplier = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** What people call it. */
  title: string
  /** ISO 3166-1 alpha-2 code. */
  country_code: string | null
  /** Where to write to. */
  email: string | null
  /** Where to call. */
  phone: string | null
  /** For invoices (VAT identification number). */
  tax_number: string | null
  /** ISO 4217 code. */
  currency: string | null
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref: string | null
  /** Names and texts of your own. */
  metadata: Record<string, string>
  /** Where it is. */
  address: SupplierAddress | null
  /** The user named by the key that made it; null for a key issued without a name, and for what was before the service kept it. */
  created_by_user_name: string | null
  /** The user named by the key that last changed it, or else made it; null for a key issued without a name, and for what was before the service kept it. */
  updated_by_user_name: string | null
  /** Whether it is out of use: shown, but not for new documents. */
  archived: boolean
  /** When it was made. */
  created_at: string
  /** Moves with any change to its own fields and lines. */
  updated_at: string
}

export type SupplierAddress = {
  /** Who receives what is sent there. */
  name: string | null
  /** The company there. */
  company: string | null
  /** First line of the address. */
  line_1: string | null
  /** Second line of the address. */
  line_2: string | null
  /** Town. */
  city: string | null
  /** State or province. */
  region: string | null
  /** Postal code. */
  zip: string | null
  /** ISO 3166-1 alpha-2 code. */
  country_code: string | null
  /** Where to call. */
  phone: string | null
}

export type SupplierItem = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** The supplier. */
  supplier_id: string
  /** The variant. */
  item_variant_id: string
  /** What the supplier calls the variant. */
  supplier_sku: string | null
  /** The unit in which the supplier sells (`box of 12`). */
  purchase_unit_name: string | null
  /** How many stock units are in one purchase unit. */
  conversion_rate: number
  /** Of one purchase unit, without tax; null: the purchase price of the variant counts. */
  price: number | null
  /** Of the price, which counts in orders of this currency alone; null: in orders of any currency. */
  currency: string | null
  /** The least that the supplier sells at once, in purchase units. */
  minimum_quantity: number | null
  /** The supplier sells multiples of this, in purchase units. */
  multiple_of: number | null
  /** Days from order to delivery. */
  lead_time_days: number | null
  /** Whether the variant is bought so; true ends it for the other item of the variant that was preferred. */
  is_preferred: boolean
  /** Anything worth keeping. */
  notes: string | null
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref: string | null
  /** Names and texts of your own. */
  metadata: Record<string, string>
  /** The user named by the key that made it; null for a key issued without a name, and for what was before the service kept it. */
  created_by_user_name: string | null
  /** The user named by the key that last changed it, or else made it; null for a key issued without a name, and for what was before the service kept it. */
  updated_by_user_name: string | null
  /** Whether it is out of use: shown, but not for new documents. */
  archived: boolean
  /** When it was made. */
  created_at: string
  /** Moves with any change to its own fields and lines. */
  updated_at: string
}

export type TestWebhookSubscriptionBody = Record<string, never>

export type UnblockManufacturingOrderBody = Record<string, never>

export type UpdateBatchBody = {
  /** Unique per variant. */
  number?: string | undefined
  /** When the batch was made. */
  manufacture_date?: string | null | undefined
  /** The last day of the batch. */
  expiry_date?: string | null | undefined
}

export type UpdateCustomerBillingAddress = {
  /** Who receives what is sent there. */
  name?: string | null | undefined
  /** The company there. */
  company?: string | null | undefined
  /** First line of the address. */
  line_1?: string | null | undefined
  /** Second line of the address. */
  line_2?: string | null | undefined
  /** Town. */
  city?: string | null | undefined
  /** State or province. */
  region?: string | null | undefined
  /** Postal code. */
  zip?: string | null | undefined
  /** ISO 3166-1 alpha-2 code. */
  country_code?: string | null | undefined
  /** Where to call. */
  phone?: string | null | undefined
}

export type UpdateCustomerBody = {
  /** What people call it. */
  title?: string | undefined
  /** ISO 3166-1 alpha-2 code. */
  country_code?: string | null | undefined
  /** Where to write to. */
  email?: string | null | undefined
  /** Where to call. */
  phone?: string | null | undefined
  /** For invoices (VAT identification number). */
  tax_number?: string | null | undefined
  /** ISO 4217 code. */
  currency?: string | null | undefined
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. A name that is null goes, names that are left out stay; afterwards up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. */
  metadata?: Record<string, string | null> | undefined
  /** Where goods are sent to. An object with at least one of its fields. */
  shipping_address?: UpdateCustomerShippingAddress | null | undefined
  /** Where invoices are sent to. An object with at least one of its fields. */
  billing_address?: UpdateCustomerBillingAddress | null | undefined
  /** Whether it is out of use: shown, but not for new documents. */
  archived?: boolean | undefined
}

export type UpdateCustomerShippingAddress = {
  /** Who receives what is sent there. */
  name?: string | null | undefined
  /** The company there. */
  company?: string | null | undefined
  /** First line of the address. */
  line_1?: string | null | undefined
  /** Second line of the address. */
  line_2?: string | null | undefined
  /** Town. */
  city?: string | null | undefined
  /** State or province. */
  region?: string | null | undefined
  /** Postal code. */
  zip?: string | null | undefined
  /** ISO 3166-1 alpha-2 code. */
  country_code?: string | null | undefined
  /** Where to call. */
  phone?: string | null | undefined
}

export type UpdateLandedCostBody = {
  /** Anything worth keeping. */
  notes?: string | null | undefined
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. A name that is null goes, names that are left out stay; afterwards up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. */
  metadata?: Record<string, string | null> | undefined
}

export type UpdateManufacturingOrderBody = {
  /** For your own order of work; the service does nothing with it. */
  priority?: number | undefined
  /** Planned. */
  quantity?: number | undefined
  /** When work should begin. ISO-8601 timestamp (UTC without an offset) or date (the start of that day in the time zone of the tenant). */
  planned_start_date?: string | null | undefined
  /** When the output is expected. ISO-8601 timestamp (UTC without an offset) or date (the start of that day in the time zone of the tenant). */
  production_date?: string | null | undefined
  /** When the output should leave. ISO-8601 timestamp (UTC without an offset) or date (the start of that day in the time zone of the tenant). */
  shipping_date?: string | null | undefined
  /** Of the last output, or as planned. */
  output_batch_number?: string | null | undefined
  /** When the batch of the output was made. */
  output_manufacture_date?: string | null | undefined
  /** The last day of the batch of the output. */
  output_expiry_date?: string | null | undefined
  /** Where materials are taken and output arrives; by default the main place if it allows manufacturing. */
  manufacturing_location_id?: string | number | undefined
  /** Anything worth keeping. */
  notes?: string | null | undefined
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. A name that is null goes, names that are left out stay; afterwards up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. */
  metadata?: Record<string, string | null> | undefined
  /** With `id` a change or removal of that line, without one a new line. */
  items?: readonly UpdateManufacturingOrderItem[] | undefined
}

export type UpdateManufacturingOrderItem = {
  /** The line to change; without it one is added. */
  id?: string | number | undefined
  /** Of an added line. */
  item_variant_id?: string | number | undefined
  /** Total need. */
  quantity?: number | undefined
  /** Whether the line goes. Default: `false`. */
  remove?: boolean | undefined
  /** Instead of `item_variant_id`: the sku of an unarchived variant. */
  sku?: string | undefined
}

export type UpdateOperationBody = {
  /** What people call it. */
  title?: string | undefined
  /** Its place in the technology; several may share one. */
  position?: number | undefined
  /** In the tenant's currency. */
  cost_per_hour?: number | undefined
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. A name that is null goes, names that are left out stay; afterwards up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. */
  metadata?: Record<string, string | null> | undefined
  /** The unit that quantities count (`pcs`, `kg`). */
  unit_name?: string | null | undefined
}

export type UpdateProductBody = {
  /** What people call it. */
  title?: string | undefined
  /** In words. */
  description?: string | null | undefined
  /** A group of your own. */
  category?: string | null | undefined
  /** Whether sales orders take it. */
  is_sellable?: boolean | undefined
  /** Whether manufacturing orders make it; a PRODUCT is, unless said. */
  is_producible?: boolean | undefined
  /** Whether purchase orders take it. */
  is_purchasable?: boolean | undefined
  /** Whether its stock is kept by batch. */
  batch_tracked?: boolean | undefined
  /** How long a batch lasts from its manufacture on. */
  shelf_life_days?: number | null | undefined
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. A name that is null goes, names that are left out stay; afterwards up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. */
  metadata?: Record<string, string | null> | undefined
  /** Whether it is out of use: shown, but not for new documents. */
  archived?: boolean | undefined
  /** With `id` a change of that variant, without one a new variant; others stay. */
  variants?: readonly UpdateProductVariant[] | undefined
  /** The unit that quantities count (`pcs`, `kg`). */
  unit_name?: string | undefined
  /** Stock keeping unit; unique among the tenant's unarchived variants. */
  sku?: string | null | undefined
  /** What scanners read: the first of `barcodes`; naming it replaces the first, null takes it out. */
  barcode?: string | null | undefined
  /** All that scanners read, as it was sent; none of them twice, a GTIN also not with other zeros before it. */
  barcodes?: readonly string[] | undefined
  /** Of the single variant, without tax, in the tenant's currency. */
  price?: number | null | undefined
  /** What a unit usually costs, in the tenant's currency. */
  purchase_price?: number | null | undefined
  /** What should always be there: see `GET /shortages`. */
  minimum_stock?: number | null | undefined
  /** Days until it is there once it is ordered or made; of what is bought, its preferred supplier's item comes first. */
  lead_time_days?: number | null | undefined
  /** Never less is ordered or made at once. */
  minimum_order_quantity?: number | null | undefined
  /** Only multiples of it are ordered or made. */
  order_multiple?: number | null | undefined
  /** Of a KIT, required there: what it is made of, each variant once; a change replaces all. */
  components?: readonly UpdateProductComponent[] | undefined
}

export type UpdateProductComponent = {
  /** The variant. */
  item_variant_id?: string | number | undefined
  /** In the unit of the product. */
  quantity: number
  /** Instead of `item_variant_id`: the sku of an unarchived variant. */
  sku?: string | undefined
}

export type UpdateProductVariant = {
  /** The variant to change; without it one is added. */
  id?: string | number | undefined
  /** What people call it. */
  title?: string | undefined
  /** Stock keeping unit; unique among the tenant's unarchived variants. */
  sku?: string | null | undefined
  /** What scanners read: the first of `barcodes`; naming it replaces the first, null takes it out. */
  barcode?: string | null | undefined
  /** All that scanners read, as it was sent; none of them twice, a GTIN also not with other zeros before it. */
  barcodes?: readonly string[] | undefined
  /** What a unit is sold for, without tax, in the tenant's currency. */
  price?: number | null | undefined
  /** What a unit usually costs, in the tenant's currency. */
  purchase_price?: number | null | undefined
  /** What should always be there: see `GET /shortages`. */
  minimum_stock?: number | null | undefined
  /** Days until it is there once it is ordered or made; of what is bought, its preferred supplier's item comes first. */
  lead_time_days?: number | null | undefined
  /** Never less is ordered or made at once. */
  minimum_order_quantity?: number | null | undefined
  /** Only multiples of it are ordered or made. */
  order_multiple?: number | null | undefined
  /** Of a KIT, required there: what it is made of, each variant once; a change replaces all. */
  components?: readonly UpdateProductVariantComponent[] | undefined
  /** Names and values of your own. */
  attributes?: Record<string, string> | undefined
  /** Your own system's id of the variant, unique among the tenant's variants, archived ones too. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. A name that is null goes, names that are left out stay; afterwards up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. */
  metadata?: Record<string, string | null> | undefined
  /** The variant's own flag; a variant of an archived product is archived in effect. */
  archived?: boolean | undefined
}

export type UpdateProductVariantComponent = {
  /** The variant. */
  item_variant_id?: string | number | undefined
  /** In the unit of the product. */
  quantity: number
  /** Instead of `item_variant_id`: the sku of an unarchived variant. */
  sku?: string | undefined
}

export type UpdatePurchaseOrderBody = {
  /** When the goods should arrive. ISO-8601 timestamp (UTC without an offset) or date (the start of that day in the time zone of the tenant). */
  expected_date?: string | null | undefined
  /** Where its open quantities are expected stock; null is stock without a place. */
  storage_place_id?: string | number | null | undefined
  /** Anything worth keeping. */
  notes?: string | null | undefined
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. A name that is null goes, names that are left out stay; afterwards up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. */
  metadata?: Record<string, string | null> | undefined
  /** With `id` a change or removal of that line, without one a new line. */
  items?: readonly UpdatePurchaseOrderItem[] | undefined
  /** The supplier. */
  supplier_id?: string | number | undefined
}

export type UpdatePurchaseOrderItem = {
  /** The line to change; without it one is added. */
  id?: string | number | undefined
  /** Of an added line. */
  item_variant_id?: string | number | undefined
  /** The number of the batch. */
  batch_number?: string | null | undefined
  /** The last day of the batch; by default the manufacture date and the shelf life. */
  expiry_date?: string | null | undefined
  /** When the goods of the line should arrive; null: when those of the order should. ISO-8601 timestamp (UTC without an offset) or date (the start of that day in the time zone of the tenant). */
  expected_date?: string | null | undefined
  /** In the unit of the product. */
  quantity?: number | undefined
  /** In purchase units; null in a line in stock units. */
  purchase_quantity?: number | undefined
  /** Of an added line. */
  purchase_unit_name?: string | null | undefined
  /** Of an added line. */
  conversion_rate?: number | undefined
  /** Per unit, without tax, in the currency of the document. */
  price?: number | undefined
  /** Of one purchase unit, without tax, in the currency of the document; null in a line in stock units. */
  purchase_price?: number | undefined
  /** What the price is lowered by, in percent. */
  discount_percent?: number | undefined
  /** Percent. */
  tax_rate?: number | undefined
  /** Whether the line goes. Default: `false`. */
  remove?: boolean | undefined
  /** Instead of `item_variant_id`: the sku of an unarchived variant. */
  sku?: string | undefined
}

export type UpdatePurchaseReceiptBody = {
  /** Anything worth keeping. */
  notes?: string | null | undefined
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. A name that is null goes, names that are left out stay; afterwards up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. */
  metadata?: Record<string, string | null> | undefined
}

export type UpdateRecipeBody = {
  /** How many the materials and durations are for. */
  output_quantity?: number | undefined
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. A name that is null goes, names that are left out stay; afterwards up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. */
  metadata?: Record<string, string | null> | undefined
  /** What `output_quantity` of the output takes. */
  materials?: readonly UpdateRecipeMaterial[] | undefined
  /** The work that `output_quantity` of the output takes. */
  operations?: readonly UpdateRecipeOperation[] | undefined
}

export type UpdateRecipeMaterial = {
  /** The variant. */
  item_variant_id?: string | number | undefined
  /** For `output_quantity` of the output. */
  quantity: number
  /** What is lost on the way: so much more is planned, in percent. Default: `0`. */
  scrap_percent?: number | undefined
  /** Anything worth keeping. */
  notes?: string | null | undefined
  /** Instead of `item_variant_id`: the sku of an unarchived variant. */
  sku?: string | undefined
}

export type UpdateRecipeOperation = {
  /** The operation. */
  operation_id: string | number
  /**
   * The type of order that it is for; null serves both.
   *
   * - `MAKE_TO_STOCK`: for the stock
   * - `MAKE_TO_ORDER`: for a sales order.
   */
  operation_type?: "MAKE_TO_STOCK" | "MAKE_TO_ORDER" | null | undefined
  /** Its place in the technology; several may share one. */
  position?: number | undefined
  /** Hours for `output_quantity` of the output. */
  duration: number
  /** In the tenant's currency; by default the operation's. */
  cost_per_hour?: number | undefined
  /** Anything worth keeping. */
  notes?: string | null | undefined
}

export type UpdateReservationBody = {
  /** When it ends by itself; later than now, at most 30 days ahead. ISO-8601 timestamp (UTC without an offset) or date (the start of that day in the time zone of the tenant). */
  expires_at?: string | undefined
  /** Anything worth keeping. */
  notes?: string | null | undefined
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. A name that is null goes, names that are left out stay; afterwards up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. */
  metadata?: Record<string, string | null> | undefined
}

export type UpdateSalesOrderBillingAddress = {
  /** Who receives what is sent there. */
  name?: string | null | undefined
  /** The company there. */
  company?: string | null | undefined
  /** First line of the address. */
  line_1?: string | null | undefined
  /** Second line of the address. */
  line_2?: string | null | undefined
  /** Town. */
  city?: string | null | undefined
  /** State or province. */
  region?: string | null | undefined
  /** Postal code. */
  zip?: string | null | undefined
  /** ISO 3166-1 alpha-2 code. */
  country_code?: string | null | undefined
  /** Where to call. */
  phone?: string | null | undefined
}

export type UpdateSalesOrderBody = {
  /** The tenant's currency per unit of `currency`; 1 in the tenant's own. Kept for whoever books the order. */
  exchange_rate?: number | null | undefined
  /** For your own order of work; the service does nothing with it. */
  priority?: number | undefined
  /** Anything worth keeping. */
  notes?: string | null | undefined
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. A name that is null goes, names that are left out stay; afterwards up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. */
  metadata?: Record<string, string | null> | undefined
  /** When the customer ordered; not ahead of the clock. ISO-8601 timestamp (UTC without an offset) or date (the start of that day in the time zone of the tenant). */
  ordered_at?: string | null | undefined
  /** When the customer should have it. ISO-8601 timestamp (UTC without an offset) or date (the start of that day in the time zone of the tenant). */
  delivery_date?: string | null | undefined
  /** Why it was cancelled. */
  cancel_reason?: string | null | undefined
  /** Where goods are sent to. An object with at least one of its fields. */
  shipping_address?: UpdateSalesOrderShippingAddress | null | undefined
  /** Where invoices are sent to. An object with at least one of its fields. */
  billing_address?: UpdateSalesOrderBillingAddress | null | undefined
  /** With `id` a change or removal of that line, without one a new line. */
  items?: readonly UpdateSalesOrderItem[] | undefined
  /** What the order costs beside its goods; a change replaces all of them. */
  charges?: readonly UpdateSalesOrderCharge[] | undefined
  /** What the order must come to with tax: another total is 409 `total_mismatch`. It is not kept. */
  expected_total_amount_with_tax?: number | null | undefined
  /** The customer. */
  customer_id?: string | number | undefined
  /**
   * Ends the order by hand.
   *
   * - `DONE`: releases what is reserved and moves no stock
   * - `CANCELLED`: the same, while nothing is shipped.
   */
  status?: "DONE" | "CANCELLED" | undefined
  /**
   * Packs or ships all that is left.
   *
   * - `PACKED`: packs what is left to pack
   * - `SHIPPED`: ships what is left, which ends the order.
   */
  delivery_status?: "PACKED" | "SHIPPED" | undefined
}

export type UpdateSalesOrderCharge = {
  /** What it is for, such as shipping. */
  title: string
  /** Without tax; below 0 for a voucher. Only where prices are without tax, and required there. */
  amount?: number | undefined
  /** Percent; 0 unless given, or `taxes` instead. */
  tax_rate?: number | undefined
  /** Several taxes, or their amounts as the shop computed them, instead of `tax_rate`; not with tax_rounding ORDER. */
  taxes?: readonly UpdateSalesOrderChargeTaxe[] | undefined
  /** With tax; below 0 for a voucher. Only where prices include tax, and required there. */
  amount_with_tax?: number | undefined
  /** Your own system's id of the charge; need not be unique. */
  external_ref?: string | null | undefined
}

export type UpdateSalesOrderChargeTaxe = {
  /** What it is called. */
  title: string
  /** Percent. */
  rate: number
  /** The tax as the shop computed it, in the minor unit of the currency; given for all taxes of the entry or for none. */
  amount?: number | null | undefined
}

export type UpdateSalesOrderItem = {
  /** The line to change; without it one is added. */
  id?: string | number | undefined
  /** Of an added line. */
  item_variant_id?: string | number | null | undefined
  /** The variant's when the line was made, or what was said. */
  title?: string | undefined
  /** Where the line reserves and ships; null is stock without a place. */
  storage_place_id?: string | number | null | undefined
  /** In the unit of the product. */
  quantity?: number | undefined
  /** Per unit, in the price mode and currency of the order. */
  price?: number | undefined
  /** What the price is lowered by, in percent. */
  discount_percent?: number | undefined
  /** What is taken off the whole line after discount_percent, in the price mode of the order. */
  discount_amount?: number | undefined
  /** Percent; the sum of the rates of taxes. */
  tax_rate?: number | undefined
  /** Each tax with what it comes to; [] where a tax_rate was given. */
  taxes?: readonly UpdateSalesOrderItemTaxe[] | undefined
  /** Your own system's id of the line; need not be unique. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. A name that is null goes, names that are left out stay; afterwards up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. */
  metadata?: Record<string, string | null> | undefined
  /** Whether the line goes. Default: `false`. */
  remove?: boolean | undefined
  /** Instead of `item_variant_id`: the sku of an unarchived variant. */
  sku?: string | undefined
}

export type UpdateSalesOrderItemTaxe = {
  /** What it is called. */
  title: string
  /** Percent. */
  rate: number
  /** The tax as the shop computed it, in the minor unit of the currency; given for all taxes of the entry or for none. */
  amount?: number | null | undefined
}

export type UpdateSalesOrderShippingAddress = {
  /** Who receives what is sent there. */
  name?: string | null | undefined
  /** The company there. */
  company?: string | null | undefined
  /** First line of the address. */
  line_1?: string | null | undefined
  /** Second line of the address. */
  line_2?: string | null | undefined
  /** Town. */
  city?: string | null | undefined
  /** State or province. */
  region?: string | null | undefined
  /** Postal code. */
  zip?: string | null | undefined
  /** ISO 3166-1 alpha-2 code. */
  country_code?: string | null | undefined
  /** Where to call. */
  phone?: string | null | undefined
}

export type UpdateSalesReturnBody = {
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref?: string | null | undefined
  /** Anything worth keeping. */
  notes?: string | null | undefined
  /** Names and texts of your own. A name that is null goes, names that are left out stay; afterwards up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. */
  metadata?: Record<string, string | null> | undefined
}

export type UpdateSalesShipmentBody = {
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. A name that is null goes, names that are left out stay; afterwards up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. */
  metadata?: Record<string, string | null> | undefined
  /** Who carries the goods. */
  carrier?: string | null | undefined
  /** The carrier's number of the parcel. */
  tracking_number?: string | null | undefined
  /** Where to follow the parcel. */
  tracking_url?: string | null | undefined
  /** Anything worth keeping. */
  notes?: string | null | undefined
}

export type UpdateStockAdjustmentBody = {
  /** Anything worth keeping. */
  notes?: string | null | undefined
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. A name that is null goes, names that are left out stay; afterwards up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. */
  metadata?: Record<string, string | null> | undefined
}

export type UpdateStockCountBody = {
  /** What people call it. */
  title?: string | null | undefined
  /** Anything worth keeping. */
  notes?: string | null | undefined
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. A name that is null goes, names that are left out stay; afterwards up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. */
  metadata?: Record<string, string | null> | undefined
  /** What is counted: the line of a variant and batch that has one is counted anew, else a line is added. */
  items?: readonly UpdateStockCountItem[] | undefined
}

export type UpdateStockCountItem = {
  /** The variant. */
  item_variant_id?: string | number | undefined
  /** The batch; null where there is none. */
  batch_id?: string | number | null | undefined
  /** The number of the batch; a number that is new makes a batch. */
  batch_number?: string | null | undefined
  /** When the batch was made. */
  manufacture_date?: string | null | undefined
  /** The last day of the batch; by default the manufacture date and the shelf life. */
  expiry_date?: string | null | undefined
  /** What is physically there; required unless the line goes. */
  counted_quantity?: number | undefined
  /** Whether the line of this variant and batch goes. Default: `false`. */
  remove?: boolean | undefined
  /** Instead of `item_variant_id`: the sku of an unarchived variant. */
  sku?: string | undefined
}

export type UpdateStockTransferBody = {
  /** Anything worth keeping. */
  notes?: string | null | undefined
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. A name that is null goes, names that are left out stay; afterwards up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. */
  metadata?: Record<string, string | null> | undefined
}

export type UpdateStoragePlaceAddress = {
  /** The company there. */
  company?: string | null | undefined
  /** First line of the address. */
  line_1?: string | null | undefined
  /** Second line of the address. */
  line_2?: string | null | undefined
  /** Town. */
  city?: string | null | undefined
  /** State or province. */
  region?: string | null | undefined
  /** Postal code. */
  zip?: string | null | undefined
  /** ISO 3166-1 alpha-2 code. */
  country_code?: string | null | undefined
}

export type UpdateStoragePlaceBody = {
  /** What people call it. */
  title?: string | undefined
  /** A short name. */
  code?: string | null | undefined
  /** Whether manufacturing orders may use it. */
  manufacturing_allowed?: boolean | undefined
  /** Whether sales orders may ship from it. */
  sales_allowed?: boolean | undefined
  /** Whether receipts may go there. */
  purchase_allowed?: boolean | undefined
  /** Where it is. */
  address?: UpdateStoragePlaceAddress | null | undefined
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. A name that is null goes, names that are left out stay; afterwards up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. */
  metadata?: Record<string, string | null> | undefined
  /** Whether it is out of use: shown, but not for new documents. */
  archived?: boolean | undefined
}

export type UpdateSupplierAddress = {
  /** Who receives what is sent there. */
  name?: string | null | undefined
  /** The company there. */
  company?: string | null | undefined
  /** First line of the address. */
  line_1?: string | null | undefined
  /** Second line of the address. */
  line_2?: string | null | undefined
  /** Town. */
  city?: string | null | undefined
  /** State or province. */
  region?: string | null | undefined
  /** Postal code. */
  zip?: string | null | undefined
  /** ISO 3166-1 alpha-2 code. */
  country_code?: string | null | undefined
  /** Where to call. */
  phone?: string | null | undefined
}

export type UpdateSupplierBody = {
  /** What people call it. */
  title?: string | undefined
  /** ISO 3166-1 alpha-2 code. */
  country_code?: string | null | undefined
  /** Where to write to. */
  email?: string | null | undefined
  /** Where to call. */
  phone?: string | null | undefined
  /** For invoices (VAT identification number). */
  tax_number?: string | null | undefined
  /** ISO 4217 code. */
  currency?: string | null | undefined
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. A name that is null goes, names that are left out stay; afterwards up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. */
  metadata?: Record<string, string | null> | undefined
  /** Where it is. An object with at least one of its fields. */
  address?: UpdateSupplierAddress | null | undefined
  /** Whether it is out of use: shown, but not for new documents. */
  archived?: boolean | undefined
}

export type UpdateSupplierItemBody = {
  /** What the supplier calls the variant. */
  supplier_sku?: string | null | undefined
  /** The unit in which the supplier sells (`box of 12`). */
  purchase_unit_name?: string | null | undefined
  /** How many stock units are in one purchase unit. */
  conversion_rate?: number | undefined
  /** Of one purchase unit, without tax; null: the purchase price of the variant counts. */
  price?: number | null | undefined
  /** Of the price, which counts in orders of this currency alone; null: in orders of any currency. */
  currency?: string | null | undefined
  /** The least that the supplier sells at once, in purchase units. */
  minimum_quantity?: number | null | undefined
  /** The supplier sells multiples of this, in purchase units. */
  multiple_of?: number | null | undefined
  /** Days from order to delivery. */
  lead_time_days?: number | null | undefined
  /** Whether the variant is bought so; true ends it for the other item of the variant that was preferred. */
  is_preferred?: boolean | undefined
  /** Anything worth keeping. */
  notes?: string | null | undefined
  /** Your own system's id of it, unique per tenant and kind. */
  external_ref?: string | null | undefined
  /** Names and texts of your own. A name that is null goes, names that are left out stay; afterwards up to 50 names of 1 to 40 letters, digits, `_`, `.` and `-` that begin with a letter or digit; at most 16384 bytes of JSON. */
  metadata?: Record<string, string | null> | undefined
  /** Whether it is out of use: shown, but not for new documents. */
  archived?: boolean | undefined
}

export type UpdateWebhookSubscriptionBody = {
  /** Where events are sent to. */
  url?: string | undefined
  /** What it is for. */
  description?: string | null | undefined
  /**
   * The kinds that are sent, or `["*"]` for all of them, also those that come later.
   *
   * - `product.created`: A product was created
   * - `product.updated`: A product or one of its variants was changed
   * - `storage_place.created`: A storage place was created
   * - `storage_place.updated`: A storage place was changed
   * - `supplier.created`: A supplier was created, also by a purchase order
   * - `supplier.updated`: A supplier was changed
   * - `customer.created`: A customer was created, also by a sales order
   * - `customer.updated`: A customer was changed
   * - `stock.changed`: Physical, quarantine, expired, reserved or expected quantity of a variant at a place changed: its levels over all batches
   * - `kit.changed`: Another number of a kit could be sold at a place, since its components or their stock changed. Published behind the `stock.changed` of the same write; `previous` is null where the kit had no row
   * - `batch.updated`: The number or a date of a batch changed, or it is good again because the time zone of its tenant changed
   * - `batch.expired`: The last day of a batch ended in the time zone of its tenant
   * - `stock_adjustment.created`: Stock was adjusted
   * - `stock_adjustment.updated`: What is noted of a stock adjustment changed
   * - `stock_adjustment.reversed`: A stock adjustment was reversed
   * - `stock_transfer.created`: Stock was transferred
   * - `stock_transfer.updated`: What is noted of a stock transfer changed
   * - `stock_transfer.reversed`: A stock transfer was reversed
   * - `stock_count.created`: A stock count began
   * - `stock_count.updated`: Something was counted, or what is noted of a stock count changed
   * - `stock_count.completed`: The differences of a stock count were booked
   * - `stock_count.cancelled`: A stock count was cancelled
   * - `operation.created`: An operation was created
   * - `operation.updated`: An operation was changed
   * - `recipe.created`: A recipe was created
   * - `recipe.updated`: A recipe was changed
   * - `manufacturing_order.created`: A manufacturing order was created
   * - `manufacturing_order.updated`: Fields, the quantity, the place or materials of a manufacturing order changed
   * - `manufacturing_order.started`: Materials were written off; work began
   * - `manufacturing_order.partially_done`: A part of the output came into stock
   * - `manufacturing_order.done`: A manufacturing order was completed
   * - `manufacturing_order.blocked`: A manufacturing order was blocked
   * - `manufacturing_order.unblocked`: A manufacturing order went on
   * - `manufacturing_order.deleted`: A manufacturing order was deleted; `data` is as it last was
   * - `supplier_item.created`: A supplier item was created
   * - `supplier_item.updated`: A supplier item was changed, or is preferred no more
   * - `purchase_order.created`: A purchase order was created
   * - `purchase_order.updated`: Fields or lines of a purchase order changed, or a receipt left it open
   * - `purchase_order.done`: A purchase order was received in full, closed, or lost what was outstanding
   * - `purchase_receipt.created`: Goods were received
   * - `purchase_receipt.updated`: What is noted of a receipt changed
   * - `purchase_receipt.reversed`: A receipt was reversed
   * - `landed_cost.created`: A landed cost was booked
   * - `landed_cost.updated`: What is noted of a landed cost changed
   * - `landed_cost.reversed`: A landed cost was reversed
   * - `reservation.created`: Goods are held
   * - `reservation.updated`: `expires_at`, notes, `external_ref` or metadata of a reservation changed
   * - `reservation.released`: A reservation was let go
   * - `reservation.expired`: The time of a reservation was over
   * - `reservation.consumed`: A sales order took a reservation
   * - `sales_order.created`: A sales order was created
   * - `sales_order.updated`: Fields, lines, charges, packing, or a part of the shipment changed
   * - `sales_order.shipped`: All of a sales order is shipped
   * - `sales_order.done`: A sales order was set done by hand
   * - `sales_order.cancelled`: A sales order was cancelled
   * - `sales_shipment.created`: Goods were shipped
   * - `sales_shipment.updated`: Carrier, tracking, notes, `external_ref` or metadata of a shipment changed
   * - `sales_shipment.reversed`: A shipment was reversed
   * - `sales_return.created`: A sales return was announced
   * - `sales_return.updated`: What is noted of a sales return changed
   * - `sales_return.returned`: Returned goods came back into stock
   * - `sales_return.cancelled`: A sales return was cancelled
   * - `webhook.test`: Asked for with the test endpoint; sent to the tested subscription only, and not in the event feed
   * - `*`: All kinds, also those that come later.
   */
  events?: readonly ("product.created" | "product.updated" | "storage_place.created" | "storage_place.updated" | "supplier.created" | "supplier.updated" | "customer.created" | "customer.updated" | "stock.changed" | "kit.changed" | "batch.updated" | "batch.expired" | "stock_adjustment.created" | "stock_adjustment.updated" | "stock_adjustment.reversed" | "stock_transfer.created" | "stock_transfer.updated" | "stock_transfer.reversed" | "stock_count.created" | "stock_count.updated" | "stock_count.completed" | "stock_count.cancelled" | "operation.created" | "operation.updated" | "recipe.created" | "recipe.updated" | "manufacturing_order.created" | "manufacturing_order.updated" | "manufacturing_order.started" | "manufacturing_order.partially_done" | "manufacturing_order.done" | "manufacturing_order.blocked" | "manufacturing_order.unblocked" | "manufacturing_order.deleted" | "supplier_item.created" | "supplier_item.updated" | "purchase_order.created" | "purchase_order.updated" | "purchase_order.done" | "purchase_receipt.created" | "purchase_receipt.updated" | "purchase_receipt.reversed" | "landed_cost.created" | "landed_cost.updated" | "landed_cost.reversed" | "reservation.created" | "reservation.updated" | "reservation.released" | "reservation.expired" | "reservation.consumed" | "sales_order.created" | "sales_order.updated" | "sales_order.shipped" | "sales_order.done" | "sales_order.cancelled" | "sales_shipment.created" | "sales_shipment.updated" | "sales_shipment.reversed" | "sales_return.created" | "sales_return.updated" | "sales_return.returned" | "sales_return.cancelled" | "webhook.test" | "*")[] | undefined
  /** Whether anything is sent. */
  enabled?: boolean | undefined
}

export type WebhookDelivery = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** The id of the event. */
  event_id: string
  /** The kind of the event. */
  event_type: string
  /** Null for test events. */
  sequence: number | null
  /**
   * What became of it.
   *
   * - `pending`: not sent yet, or to be tried again
   * - `succeeded`: received
   * - `failed`: given up.
   */
  status: "pending" | "succeeded" | "failed"
  /** Of all rounds, redeliveries included. */
  attempts: number
  /** Of the last attempt; null without an answer. */
  response_status: number | null
  /** How long the last attempt took. */
  duration_ms: number | null
  /** Why the last attempt failed. */
  error: string | null
  /** When it is tried next; null: not again. */
  next_attempt_at: string | null
  /** When it was made. */
  created_at: string
  /** When it succeeded, or was given up. */
  completed_at: string | null
}

export type WebhookEventKind = {
  /**
   * The `type` of its events.
   *
   * - `product.created`: A product was created
   * - `product.updated`: A product or one of its variants was changed
   * - `storage_place.created`: A storage place was created
   * - `storage_place.updated`: A storage place was changed
   * - `supplier.created`: A supplier was created, also by a purchase order
   * - `supplier.updated`: A supplier was changed
   * - `customer.created`: A customer was created, also by a sales order
   * - `customer.updated`: A customer was changed
   * - `stock.changed`: Physical, quarantine, expired, reserved or expected quantity of a variant at a place changed: its levels over all batches
   * - `kit.changed`: Another number of a kit could be sold at a place, since its components or their stock changed. Published behind the `stock.changed` of the same write; `previous` is null where the kit had no row
   * - `batch.updated`: The number or a date of a batch changed, or it is good again because the time zone of its tenant changed
   * - `batch.expired`: The last day of a batch ended in the time zone of its tenant
   * - `stock_adjustment.created`: Stock was adjusted
   * - `stock_adjustment.updated`: What is noted of a stock adjustment changed
   * - `stock_adjustment.reversed`: A stock adjustment was reversed
   * - `stock_transfer.created`: Stock was transferred
   * - `stock_transfer.updated`: What is noted of a stock transfer changed
   * - `stock_transfer.reversed`: A stock transfer was reversed
   * - `stock_count.created`: A stock count began
   * - `stock_count.updated`: Something was counted, or what is noted of a stock count changed
   * - `stock_count.completed`: The differences of a stock count were booked
   * - `stock_count.cancelled`: A stock count was cancelled
   * - `operation.created`: An operation was created
   * - `operation.updated`: An operation was changed
   * - `recipe.created`: A recipe was created
   * - `recipe.updated`: A recipe was changed
   * - `manufacturing_order.created`: A manufacturing order was created
   * - `manufacturing_order.updated`: Fields, the quantity, the place or materials of a manufacturing order changed
   * - `manufacturing_order.started`: Materials were written off; work began
   * - `manufacturing_order.partially_done`: A part of the output came into stock
   * - `manufacturing_order.done`: A manufacturing order was completed
   * - `manufacturing_order.blocked`: A manufacturing order was blocked
   * - `manufacturing_order.unblocked`: A manufacturing order went on
   * - `manufacturing_order.deleted`: A manufacturing order was deleted; `data` is as it last was
   * - `supplier_item.created`: A supplier item was created
   * - `supplier_item.updated`: A supplier item was changed, or is preferred no more
   * - `purchase_order.created`: A purchase order was created
   * - `purchase_order.updated`: Fields or lines of a purchase order changed, or a receipt left it open
   * - `purchase_order.done`: A purchase order was received in full, closed, or lost what was outstanding
   * - `purchase_receipt.created`: Goods were received
   * - `purchase_receipt.updated`: What is noted of a receipt changed
   * - `purchase_receipt.reversed`: A receipt was reversed
   * - `landed_cost.created`: A landed cost was booked
   * - `landed_cost.updated`: What is noted of a landed cost changed
   * - `landed_cost.reversed`: A landed cost was reversed
   * - `reservation.created`: Goods are held
   * - `reservation.updated`: `expires_at`, notes, `external_ref` or metadata of a reservation changed
   * - `reservation.released`: A reservation was let go
   * - `reservation.expired`: The time of a reservation was over
   * - `reservation.consumed`: A sales order took a reservation
   * - `sales_order.created`: A sales order was created
   * - `sales_order.updated`: Fields, lines, charges, packing, or a part of the shipment changed
   * - `sales_order.shipped`: All of a sales order is shipped
   * - `sales_order.done`: A sales order was set done by hand
   * - `sales_order.cancelled`: A sales order was cancelled
   * - `sales_shipment.created`: Goods were shipped
   * - `sales_shipment.updated`: Carrier, tracking, notes, `external_ref` or metadata of a shipment changed
   * - `sales_shipment.reversed`: A shipment was reversed
   * - `sales_return.created`: A sales return was announced
   * - `sales_return.updated`: What is noted of a sales return changed
   * - `sales_return.returned`: Returned goods came back into stock
   * - `sales_return.cancelled`: A sales return was cancelled
   * - `webhook.test`: Asked for with the test endpoint; sent to the tested subscription only, and not in the event feed.
   */
  kind: "product.created" | "product.updated" | "storage_place.created" | "storage_place.updated" | "supplier.created" | "supplier.updated" | "customer.created" | "customer.updated" | "stock.changed" | "kit.changed" | "batch.updated" | "batch.expired" | "stock_adjustment.created" | "stock_adjustment.updated" | "stock_adjustment.reversed" | "stock_transfer.created" | "stock_transfer.updated" | "stock_transfer.reversed" | "stock_count.created" | "stock_count.updated" | "stock_count.completed" | "stock_count.cancelled" | "operation.created" | "operation.updated" | "recipe.created" | "recipe.updated" | "manufacturing_order.created" | "manufacturing_order.updated" | "manufacturing_order.started" | "manufacturing_order.partially_done" | "manufacturing_order.done" | "manufacturing_order.blocked" | "manufacturing_order.unblocked" | "manufacturing_order.deleted" | "supplier_item.created" | "supplier_item.updated" | "purchase_order.created" | "purchase_order.updated" | "purchase_order.done" | "purchase_receipt.created" | "purchase_receipt.updated" | "purchase_receipt.reversed" | "landed_cost.created" | "landed_cost.updated" | "landed_cost.reversed" | "reservation.created" | "reservation.updated" | "reservation.released" | "reservation.expired" | "reservation.consumed" | "sales_order.created" | "sales_order.updated" | "sales_order.shipped" | "sales_order.done" | "sales_order.cancelled" | "sales_shipment.created" | "sales_shipment.updated" | "sales_shipment.reversed" | "sales_return.created" | "sales_return.updated" | "sales_return.returned" | "sales_return.cancelled" | "webhook.test"
  /** In words. */
  description: string
  /** JSON Schema of the event's body. */
  schema: Record<string, unknown>
}

export type WebhookRecovery = {
  /** Events that are sent. */
  count: number
}

export type WebhookSecret = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** `whsec_...`, shown once: null in a replay. */
  secret: string | null
}

export type WebhookSubscription = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** Where events are sent to. */
  url: string
  /** What it is for. */
  description: string | null
  /** Event kinds, or `["*"]` for all of them. */
  events: string[]
  /** Whether anything is sent. */
  enabled: boolean
  /**
   * How it does.
   *
   * - `active`: deliveries succeed, or none has failed 5 times in a row
   * - `failing`: after 5 failed attempts in a row; one success makes it active
   * - `disabled`: after HTTP 410, after 72 h without success and 10 failed attempts in a row, or by hand.
   */
  status: "active" | "failing" | "disabled"
  /** Failed attempts since the last success. */
  consecutive_failures: number
  /** When it was made. */
  created_at: string
  /** The last success. */
  last_delivery_at: string | null
  /** When an attempt failed last. */
  last_failure_at: string | null
  /** Why it failed. */
  last_failure_reason: string | null
}

export type WebhookSubscriptionWithSecret = {
  /** Unique across all tenants; an int64 as text. */
  id: string
  /** Where events are sent to. */
  url: string
  /** What it is for. */
  description: string | null
  /** Event kinds, or `["*"]` for all of them. */
  events: string[]
  /** Whether anything is sent. */
  enabled: boolean
  /**
   * How it does.
   *
   * - `active`: deliveries succeed, or none has failed 5 times in a row
   * - `failing`: after 5 failed attempts in a row; one success makes it active
   * - `disabled`: after HTTP 410, after 72 h without success and 10 failed attempts in a row, or by hand.
   */
  status: "active" | "failing" | "disabled"
  /** Failed attempts since the last success. */
  consecutive_failures: number
  /** When it was made. */
  created_at: string
  /** The last success. */
  last_delivery_at: string | null
  /** When an attempt failed last. */
  last_failure_at: string | null
  /** Why it failed. */
  last_failure_reason: string | null
  /** `whsec_...`, shown once: null in a replay. */
  secret: string | null
}

export type WebhookTest = {
  /** The subscription that is tested. */
  subscription_id: string
}

/** A product was created. */
export type ProductCreatedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "product.created"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: Product | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** A product or one of its variants was changed. */
export type ProductUpdatedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "product.updated"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: Product | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** A storage place was created. */
export type StoragePlaceCreatedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "storage_place.created"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: StoragePlace | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** A storage place was changed. */
export type StoragePlaceUpdatedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "storage_place.updated"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: StoragePlace | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** A supplier was created, also by a purchase order. */
export type SupplierCreatedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "supplier.created"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: Supplier | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** A supplier was changed. */
export type SupplierUpdatedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "supplier.updated"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: Supplier | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** A customer was created, also by a sales order. */
export type CustomerCreatedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "customer.created"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: Customer | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** A customer was changed. */
export type CustomerUpdatedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "customer.updated"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: Customer | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** Physical, quarantine, expired, reserved or expected quantity of a variant at a place changed: its levels over all batches. */
export type StockChangedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "stock.changed"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: Availability | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** Another number of a kit could be sold at a place, since its components or their stock changed. Published behind the `stock.changed` of the same write; `previous` is null where the kit had no row. */
export type KitChangedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "kit.changed"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: Availability | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** The number or a date of a batch changed, or it is good again because the time zone of its tenant changed. */
export type BatchUpdatedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "batch.updated"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: Batch | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** The last day of a batch ended in the time zone of its tenant. */
export type BatchExpiredEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "batch.expired"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: Batch | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** Stock was adjusted. */
export type StockAdjustmentCreatedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "stock_adjustment.created"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: StockAdjustment | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** What is noted of a stock adjustment changed. */
export type StockAdjustmentUpdatedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "stock_adjustment.updated"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: StockAdjustment | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** A stock adjustment was reversed. */
export type StockAdjustmentReversedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "stock_adjustment.reversed"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: StockAdjustment | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** Stock was transferred. */
export type StockTransferCreatedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "stock_transfer.created"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: StockTransfer | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** What is noted of a stock transfer changed. */
export type StockTransferUpdatedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "stock_transfer.updated"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: StockTransfer | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** A stock transfer was reversed. */
export type StockTransferReversedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "stock_transfer.reversed"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: StockTransfer | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** A stock count began. */
export type StockCountCreatedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "stock_count.created"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: StockCount | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** Something was counted, or what is noted of a stock count changed. */
export type StockCountUpdatedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "stock_count.updated"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: StockCount | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** The differences of a stock count were booked. */
export type StockCountCompletedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "stock_count.completed"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: StockCount | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** A stock count was cancelled. */
export type StockCountCancelledEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "stock_count.cancelled"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: StockCount | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** An operation was created. */
export type OperationCreatedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "operation.created"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: Operation | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** An operation was changed. */
export type OperationUpdatedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "operation.updated"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: Operation | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** A recipe was created. */
export type RecipeCreatedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "recipe.created"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: Recipe | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** A recipe was changed. */
export type RecipeUpdatedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "recipe.updated"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: Recipe | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** A manufacturing order was created. */
export type ManufacturingOrderCreatedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "manufacturing_order.created"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: ManufacturingOrder | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** Fields, the quantity, the place or materials of a manufacturing order changed. */
export type ManufacturingOrderUpdatedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "manufacturing_order.updated"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: ManufacturingOrder | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** Materials were written off; work began. */
export type ManufacturingOrderStartedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "manufacturing_order.started"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: ManufacturingOrder | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** A part of the output came into stock. */
export type ManufacturingOrderPartiallyDoneEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "manufacturing_order.partially_done"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: ManufacturingOrder | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** A manufacturing order was completed. */
export type ManufacturingOrderDoneEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "manufacturing_order.done"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: ManufacturingOrder | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** A manufacturing order was blocked. */
export type ManufacturingOrderBlockedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "manufacturing_order.blocked"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: ManufacturingOrder | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** A manufacturing order went on. */
export type ManufacturingOrderUnblockedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "manufacturing_order.unblocked"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: ManufacturingOrder | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** A manufacturing order was deleted; `data` is as it last was. */
export type ManufacturingOrderDeletedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "manufacturing_order.deleted"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: ManufacturingOrder | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** A supplier item was created. */
export type SupplierItemCreatedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "supplier_item.created"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: SupplierItem | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** A supplier item was changed, or is preferred no more. */
export type SupplierItemUpdatedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "supplier_item.updated"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: SupplierItem | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** A purchase order was created. */
export type PurchaseOrderCreatedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "purchase_order.created"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: PurchaseOrder | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** Fields or lines of a purchase order changed, or a receipt left it open. */
export type PurchaseOrderUpdatedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "purchase_order.updated"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: PurchaseOrder | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** A purchase order was received in full, closed, or lost what was outstanding. */
export type PurchaseOrderDoneEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "purchase_order.done"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: PurchaseOrder | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** Goods were received. */
export type PurchaseReceiptCreatedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "purchase_receipt.created"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: PurchaseReceipt | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** What is noted of a receipt changed. */
export type PurchaseReceiptUpdatedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "purchase_receipt.updated"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: PurchaseReceipt | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** A receipt was reversed. */
export type PurchaseReceiptReversedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "purchase_receipt.reversed"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: PurchaseReceipt | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** A landed cost was booked. */
export type LandedCostCreatedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "landed_cost.created"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: LandedCost | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** What is noted of a landed cost changed. */
export type LandedCostUpdatedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "landed_cost.updated"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: LandedCost | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** A landed cost was reversed. */
export type LandedCostReversedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "landed_cost.reversed"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: LandedCost | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** Goods are held. */
export type ReservationCreatedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "reservation.created"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: Reservation | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** `expires_at`, notes, `external_ref` or metadata of a reservation changed. */
export type ReservationUpdatedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "reservation.updated"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: Reservation | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** A reservation was let go. */
export type ReservationReleasedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "reservation.released"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: Reservation | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** The time of a reservation was over. */
export type ReservationExpiredEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "reservation.expired"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: Reservation | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** A sales order took a reservation. */
export type ReservationConsumedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "reservation.consumed"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: Reservation | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** A sales order was created. */
export type SalesOrderCreatedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "sales_order.created"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: SalesOrder | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** Fields, lines, charges, packing, or a part of the shipment changed. */
export type SalesOrderUpdatedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "sales_order.updated"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: SalesOrder | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** All of a sales order is shipped. */
export type SalesOrderShippedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "sales_order.shipped"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: SalesOrder | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** A sales order was set done by hand. */
export type SalesOrderDoneEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "sales_order.done"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: SalesOrder | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** A sales order was cancelled. */
export type SalesOrderCancelledEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "sales_order.cancelled"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: SalesOrder | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** Goods were shipped. */
export type SalesShipmentCreatedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "sales_shipment.created"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: SalesShipment | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** Carrier, tracking, notes, `external_ref` or metadata of a shipment changed. */
export type SalesShipmentUpdatedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "sales_shipment.updated"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: SalesShipment | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** A shipment was reversed. */
export type SalesShipmentReversedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "sales_shipment.reversed"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: SalesShipment | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** A sales return was announced. */
export type SalesReturnCreatedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "sales_return.created"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: SalesReturn | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** What is noted of a sales return changed. */
export type SalesReturnUpdatedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "sales_return.updated"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: SalesReturn | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** Returned goods came back into stock. */
export type SalesReturnReturnedEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "sales_return.returned"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: SalesReturn | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** A sales return was cancelled. */
export type SalesReturnCancelledEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "sales_return.cancelled"
  /** When the write that caused it ran. */
  timestamp: string
  /** Rises by one per tenant, without gaps; by more only after a failover of the database. */
  sequence: number
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The resource after the write. */
  data: SalesReturn | TruncatedEventData
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** Asked for with the test endpoint; sent to the tested subscription only, and not in the event feed. */
export type WebhookTestEvent = {
  /** The same on every attempt and redelivery; equals the header webhook-id. */
  id: string
  /** The kind of the event. */
  type: "webhook.test"
  /** When the write that caused it ran. */
  timestamp: string
  /** Test events have no place among the others. */
  sequence: null
  /** The version of this form. */
  api_version: "1.0.0"
  /** Who caused it; null where the service acted by itself. Events from before the service kept it have no `actor`. */
  actor?: EventActor | null
  /** The subscription that is tested. */
  data: WebhookTest
  /** Old values of the fields that changed; null on creation and beside truncated data. */
  previous: Record<string, unknown> | null
}

/** Instead of a body over 64 KiB: read the resource itself. */
export type TruncatedEventData = {
  /** Of the resource. */
  id: string | null
  /** Tells it from a resource. */
  truncated: true
}

/** Query of `GET /products`. */
export type ListProductsQuery = {
  /** How many records a page holds at most. Default: `50`. */
  limit?: number | undefined
  /** `next_cursor` of the page before, unchanged; without it reading starts from the beginning. */
  cursor?: string | undefined
  /**
   * The order that the list has, unless the endpoint says otherwise, or its opposite; a cursor continues in the order in which it was made; `desc` together with `updated_after` is 400.
   *
   * - `asc`: by its positions
   * - `desc`: the opposite.
   */
  order?: "asc" | "desc" | undefined
  /** Only what has one of these in `id`, joined by commas. */
  id?: string | number | readonly (string | number)[] | undefined
  /** Only what has this `external_ref`. */
  external_ref?: string | undefined
  /** Only what has this `sku`. */
  sku?: string | undefined
  /** Only products with one of these variants. */
  item_variant_id?: string | number | readonly (string | number)[] | undefined
  /** One of the barcodes of a variant; GTINs are equal with zeros before them. */
  barcode?: string | undefined
  /** Only the product with the variant of this `external_ref`. */
  variant_external_ref?: string | undefined
  /** Every word, in any case, is part of what the endpoint searches. */
  q?: string | undefined
  /**
   * Only what has this `type`.
   *
   * - `PRODUCT`: made or bought, and sold
   * - `MATERIAL`: goes into what is made
   * - `SERVICE`: holds no stock: on orders it is counted without movements
   * - `KIT`: holds no stock: the components of its variants leave instead.
   */
  type?: "PRODUCT" | "MATERIAL" | "SERVICE" | "KIT" | undefined
  /** Only archived records, or only the others. */
  archived?: boolean | undefined
  /** Changed at or after this; the list goes by `updated_at` then; with `order=desc` it is 400, since what changes while you page would be missed. ISO-8601 date or timestamp; without an offset it is UTC. */
  updated_after?: string | undefined
}

/** Query of `GET /storage-places`. */
export type ListStoragePlacesQuery = {
  /** How many records a page holds at most. Default: `50`. */
  limit?: number | undefined
  /** `next_cursor` of the page before, unchanged; without it reading starts from the beginning. */
  cursor?: string | undefined
  /**
   * The order that the list has, unless the endpoint says otherwise, or its opposite; a cursor continues in the order in which it was made; `desc` together with `updated_after` is 400.
   *
   * - `asc`: by its positions
   * - `desc`: the opposite.
   */
  order?: "asc" | "desc" | undefined
  /** Only what has one of these in `id`, joined by commas. */
  id?: string | number | readonly (string | number)[] | undefined
  /** Only what has this `external_ref`. */
  external_ref?: string | undefined
  /** Only what has this `code`. */
  code?: string | undefined
  /** Only archived records, or only the others. */
  archived?: boolean | undefined
  /** Changed at or after this; the list goes by `updated_at` then; with `order=desc` it is 400, since what changes while you page would be missed. ISO-8601 date or timestamp; without an offset it is UTC. */
  updated_after?: string | undefined
}

/** Query of `GET /suppliers`. */
export type ListSuppliersQuery = {
  /** How many records a page holds at most. Default: `50`. */
  limit?: number | undefined
  /** `next_cursor` of the page before, unchanged; without it reading starts from the beginning. */
  cursor?: string | undefined
  /**
   * The order that the list has, unless the endpoint says otherwise, or its opposite; a cursor continues in the order in which it was made; `desc` together with `updated_after` is 400.
   *
   * - `asc`: by its positions
   * - `desc`: the opposite.
   */
  order?: "asc" | "desc" | undefined
  /** Only what has one of these in `id`, joined by commas. */
  id?: string | number | readonly (string | number)[] | undefined
  /** Only what has this `external_ref`. */
  external_ref?: string | undefined
  /** Only archived records, or only the others. */
  archived?: boolean | undefined
  /** Every word, in any case, is part of what the endpoint searches. */
  q?: string | undefined
  /** Changed at or after this; the list goes by `updated_at` then; with `order=desc` it is 400, since what changes while you page would be missed. ISO-8601 date or timestamp; without an offset it is UTC. */
  updated_after?: string | undefined
}

/** Query of `GET /customers`. */
export type ListCustomersQuery = {
  /** How many records a page holds at most. Default: `50`. */
  limit?: number | undefined
  /** `next_cursor` of the page before, unchanged; without it reading starts from the beginning. */
  cursor?: string | undefined
  /**
   * The order that the list has, unless the endpoint says otherwise, or its opposite; a cursor continues in the order in which it was made; `desc` together with `updated_after` is 400.
   *
   * - `asc`: by its positions
   * - `desc`: the opposite.
   */
  order?: "asc" | "desc" | undefined
  /** Only what has one of these in `id`, joined by commas. */
  id?: string | number | readonly (string | number)[] | undefined
  /** Only what has this `external_ref`. */
  external_ref?: string | undefined
  /** Only archived records, or only the others. */
  archived?: boolean | undefined
  /** Every word, in any case, is part of what the endpoint searches. */
  q?: string | undefined
  /** Changed at or after this; the list goes by `updated_at` then; with `order=desc` it is 400, since what changes while you page would be missed. ISO-8601 date or timestamp; without an offset it is UTC. */
  updated_after?: string | undefined
}

/** Query of `GET /stock`. */
export type ListStockQuery = {
  /** How many records a page holds at most. Default: `50`. */
  limit?: number | undefined
  /** `next_cursor` of the page before, unchanged; without it reading starts from the beginning. */
  cursor?: string | undefined
  /**
   * The order that the list has, unless the endpoint says otherwise, or its opposite; a cursor continues in the order in which it was made; `desc` together with `updated_after` is 400.
   *
   * - `asc`: by its positions
   * - `desc`: the opposite.
   */
  order?: "asc" | "desc" | undefined
  /** Only what has one of these in `id`, joined by commas. */
  id?: string | number | readonly (string | number)[] | undefined
  /** Only what has one of these in `batch_id`, joined by commas. */
  batch_id?: string | number | readonly (string | number)[] | undefined
  /** Only what has one of these in `item_variant_id`, joined by commas. */
  item_variant_id?: string | number | readonly (string | number)[] | undefined
  /** Only what has this `sku`. */
  sku?: string | undefined
  /** Only what has this `batch_number`. */
  batch_number?: string | undefined
  /** Only what has one of these in `storage_place_id`, joined by commas. */
  storage_place_id?: string | number | readonly (string | number)[] | undefined
  /** Changed at or after this; the list goes by `updated_at` then; with `order=desc` it is 400, since what changes while you page would be missed. ISO-8601 date or timestamp; without an offset it is UTC. */
  updated_after?: string | undefined
}

/** Query of `GET /availability`. */
export type ListAvailabilityQuery = {
  /** How many records a page holds at most. Default: `50`. */
  limit?: number | undefined
  /** `next_cursor` of the page before, unchanged; without it reading starts from the beginning. */
  cursor?: string | undefined
  /**
   * The order that the list has, unless the endpoint says otherwise, or its opposite; a cursor continues in the order in which it was made; `desc` together with `updated_after` is 400.
   *
   * - `asc`: by its positions
   * - `desc`: the opposite.
   */
  order?: "asc" | "desc" | undefined
  /** Only what has one of these in `item_variant_id`, joined by commas. */
  item_variant_id?: string | number | readonly (string | number)[] | undefined
  /** Only what has this `sku`. */
  sku?: string | undefined
  /** Only kits, or all but kits; with `updated_after` there are no kits. */
  is_kit?: boolean | undefined
  /** Only what has one of these in `storage_place_id`, joined by commas. */
  storage_place_id?: string | number | readonly (string | number)[] | undefined
  /** At places where sales orders may ship from, or may not; stock without a place counts as allowed. */
  sales_allowed?: boolean | undefined
  /** Changed at or after this; the list goes by `updated_at` then; with `order=desc` it is 400, since what changes while you page would be missed. ISO-8601 date or timestamp; without an offset it is UTC. */
  updated_after?: string | undefined
}

/** Query of `GET /stock-valuation`. */
export type ListStockValuationQuery = {
  /** How many records a page holds at most. Default: `50`. */
  limit?: number | undefined
  /** `next_cursor` of the page before, unchanged; without it reading starts from the beginning. */
  cursor?: string | undefined
  /**
   * The order that the list has, unless the endpoint says otherwise, or its opposite; a cursor continues in the order in which it was made; `desc` together with `updated_after` is 400.
   *
   * - `asc`: by its positions
   * - `desc`: the opposite.
   */
  order?: "asc" | "desc" | undefined
  /** The moment: what had been posted by then, inclusive; this or `through` is required. ISO-8601 date or timestamp; without an offset it is UTC. */
  as_of?: string | undefined
  /** Instead of `as_of`: a day, by the dates of documents, inclusive. */
  through?: string | undefined
  /** Only what has one of these in `item_variant_id`, joined by commas. */
  item_variant_id?: string | number | readonly (string | number)[] | undefined
  /** Only what has one of these in `storage_place_id`, joined by commas. */
  storage_place_id?: string | number | readonly (string | number)[] | undefined
}

/** Query of `GET /stock-movements`. */
export type ListStockMovementsQuery = {
  /** How many records a page holds at most. Default: `50`. */
  limit?: number | undefined
  /** `next_cursor` of the page before, unchanged; without it reading starts from the beginning. */
  cursor?: string | undefined
  /**
   * The order that the list has, unless the endpoint says otherwise, or its opposite; a cursor continues in the order in which it was made; `desc` together with `updated_after` is 400.
   *
   * - `asc`: by its positions
   * - `desc`: the opposite.
   */
  order?: "asc" | "desc" | undefined
  /** Only what has one of these in `id`, joined by commas. */
  id?: string | number | readonly (string | number)[] | undefined
  /** Only what has one of these in `source_id`, joined by commas. */
  source_id?: string | number | readonly (string | number)[] | undefined
  /** Only what has one of these in `batch_id`, joined by commas. */
  batch_id?: string | number | readonly (string | number)[] | undefined
  /** Only what has one of these in `item_variant_id`, joined by commas. */
  item_variant_id?: string | number | readonly (string | number)[] | undefined
  /** Only what has one of these in `storage_place_id`, joined by commas. */
  storage_place_id?: string | number | readonly (string | number)[] | undefined
  /**
   * Only what has this `source_type`.
   *
   * - `STOCK_ADJUSTMENT`: a stock adjustment
   * - `STOCK_TRANSFER`: a stock transfer
   * - `MANUFACTURING_ORDER`: a manufacturing order
   * - `PURCHASE_RECEIPT`: a receipt of a purchase order
   * - `LANDED_COST`: a landed cost
   * - `SALES_SHIPMENT`: a shipment of a sales order
   * - `SALES_RETURN`: a sales return.
   */
  source_type?: "STOCK_ADJUSTMENT" | "STOCK_TRANSFER" | "MANUFACTURING_ORDER" | "PURCHASE_RECEIPT" | "LANDED_COST" | "SALES_SHIPMENT" | "SALES_RETURN" | undefined
  /** Created at or after this. ISO-8601 date or timestamp; without an offset it is UTC. */
  created_after?: string | undefined
  /** Created before this. ISO-8601 date or timestamp; without an offset it is UTC. */
  created_before?: string | undefined
}

/** Query of `GET /batches`. */
export type ListBatchesQuery = {
  /** How many records a page holds at most. Default: `50`. */
  limit?: number | undefined
  /** `next_cursor` of the page before, unchanged; without it reading starts from the beginning. */
  cursor?: string | undefined
  /**
   * The order that the list has, unless the endpoint says otherwise, or its opposite; a cursor continues in the order in which it was made; `desc` together with `updated_after` is 400.
   *
   * - `asc`: by its positions
   * - `desc`: the opposite.
   */
  order?: "asc" | "desc" | undefined
  /** Only what has one of these in `id`, joined by commas. */
  id?: string | number | readonly (string | number)[] | undefined
  /** Only what has this `number`. */
  number?: string | undefined
  /** Only what has one of these in `item_variant_id`, joined by commas. */
  item_variant_id?: string | number | readonly (string | number)[] | undefined
  /** With an `expiry_date` before this. ISO-8601 date or timestamp; without an offset it is UTC. */
  expires_before?: string | undefined
  /** Changed at or after this; the list goes by `updated_at` then; with `order=desc` it is 400, since what changes while you page would be missed. ISO-8601 date or timestamp; without an offset it is UTC. */
  updated_after?: string | undefined
}

/** Query of `GET /batches/{id}/trace`. */
export type TraceBatchQuery = {
  /**
   * Where the batch went, or where it came from.
   *
   * - `forward`: where it went
   * - `backward`: where it came from.
   */
  direction: "forward" | "backward"
}

/** Query of `GET /scan`. */
export type ScanQuery = {
  /** What a scanner read. */
  code: string
}

/** Query of `GET /stock-adjustments`. */
export type ListStockAdjustmentsQuery = {
  /** How many records a page holds at most. Default: `50`. */
  limit?: number | undefined
  /** `next_cursor` of the page before, unchanged; without it reading starts from the beginning. */
  cursor?: string | undefined
  /**
   * The order that the list has, unless the endpoint says otherwise, or its opposite; a cursor continues in the order in which it was made; `desc` together with `updated_after` is 400.
   *
   * - `asc`: by its positions
   * - `desc`: the opposite.
   */
  order?: "asc" | "desc" | undefined
  /** Only what has one of these in `id`, joined by commas. */
  id?: string | number | readonly (string | number)[] | undefined
  /** Only what has this `number`. */
  number?: string | undefined
  /** Only what has this `external_ref`. */
  external_ref?: string | undefined
  /** Only what has one of these in `storage_place_id`, joined by commas. */
  storage_place_id?: string | number | readonly (string | number)[] | undefined
  /** Created at or after this. ISO-8601 date or timestamp; without an offset it is UTC. */
  created_after?: string | undefined
  /** Created before this. ISO-8601 date or timestamp; without an offset it is UTC. */
  created_before?: string | undefined
  /** Whether it was reversed. */
  reversed?: boolean | undefined
  /** Changed at or after this; the list goes by `updated_at` then; with `order=desc` it is 400, since what changes while you page would be missed. ISO-8601 date or timestamp; without an offset it is UTC. */
  updated_after?: string | undefined
}

/** Query of `GET /stock-transfers`. */
export type ListStockTransfersQuery = {
  /** How many records a page holds at most. Default: `50`. */
  limit?: number | undefined
  /** `next_cursor` of the page before, unchanged; without it reading starts from the beginning. */
  cursor?: string | undefined
  /**
   * The order that the list has, unless the endpoint says otherwise, or its opposite; a cursor continues in the order in which it was made; `desc` together with `updated_after` is 400.
   *
   * - `asc`: by its positions
   * - `desc`: the opposite.
   */
  order?: "asc" | "desc" | undefined
  /** Only what has one of these in `id`, joined by commas. */
  id?: string | number | readonly (string | number)[] | undefined
  /** Only what has this `number`. */
  number?: string | undefined
  /** Only what has this `external_ref`. */
  external_ref?: string | undefined
  /** Only what has one of these in `from_storage_place_id`, joined by commas. */
  from_storage_place_id?: string | number | readonly (string | number)[] | undefined
  /** Only what has one of these in `to_storage_place_id`, joined by commas. */
  to_storage_place_id?: string | number | readonly (string | number)[] | undefined
  /** Created at or after this. ISO-8601 date or timestamp; without an offset it is UTC. */
  created_after?: string | undefined
  /** Created before this. ISO-8601 date or timestamp; without an offset it is UTC. */
  created_before?: string | undefined
  /** Whether it was reversed. */
  reversed?: boolean | undefined
  /** Changed at or after this; the list goes by `updated_at` then; with `order=desc` it is 400, since what changes while you page would be missed. ISO-8601 date or timestamp; without an offset it is UTC. */
  updated_after?: string | undefined
}

/** Query of `GET /stock-counts`. */
export type ListStockCountsQuery = {
  /** How many records a page holds at most. Default: `50`. */
  limit?: number | undefined
  /** `next_cursor` of the page before, unchanged; without it reading starts from the beginning. */
  cursor?: string | undefined
  /**
   * The order that the list has, unless the endpoint says otherwise, or its opposite; a cursor continues in the order in which it was made; `desc` together with `updated_after` is 400.
   *
   * - `asc`: by its positions
   * - `desc`: the opposite.
   */
  order?: "asc" | "desc" | undefined
  /** Only what has one of these in `id`, joined by commas. */
  id?: string | number | readonly (string | number)[] | undefined
  /** Only what has this `number`. */
  number?: string | undefined
  /** Only what has this `external_ref`. */
  external_ref?: string | undefined
  /**
   * Only what has one of these in `status`, joined by commas.
   *
   * - `OPEN`: people count
   * - `DONE`: the differences are booked
   * - `CANCELLED`: nothing was booked, and nothing will be.
   */
  status?: "OPEN" | "DONE" | "CANCELLED" | readonly ("OPEN" | "DONE" | "CANCELLED")[] | undefined
  /** Only what has one of these in `storage_place_id`, joined by commas. */
  storage_place_id?: string | number | readonly (string | number)[] | undefined
  /** Created at or after this. ISO-8601 date or timestamp; without an offset it is UTC. */
  created_after?: string | undefined
  /** Created before this. ISO-8601 date or timestamp; without an offset it is UTC. */
  created_before?: string | undefined
  /** Changed at or after this; the list goes by `updated_at` then; with `order=desc` it is 400, since what changes while you page would be missed. ISO-8601 date or timestamp; without an offset it is UTC. */
  updated_after?: string | undefined
}

/** Query of `GET /stock-counts/{id}/items`. */
export type ListStockCountItemsQuery = {
  /** How many records a page holds at most. Default: `50`. */
  limit?: number | undefined
  /** `next_cursor` of the page before, unchanged; without it reading starts from the beginning. */
  cursor?: string | undefined
  /**
   * The order that the list has, unless the endpoint says otherwise, or its opposite; a cursor continues in the order in which it was made; `desc` together with `updated_after` is 400.
   *
   * - `asc`: by its positions
   * - `desc`: the opposite.
   */
  order?: "asc" | "desc" | undefined
  /** Only what has one of these in `id`, joined by commas. */
  id?: string | number | readonly (string | number)[] | undefined
  /** Only what has one of these in `item_variant_id`, joined by commas. */
  item_variant_id?: string | number | readonly (string | number)[] | undefined
}

/** Query of `GET /journal-entries`. */
export type ListJournalEntriesQuery = {
  /** How many records a page holds at most. Default: `50`. */
  limit?: number | undefined
  /** `next_cursor` of the page before, unchanged; without it reading starts from the beginning. */
  cursor?: string | undefined
  /**
   * The order that the list has, unless the endpoint says otherwise, or its opposite; a cursor continues in the order in which it was made; `desc` together with `updated_after` is 400.
   *
   * - `asc`: by its positions
   * - `desc`: the opposite.
   */
  order?: "asc" | "desc" | undefined
  /** That count on this day or later. */
  day_from?: string | undefined
  /** That count on this day or earlier. */
  day_to?: string | undefined
  /** Created at or after this. ISO-8601 date or timestamp; without an offset it is UTC. */
  created_after?: string | undefined
  /** Created before this. ISO-8601 date or timestamp; without an offset it is UTC. */
  created_before?: string | undefined
  /**
   * Only what has this `source_type`.
   *
   * - `STOCK_ADJUSTMENT`: a stock adjustment
   * - `STOCK_TRANSFER`: a stock transfer
   * - `MANUFACTURING_ORDER`: a manufacturing order
   * - `PURCHASE_RECEIPT`: a receipt of a purchase order
   * - `LANDED_COST`: a landed cost
   * - `SALES_SHIPMENT`: a shipment of a sales order
   * - `SALES_RETURN`: a sales return
   * - `PRODUCT`: a product whose category changed.
   */
  source_type?: "STOCK_ADJUSTMENT" | "STOCK_TRANSFER" | "MANUFACTURING_ORDER" | "PURCHASE_RECEIPT" | "LANDED_COST" | "SALES_SHIPMENT" | "SALES_RETURN" | "PRODUCT" | undefined
  /** Only what has one of these in `source_id`, joined by commas. */
  source_id?: string | number | readonly (string | number)[] | undefined
  /**
   * Entries with a line of this account; they are shown whole.
   *
   * - `INVENTORY`: the value of the stock
   * - `GOODS_RECEIVED_NOT_INVOICED`: what suppliers brought, until their invoice is booked
   * - `WORK_IN_PROGRESS`: the cost of manufacturing orders that is not posted yet
   * - `PRODUCTION_COSTS_ABSORBED`: operations of manufacturing orders
   * - `COST_OF_GOODS_SOLD`: what left to customers, less what came back
   * - `STOCK_ADJUSTMENT`: corrections, counts and write-downs
   * - `LANDED_COST_CLEARING`: freight, duty and the like, until their invoice is booked
   * - `LANDED_COST_EXPENSED`: the part of landed costs whose goods are gone
   * - `PRODUCTION_EXPENSED`: the cost of manufacturing orders that no stock took
   * - `VALUATION_DIFFERENCE`: what reversals moved otherwise than their documents.
   */
  account?: "INVENTORY" | "GOODS_RECEIVED_NOT_INVOICED" | "WORK_IN_PROGRESS" | "PRODUCTION_COSTS_ABSORBED" | "COST_OF_GOODS_SOLD" | "STOCK_ADJUSTMENT" | "LANDED_COST_CLEARING" | "LANDED_COST_EXPENSED" | "PRODUCTION_EXPENSED" | "VALUATION_DIFFERENCE" | undefined
}

/** Query of `GET /account-balances`. */
export type GetAccountBalancesQuery = {
  /** The last day that counts; this or `posted_through` is required. */
  through?: string | undefined
  /** Instead of `through`: what had been posted by then, inclusive; not in the future. RFC 3339 timestamp with an offset (a + is sent as %2B). */
  posted_through?: string | undefined
  /** With `through`: the first day of the period; without it all days before are in it. */
  from?: string | undefined
  /**
   * How accounts are split; `account` unless given.
   *
   * - `account`: the accounts as a whole
   * - `category`: by the category of the product, as it was posted
   * - `place`: by storage place
   * - `reason`: STOCK_ADJUSTMENT by the reason of the adjustment.
   */
  by?: "account" | "category" | "place" | "reason" | undefined
}

/** Query of `GET /shortages`. */
export type ListShortagesQuery = {
  /** How many records a page holds at most. Default: `50`. */
  limit?: number | undefined
  /** `next_cursor` of the page before, unchanged; without it reading starts from the beginning. */
  cursor?: string | undefined
  /**
   * The order that the list has, unless the endpoint says otherwise, or its opposite; a cursor continues in the order in which it was made; `desc` together with `updated_after` is 400.
   *
   * - `asc`: by its positions
   * - `desc`: the opposite.
   */
  order?: "asc" | "desc" | undefined
  /** Only what has one of these in `item_variant_id`, joined by commas. */
  item_variant_id?: string | number | readonly (string | number)[] | undefined
  /** Only what has one of these in `storage_place_id`, joined by commas. */
  storage_place_id?: string | number | readonly (string | number)[] | undefined
  /**
   * What counts as short. Default: `zero`.
   *
   * - `zero`: less than nothing is left
   * - `minimum`: less is left than the minimum stock.
   */
  below?: "zero" | "minimum" | undefined
}

/** Query of `GET /projection`. */
export type GetProjectionQuery = {
  /** The variant. */
  item_variant_id?: string | number | undefined
  /** Instead of `item_variant_id`: the sku of an unarchived variant. */
  sku?: string | undefined
  /** The place; without it the main one, or stock without a place for a tenant without places. */
  storage_place_id?: string | number | undefined
}

/** Query of `GET /promise`. */
export type GetPromiseQuery = {
  /** The variant. */
  item_variant_id?: string | number | undefined
  /** Instead of `item_variant_id`: the sku of an unarchived variant. */
  sku?: string | undefined
  /** The place; without it the main one, or stock without a place for a tenant without places. */
  storage_place_id?: string | number | undefined
  /** How many are wanted. */
  quantity: number
}

/** Query of `GET /replenishment`. */
export type GetReplenishmentQuery = {
  /** The place; without it the main one, or stock without a place for a tenant without places. */
  storage_place_id?: string | number | undefined
  /** Begins only with these variants, where they are short. */
  item_variant_id?: string | number | readonly (string | number)[] | undefined
}

/** Query of `GET /requirements`. */
export type GetRequirementsQuery = {
  /** The variant. */
  item_variant_id?: string | number | undefined
  /** Instead of `item_variant_id`: the sku of an unarchived variant. */
  sku?: string | undefined
  /** How many are to be made. */
  quantity: number
  /** The place; null is stock without a place. */
  storage_place_id?: string | number | undefined
}

/** Query of `GET /operations`. */
export type ListOperationsQuery = {
  /** How many records a page holds at most. Default: `50`. */
  limit?: number | undefined
  /** `next_cursor` of the page before, unchanged; without it reading starts from the beginning. */
  cursor?: string | undefined
  /**
   * The order that the list has, unless the endpoint says otherwise, or its opposite; a cursor continues in the order in which it was made; `desc` together with `updated_after` is 400.
   *
   * - `asc`: by its positions
   * - `desc`: the opposite.
   */
  order?: "asc" | "desc" | undefined
  /** Only what has one of these in `id`, joined by commas. */
  id?: string | number | readonly (string | number)[] | undefined
  /** Only what has this `external_ref`. */
  external_ref?: string | undefined
  /** Changed at or after this; the list goes by `updated_at` then; with `order=desc` it is 400, since what changes while you page would be missed. ISO-8601 date or timestamp; without an offset it is UTC. */
  updated_after?: string | undefined
}

/** Query of `GET /recipes`. */
export type ListRecipesQuery = {
  /** How many records a page holds at most. Default: `50`. */
  limit?: number | undefined
  /** `next_cursor` of the page before, unchanged; without it reading starts from the beginning. */
  cursor?: string | undefined
  /**
   * The order that the list has, unless the endpoint says otherwise, or its opposite; a cursor continues in the order in which it was made; `desc` together with `updated_after` is 400.
   *
   * - `asc`: by its positions
   * - `desc`: the opposite.
   */
  order?: "asc" | "desc" | undefined
  /** Only what has one of these in `id`, joined by commas. */
  id?: string | number | readonly (string | number)[] | undefined
  /** Only what has this `external_ref`. */
  external_ref?: string | undefined
  /** Only what has one of these in `item_variant_id`, joined by commas. */
  item_variant_id?: string | number | readonly (string | number)[] | undefined
  /** Only what has one of these in `item_id`, joined by commas. */
  item_id?: string | number | readonly (string | number)[] | undefined
  /** Changed at or after this; the list goes by `updated_at` then; with `order=desc` it is 400, since what changes while you page would be missed. ISO-8601 date or timestamp; without an offset it is UTC. */
  updated_after?: string | undefined
}

/** Query of `GET /manufacturing-orders`. */
export type ListManufacturingOrdersQuery = {
  /** How many records a page holds at most. Default: `50`. */
  limit?: number | undefined
  /** `next_cursor` of the page before, unchanged; without it reading starts from the beginning. */
  cursor?: string | undefined
  /**
   * The order that the list has, unless the endpoint says otherwise, or its opposite; a cursor continues in the order in which it was made; `desc` together with `updated_after` is 400.
   *
   * - `asc`: by its positions
   * - `desc`: the opposite.
   */
  order?: "asc" | "desc" | undefined
  /** Only what has one of these in `id`, joined by commas. */
  id?: string | number | readonly (string | number)[] | undefined
  /** Only what has this `number`. */
  number?: string | undefined
  /** Only what has this `external_ref`. */
  external_ref?: string | undefined
  /** Only what has one of these in `sales_order_id`, joined by commas. */
  sales_order_id?: string | number | readonly (string | number)[] | undefined
  /** Only what has one of these in `item_variant_id`, joined by commas. */
  item_variant_id?: string | number | readonly (string | number)[] | undefined
  /**
   * Only what has one of these in `status`, joined by commas.
   *
   * - `NOT_STARTED`: materials are reserved, output is expected
   * - `IN_PROGRESS`: materials are written off
   * - `BLOCKED`: stopped until it is unblocked
   * - `PARTIALLY_DONE`: a part of the output is in stock
   * - `DONE`: all output is in stock, all cost is posted.
   */
  status?: "NOT_STARTED" | "IN_PROGRESS" | "BLOCKED" | "PARTIALLY_DONE" | "DONE" | readonly ("NOT_STARTED" | "IN_PROGRESS" | "BLOCKED" | "PARTIALLY_DONE" | "DONE")[] | undefined
  /**
   * Only what has this `type`.
   *
   * - `MAKE_TO_STOCK`: for the stock
   * - `MAKE_TO_ORDER`: for a sales order.
   */
  type?: "MAKE_TO_STOCK" | "MAKE_TO_ORDER" | undefined
  /** Created at or after this. ISO-8601 date or timestamp; without an offset it is UTC. */
  created_after?: string | undefined
  /** Created before this. ISO-8601 date or timestamp; without an offset it is UTC. */
  created_before?: string | undefined
  /** With a `planned_start_date` at or after this. ISO-8601 date or timestamp; without an offset it is UTC. */
  planned_start_after?: string | undefined
  /** With a `planned_start_date` before this. ISO-8601 date or timestamp; without an offset it is UTC. */
  planned_start_before?: string | undefined
  /** Every word, in any case, is part of what the endpoint searches. */
  q?: string | undefined
  /** Changed at or after this; the list goes by `updated_at` then; with `order=desc` it is 400, since what changes while you page would be missed. ISO-8601 date or timestamp; without an offset it is UTC. */
  updated_after?: string | undefined
}

/** Query of `GET /manufacturing-orders/{id}/tasks`. */
export type ListProductionTasksQuery = {
  /** How many records a page holds at most. Default: `50`. */
  limit?: number | undefined
  /** `next_cursor` of the page before, unchanged; without it reading starts from the beginning. */
  cursor?: string | undefined
  /**
   * The order that the list has, unless the endpoint says otherwise, or its opposite; a cursor continues in the order in which it was made; `desc` together with `updated_after` is 400.
   *
   * - `asc`: by its positions
   * - `desc`: the opposite.
   */
  order?: "asc" | "desc" | undefined
  /** Only what has one of these in `id`, joined by commas. */
  id?: string | number | readonly (string | number)[] | undefined
}

/** Query of `GET /production-tasks`. */
export type ListAllProductionTasksQuery = {
  /** How many records a page holds at most. Default: `50`. */
  limit?: number | undefined
  /** `next_cursor` of the page before, unchanged; without it reading starts from the beginning. */
  cursor?: string | undefined
  /**
   * The order that the list has, unless the endpoint says otherwise, or its opposite; a cursor continues in the order in which it was made; `desc` together with `updated_after` is 400.
   *
   * - `asc`: by its positions
   * - `desc`: the opposite.
   */
  order?: "asc" | "desc" | undefined
  /** Only what has one of these in `id`, joined by commas. */
  id?: string | number | readonly (string | number)[] | undefined
  /**
   * Only what has one of these in `status`, joined by commas.
   *
   * - `NOT_STARTED`: the order is not started
   * - `IN_PROGRESS`: the order is started
   * - `BLOCKED`: the order is blocked
   * - `DONE`: the order is done.
   */
  status?: "NOT_STARTED" | "IN_PROGRESS" | "BLOCKED" | "DONE" | readonly ("NOT_STARTED" | "IN_PROGRESS" | "BLOCKED" | "DONE")[] | undefined
  /** Only what has one of these in `operation_id`, joined by commas. */
  operation_id?: string | number | readonly (string | number)[] | undefined
  /** Only what has one of these in `manufacturing_order_id`, joined by commas. */
  manufacturing_order_id?: string | number | readonly (string | number)[] | undefined
}

/** Query of `GET /supplier-items`. */
export type ListSupplierItemsQuery = {
  /** How many records a page holds at most. Default: `50`. */
  limit?: number | undefined
  /** `next_cursor` of the page before, unchanged; without it reading starts from the beginning. */
  cursor?: string | undefined
  /**
   * The order that the list has, unless the endpoint says otherwise, or its opposite; a cursor continues in the order in which it was made; `desc` together with `updated_after` is 400.
   *
   * - `asc`: by its positions
   * - `desc`: the opposite.
   */
  order?: "asc" | "desc" | undefined
  /** Only what has one of these in `id`, joined by commas. */
  id?: string | number | readonly (string | number)[] | undefined
  /** Only what has this `external_ref`. */
  external_ref?: string | undefined
  /** Only what has this `supplier_sku`. */
  supplier_sku?: string | undefined
  /** Only what has one of these in `item_variant_id`, joined by commas. */
  item_variant_id?: string | number | readonly (string | number)[] | undefined
  /** Only what has one of these in `supplier_id`, joined by commas. */
  supplier_id?: string | number | readonly (string | number)[] | undefined
  /** Only archived records, or only the others. */
  archived?: boolean | undefined
  /** Created at or after this. ISO-8601 date or timestamp; without an offset it is UTC. */
  created_after?: string | undefined
  /** Created before this. ISO-8601 date or timestamp; without an offset it is UTC. */
  created_before?: string | undefined
  /** Changed at or after this; the list goes by `updated_at` then; with `order=desc` it is 400, since what changes while you page would be missed. ISO-8601 date or timestamp; without an offset it is UTC. */
  updated_after?: string | undefined
}

/** Query of `GET /purchase-orders`. */
export type ListPurchaseOrdersQuery = {
  /** How many records a page holds at most. Default: `50`. */
  limit?: number | undefined
  /** `next_cursor` of the page before, unchanged; without it reading starts from the beginning. */
  cursor?: string | undefined
  /**
   * The order that the list has, unless the endpoint says otherwise, or its opposite; a cursor continues in the order in which it was made; `desc` together with `updated_after` is 400.
   *
   * - `asc`: by its positions
   * - `desc`: the opposite.
   */
  order?: "asc" | "desc" | undefined
  /** Only what has one of these in `id`, joined by commas. */
  id?: string | number | readonly (string | number)[] | undefined
  /** Only what has this `number`. */
  number?: string | undefined
  /** Only what has this `external_ref`. */
  external_ref?: string | undefined
  /** Only what has one of these in `supplier_id`, joined by commas. */
  supplier_id?: string | number | readonly (string | number)[] | undefined
  /**
   * Only what has one of these in `status`, joined by commas.
   *
   * - `OPEN`: takes receipts
   * - `DONE`: received in full, or closed: takes no more receipts.
   */
  status?: "OPEN" | "DONE" | readonly ("OPEN" | "DONE")[] | undefined
  /**
   * Only what has one of these in `delivery_status`, joined by commas.
   *
   * - `NOT_RECEIVED`: nothing is received
   * - `PARTIALLY_RECEIVED`: some is received
   * - `RECEIVED`: all is received.
   */
  delivery_status?: "NOT_RECEIVED" | "PARTIALLY_RECEIVED" | "RECEIVED" | readonly ("NOT_RECEIVED" | "PARTIALLY_RECEIVED" | "RECEIVED")[] | undefined
  /** With a `date` at or after this. ISO-8601 date or timestamp; without an offset it is UTC. */
  created_after?: string | undefined
  /** With a `date` before this. ISO-8601 date or timestamp; without an offset it is UTC. */
  created_before?: string | undefined
  /** With an `expected_date` at or after this. ISO-8601 date or timestamp; without an offset it is UTC. */
  expected_after?: string | undefined
  /** With an `expected_date` before this. ISO-8601 date or timestamp; without an offset it is UTC. */
  expected_before?: string | undefined
  /** Every word, in any case, is part of what the endpoint searches. */
  q?: string | undefined
  /** Changed at or after this; the list goes by `updated_at` then; with `order=desc` it is 400, since what changes while you page would be missed. ISO-8601 date or timestamp; without an offset it is UTC. */
  updated_after?: string | undefined
}

/** Query of `GET /purchase-orders/{id}/receipts`. */
export type ListPurchaseReceiptsQuery = {
  /** How many records a page holds at most. Default: `50`. */
  limit?: number | undefined
  /** `next_cursor` of the page before, unchanged; without it reading starts from the beginning. */
  cursor?: string | undefined
  /**
   * The order that the list has, unless the endpoint says otherwise, or its opposite; a cursor continues in the order in which it was made; `desc` together with `updated_after` is 400.
   *
   * - `asc`: by its positions
   * - `desc`: the opposite.
   */
  order?: "asc" | "desc" | undefined
  /** Only what has one of these in `id`, joined by commas. */
  id?: string | number | readonly (string | number)[] | undefined
}

/** Query of `GET /purchase-receipts`. */
export type ListAllPurchaseReceiptsQuery = {
  /** How many records a page holds at most. Default: `50`. */
  limit?: number | undefined
  /** `next_cursor` of the page before, unchanged; without it reading starts from the beginning. */
  cursor?: string | undefined
  /**
   * The order that the list has, unless the endpoint says otherwise, or its opposite; a cursor continues in the order in which it was made; `desc` together with `updated_after` is 400.
   *
   * - `asc`: by its positions
   * - `desc`: the opposite.
   */
  order?: "asc" | "desc" | undefined
  /** Only what has one of these in `id`, joined by commas. */
  id?: string | number | readonly (string | number)[] | undefined
  /** Only what has this `external_ref`. */
  external_ref?: string | undefined
  /** Only what has one of these in `purchase_order_id`, joined by commas. */
  purchase_order_id?: string | number | readonly (string | number)[] | undefined
  /** Only what has one of these in `storage_place_id`, joined by commas. */
  storage_place_id?: string | number | readonly (string | number)[] | undefined
  /** With a `received_date` at or after this. ISO-8601 date or timestamp; without an offset it is UTC. */
  received_after?: string | undefined
  /** With a `received_date` before this. ISO-8601 date or timestamp; without an offset it is UTC. */
  received_before?: string | undefined
  /** Whether it was reversed. */
  reversed?: boolean | undefined
  /** Changed at or after this; the list goes by `updated_at` then; with `order=desc` it is 400, since what changes while you page would be missed. ISO-8601 date or timestamp; without an offset it is UTC. */
  updated_after?: string | undefined
}

/** Query of `GET /landed-costs`. */
export type ListLandedCostsQuery = {
  /** How many records a page holds at most. Default: `50`. */
  limit?: number | undefined
  /** `next_cursor` of the page before, unchanged; without it reading starts from the beginning. */
  cursor?: string | undefined
  /**
   * The order that the list has, unless the endpoint says otherwise, or its opposite; a cursor continues in the order in which it was made; `desc` together with `updated_after` is 400.
   *
   * - `asc`: by its positions
   * - `desc`: the opposite.
   */
  order?: "asc" | "desc" | undefined
  /** Only what has one of these in `id`, joined by commas. */
  id?: string | number | readonly (string | number)[] | undefined
  /** Only what has this `number`. */
  number?: string | undefined
  /** Only what has this `external_ref`. */
  external_ref?: string | undefined
  /** Only what has one of these in `purchase_receipt_id`, joined by commas. */
  purchase_receipt_id?: string | number | readonly (string | number)[] | undefined
  /** Only what has one of these in `purchase_order_id`, joined by commas. */
  purchase_order_id?: string | number | readonly (string | number)[] | undefined
  /** Created at or after this. ISO-8601 date or timestamp; without an offset it is UTC. */
  created_after?: string | undefined
  /** Created before this. ISO-8601 date or timestamp; without an offset it is UTC. */
  created_before?: string | undefined
  /** Whether it was reversed. */
  reversed?: boolean | undefined
  /** Changed at or after this; the list goes by `updated_at` then; with `order=desc` it is 400, since what changes while you page would be missed. ISO-8601 date or timestamp; without an offset it is UTC. */
  updated_after?: string | undefined
}

/** Query of `GET /reservations`. */
export type ListReservationsQuery = {
  /** How many records a page holds at most. Default: `50`. */
  limit?: number | undefined
  /** `next_cursor` of the page before, unchanged; without it reading starts from the beginning. */
  cursor?: string | undefined
  /**
   * The order that the list has, unless the endpoint says otherwise, or its opposite; a cursor continues in the order in which it was made; `desc` together with `updated_after` is 400.
   *
   * - `asc`: by its positions
   * - `desc`: the opposite.
   */
  order?: "asc" | "desc" | undefined
  /** Only what has one of these in `id`, joined by commas. */
  id?: string | number | readonly (string | number)[] | undefined
  /** Only what has this `number`. */
  number?: string | undefined
  /** Only what has this `external_ref`. */
  external_ref?: string | undefined
  /** Only what has one of these in `item_variant_id`, joined by commas. */
  item_variant_id?: string | number | readonly (string | number)[] | undefined
  /** Only what has one of these in `customer_id`, joined by commas. */
  customer_id?: string | number | readonly (string | number)[] | undefined
  /**
   * Only what has one of these in `status`, joined by commas.
   *
   * - `HELD`: reserves its goods until `expires_at`
   * - `CONSUMED`: a sales order took it
   * - `RELEASED`: let go by a caller
   * - `EXPIRED`: its time was over.
   */
  status?: "HELD" | "CONSUMED" | "RELEASED" | "EXPIRED" | readonly ("HELD" | "CONSUMED" | "RELEASED" | "EXPIRED")[] | undefined
  /** With an `expires_at` before this. ISO-8601 date or timestamp; without an offset it is UTC. */
  expires_before?: string | undefined
  /** Created at or after this. ISO-8601 date or timestamp; without an offset it is UTC. */
  created_after?: string | undefined
  /** Created before this. ISO-8601 date or timestamp; without an offset it is UTC. */
  created_before?: string | undefined
  /** Changed at or after this; the list goes by `updated_at` then; with `order=desc` it is 400, since what changes while you page would be missed. ISO-8601 date or timestamp; without an offset it is UTC. */
  updated_after?: string | undefined
}

/** Query of `GET /sales-orders`. */
export type ListSalesOrdersQuery = {
  /** How many records a page holds at most. Default: `50`. */
  limit?: number | undefined
  /** `next_cursor` of the page before, unchanged; without it reading starts from the beginning. */
  cursor?: string | undefined
  /**
   * The order that the list has, unless the endpoint says otherwise, or its opposite; a cursor continues in the order in which it was made; `desc` together with `updated_after` is 400.
   *
   * - `asc`: by its positions
   * - `desc`: the opposite.
   */
  order?: "asc" | "desc" | undefined
  /** Only what has one of these in `id`, joined by commas. */
  id?: string | number | readonly (string | number)[] | undefined
  /** Only what has this `number`. */
  number?: string | undefined
  /** Only what has this `external_ref`. */
  external_ref?: string | undefined
  /** Only what has one of these in `customer_id`, joined by commas. */
  customer_id?: string | number | readonly (string | number)[] | undefined
  /**
   * Only what has one of these in `status`, joined by commas.
   *
   * - `OPEN`: may change, be packed and be shipped
   * - `DONE`: all is shipped, or it was ended by hand: nothing changes any more
   * - `CANCELLED`: called off before anything was shipped: nothing changes any more.
   */
  status?: "OPEN" | "DONE" | "CANCELLED" | readonly ("OPEN" | "DONE" | "CANCELLED")[] | undefined
  /**
   * Only what has one of these in `delivery_status`, joined by commas.
   *
   * - `NOT_SHIPPED`: nothing is packed or shipped
   * - `PACKED`: all is packed, nothing shipped
   * - `PARTIALLY_PACKED`: some is packed, nothing shipped
   * - `PARTIALLY_SHIPPED`: some is shipped
   * - `SHIPPED`: all is shipped.
   */
  delivery_status?: "NOT_SHIPPED" | "PACKED" | "PARTIALLY_PACKED" | "PARTIALLY_SHIPPED" | "SHIPPED" | readonly ("NOT_SHIPPED" | "PACKED" | "PARTIALLY_PACKED" | "PARTIALLY_SHIPPED" | "SHIPPED")[] | undefined
  /** Created at or after this. ISO-8601 date or timestamp; without an offset it is UTC. */
  created_after?: string | undefined
  /** Created before this. ISO-8601 date or timestamp; without an offset it is UTC. */
  created_before?: string | undefined
  /** With a `delivery_date` at or after this. ISO-8601 date or timestamp; without an offset it is UTC. */
  delivery_after?: string | undefined
  /** With a `delivery_date` before this. ISO-8601 date or timestamp; without an offset it is UTC. */
  delivery_before?: string | undefined
  /** Only orders with a line of this `external_ref`. */
  line_external_ref?: string | undefined
  /** Every word, in any case, is part of what the endpoint searches. */
  q?: string | undefined
  /** Changed at or after this; the list goes by `updated_at` then; with `order=desc` it is 400, since what changes while you page would be missed. ISO-8601 date or timestamp; without an offset it is UTC. */
  updated_after?: string | undefined
}

/** Query of `GET /sales-orders/{id}/shipments`. */
export type ListShipmentsQuery = {
  /** How many records a page holds at most. Default: `50`. */
  limit?: number | undefined
  /** `next_cursor` of the page before, unchanged; without it reading starts from the beginning. */
  cursor?: string | undefined
  /**
   * The order that the list has, unless the endpoint says otherwise, or its opposite; a cursor continues in the order in which it was made; `desc` together with `updated_after` is 400.
   *
   * - `asc`: by its positions
   * - `desc`: the opposite.
   */
  order?: "asc" | "desc" | undefined
  /** Only what has one of these in `id`, joined by commas. */
  id?: string | number | readonly (string | number)[] | undefined
}

/** Query of `GET /sales-orders/{id}/packings`. */
export type ListPackingsQuery = {
  /** How many records a page holds at most. Default: `50`. */
  limit?: number | undefined
  /** `next_cursor` of the page before, unchanged; without it reading starts from the beginning. */
  cursor?: string | undefined
  /**
   * The order that the list has, unless the endpoint says otherwise, or its opposite; a cursor continues in the order in which it was made; `desc` together with `updated_after` is 400.
   *
   * - `asc`: by its positions
   * - `desc`: the opposite.
   */
  order?: "asc" | "desc" | undefined
  /** Only what has one of these in `id`, joined by commas. */
  id?: string | number | readonly (string | number)[] | undefined
}

/** Query of `GET /sales-shipments`. */
export type ListAllShipmentsQuery = {
  /** How many records a page holds at most. Default: `50`. */
  limit?: number | undefined
  /** `next_cursor` of the page before, unchanged; without it reading starts from the beginning. */
  cursor?: string | undefined
  /**
   * The order that the list has, unless the endpoint says otherwise, or its opposite; a cursor continues in the order in which it was made; `desc` together with `updated_after` is 400.
   *
   * - `asc`: by its positions
   * - `desc`: the opposite.
   */
  order?: "asc" | "desc" | undefined
  /** Only what has one of these in `id`, joined by commas. */
  id?: string | number | readonly (string | number)[] | undefined
  /** Only what has this `external_ref`. */
  external_ref?: string | undefined
  /** Only what has one of these in `sales_order_id`, joined by commas. */
  sales_order_id?: string | number | readonly (string | number)[] | undefined
  /** Only what has one of these in `item_variant_id`, joined by commas. */
  item_variant_id?: string | number | readonly (string | number)[] | undefined
  /** Only what has one of these in `batch_id`, joined by commas. */
  batch_id?: string | number | readonly (string | number)[] | undefined
  /** Created at or after this. ISO-8601 date or timestamp; without an offset it is UTC. */
  created_after?: string | undefined
  /** Created before this. ISO-8601 date or timestamp; without an offset it is UTC. */
  created_before?: string | undefined
  /** Whether it was reversed. */
  reversed?: boolean | undefined
  /** Changed at or after this; the list goes by `updated_at` then; with `order=desc` it is 400, since what changes while you page would be missed. ISO-8601 date or timestamp; without an offset it is UTC. */
  updated_after?: string | undefined
}

/** Query of `GET /sales-returns`. */
export type ListSalesReturnsQuery = {
  /** How many records a page holds at most. Default: `50`. */
  limit?: number | undefined
  /** `next_cursor` of the page before, unchanged; without it reading starts from the beginning. */
  cursor?: string | undefined
  /**
   * The order that the list has, unless the endpoint says otherwise, or its opposite; a cursor continues in the order in which it was made; `desc` together with `updated_after` is 400.
   *
   * - `asc`: by its positions
   * - `desc`: the opposite.
   */
  order?: "asc" | "desc" | undefined
  /** Only what has one of these in `id`, joined by commas. */
  id?: string | number | readonly (string | number)[] | undefined
  /** Only what has this `number`. */
  number?: string | undefined
  /** Only what has this `external_ref`. */
  external_ref?: string | undefined
  /** Only what has one of these in `sales_order_id`, joined by commas. */
  sales_order_id?: string | number | readonly (string | number)[] | undefined
  /** Only what has this `external_return_ref`. */
  external_return_ref?: string | undefined
  /** Only what has one of these in `customer_id`, joined by commas. */
  customer_id?: string | number | readonly (string | number)[] | undefined
  /**
   * Only what has one of these in `status`, joined by commas.
   *
   * - `NOT_RETURNED`: announced
   * - `RETURNED`: the goods are back in stock
   * - `CANCELLED`: called off.
   */
  status?: "NOT_RETURNED" | "RETURNED" | "CANCELLED" | readonly ("NOT_RETURNED" | "RETURNED" | "CANCELLED")[] | undefined
  /** Created at or after this. ISO-8601 date or timestamp; without an offset it is UTC. */
  created_after?: string | undefined
  /** Created before this. ISO-8601 date or timestamp; without an offset it is UTC. */
  created_before?: string | undefined
  /** Every word, in any case, is part of what the endpoint searches. */
  q?: string | undefined
  /** Changed at or after this; the list goes by `updated_at` then; with `order=desc` it is 400, since what changes while you page would be missed. ISO-8601 date or timestamp; without an offset it is UTC. */
  updated_after?: string | undefined
}

/** Query of `GET /webhook-subscriptions`. */
export type ListWebhookSubscriptionsQuery = {
  /** How many records a page holds at most. Default: `50`. */
  limit?: number | undefined
  /** `next_cursor` of the page before, unchanged; without it reading starts from the beginning. */
  cursor?: string | undefined
  /**
   * The order that the list has, unless the endpoint says otherwise, or its opposite; a cursor continues in the order in which it was made; `desc` together with `updated_after` is 400.
   *
   * - `asc`: by its positions
   * - `desc`: the opposite.
   */
  order?: "asc" | "desc" | undefined
  /** Only what has one of these in `id`, joined by commas. */
  id?: string | number | readonly (string | number)[] | undefined
}

/** Query of `GET /webhook-subscriptions/{id}/deliveries`. */
export type ListWebhookDeliveriesQuery = {
  /** How many records a page holds at most. Default: `50`. */
  limit?: number | undefined
  /** `next_cursor` of the page before, unchanged; without it reading starts from the beginning. */
  cursor?: string | undefined
  /**
   * The order that the list has, unless the endpoint says otherwise, or its opposite; a cursor continues in the order in which it was made; `desc` together with `updated_after` is 400.
   *
   * - `asc`: by its positions
   * - `desc`: the opposite.
   */
  order?: "asc" | "desc" | undefined
  /** Only what has one of these in `id`, joined by commas. */
  id?: string | number | readonly (string | number)[] | undefined
  /**
   * Only what has one of these in `status`, joined by commas.
   *
   * - `pending`: not sent yet, or to be tried again
   * - `succeeded`: received
   * - `failed`: given up.
   */
  status?: "pending" | "succeeded" | "failed" | readonly ("pending" | "succeeded" | "failed")[] | undefined
}

/** Query of `GET /webhook-event-kinds`. */
export type ListWebhookEventKindsQuery = {
  /** How many records a page holds at most. Default: `50`. */
  limit?: number | undefined
  /** `next_cursor` of the page before, unchanged; without it reading starts from the beginning. */
  cursor?: string | undefined
  /**
   * The order that the list has, unless the endpoint says otherwise, or its opposite; a cursor continues in the order in which it was made; `desc` together with `updated_after` is 400.
   *
   * - `asc`: by its positions
   * - `desc`: the opposite.
   */
  order?: "asc" | "desc" | undefined
}

/** Query of `GET /events`. */
export type ListEventsQuery = {
  /** How many records a page holds at most. Default: `50`. */
  limit?: number | undefined
  /** `next_cursor` of the page before, unchanged; without it reading starts from the beginning. */
  cursor?: string | undefined
  /**
   * The order that the list has, unless the endpoint says otherwise, or its opposite; a cursor continues in the order in which it was made; `desc` together with `updated_after` is 400.
   *
   * - `asc`: by its positions
   * - `desc`: the opposite.
   */
  order?: "asc" | "desc" | undefined
  /**
   * Only what has one of these in `type`, joined by commas.
   *
   * - `product.created`: A product was created
   * - `product.updated`: A product or one of its variants was changed
   * - `storage_place.created`: A storage place was created
   * - `storage_place.updated`: A storage place was changed
   * - `supplier.created`: A supplier was created, also by a purchase order
   * - `supplier.updated`: A supplier was changed
   * - `customer.created`: A customer was created, also by a sales order
   * - `customer.updated`: A customer was changed
   * - `stock.changed`: Physical, quarantine, expired, reserved or expected quantity of a variant at a place changed: its levels over all batches
   * - `kit.changed`: Another number of a kit could be sold at a place, since its components or their stock changed. Published behind the `stock.changed` of the same write; `previous` is null where the kit had no row
   * - `batch.updated`: The number or a date of a batch changed, or it is good again because the time zone of its tenant changed
   * - `batch.expired`: The last day of a batch ended in the time zone of its tenant
   * - `stock_adjustment.created`: Stock was adjusted
   * - `stock_adjustment.updated`: What is noted of a stock adjustment changed
   * - `stock_adjustment.reversed`: A stock adjustment was reversed
   * - `stock_transfer.created`: Stock was transferred
   * - `stock_transfer.updated`: What is noted of a stock transfer changed
   * - `stock_transfer.reversed`: A stock transfer was reversed
   * - `stock_count.created`: A stock count began
   * - `stock_count.updated`: Something was counted, or what is noted of a stock count changed
   * - `stock_count.completed`: The differences of a stock count were booked
   * - `stock_count.cancelled`: A stock count was cancelled
   * - `operation.created`: An operation was created
   * - `operation.updated`: An operation was changed
   * - `recipe.created`: A recipe was created
   * - `recipe.updated`: A recipe was changed
   * - `manufacturing_order.created`: A manufacturing order was created
   * - `manufacturing_order.updated`: Fields, the quantity, the place or materials of a manufacturing order changed
   * - `manufacturing_order.started`: Materials were written off; work began
   * - `manufacturing_order.partially_done`: A part of the output came into stock
   * - `manufacturing_order.done`: A manufacturing order was completed
   * - `manufacturing_order.blocked`: A manufacturing order was blocked
   * - `manufacturing_order.unblocked`: A manufacturing order went on
   * - `manufacturing_order.deleted`: A manufacturing order was deleted; `data` is as it last was
   * - `supplier_item.created`: A supplier item was created
   * - `supplier_item.updated`: A supplier item was changed, or is preferred no more
   * - `purchase_order.created`: A purchase order was created
   * - `purchase_order.updated`: Fields or lines of a purchase order changed, or a receipt left it open
   * - `purchase_order.done`: A purchase order was received in full, closed, or lost what was outstanding
   * - `purchase_receipt.created`: Goods were received
   * - `purchase_receipt.updated`: What is noted of a receipt changed
   * - `purchase_receipt.reversed`: A receipt was reversed
   * - `landed_cost.created`: A landed cost was booked
   * - `landed_cost.updated`: What is noted of a landed cost changed
   * - `landed_cost.reversed`: A landed cost was reversed
   * - `reservation.created`: Goods are held
   * - `reservation.updated`: `expires_at`, notes, `external_ref` or metadata of a reservation changed
   * - `reservation.released`: A reservation was let go
   * - `reservation.expired`: The time of a reservation was over
   * - `reservation.consumed`: A sales order took a reservation
   * - `sales_order.created`: A sales order was created
   * - `sales_order.updated`: Fields, lines, charges, packing, or a part of the shipment changed
   * - `sales_order.shipped`: All of a sales order is shipped
   * - `sales_order.done`: A sales order was set done by hand
   * - `sales_order.cancelled`: A sales order was cancelled
   * - `sales_shipment.created`: Goods were shipped
   * - `sales_shipment.updated`: Carrier, tracking, notes, `external_ref` or metadata of a shipment changed
   * - `sales_shipment.reversed`: A shipment was reversed
   * - `sales_return.created`: A sales return was announced
   * - `sales_return.updated`: What is noted of a sales return changed
   * - `sales_return.returned`: Returned goods came back into stock
   * - `sales_return.cancelled`: A sales return was cancelled
   * - `webhook.test`: Asked for with the test endpoint; sent to the tested subscription only, and not in the event feed.
   */
  type?: "product.created" | "product.updated" | "storage_place.created" | "storage_place.updated" | "supplier.created" | "supplier.updated" | "customer.created" | "customer.updated" | "stock.changed" | "kit.changed" | "batch.updated" | "batch.expired" | "stock_adjustment.created" | "stock_adjustment.updated" | "stock_adjustment.reversed" | "stock_transfer.created" | "stock_transfer.updated" | "stock_transfer.reversed" | "stock_count.created" | "stock_count.updated" | "stock_count.completed" | "stock_count.cancelled" | "operation.created" | "operation.updated" | "recipe.created" | "recipe.updated" | "manufacturing_order.created" | "manufacturing_order.updated" | "manufacturing_order.started" | "manufacturing_order.partially_done" | "manufacturing_order.done" | "manufacturing_order.blocked" | "manufacturing_order.unblocked" | "manufacturing_order.deleted" | "supplier_item.created" | "supplier_item.updated" | "purchase_order.created" | "purchase_order.updated" | "purchase_order.done" | "purchase_receipt.created" | "purchase_receipt.updated" | "purchase_receipt.reversed" | "landed_cost.created" | "landed_cost.updated" | "landed_cost.reversed" | "reservation.created" | "reservation.updated" | "reservation.released" | "reservation.expired" | "reservation.consumed" | "sales_order.created" | "sales_order.updated" | "sales_order.shipped" | "sales_order.done" | "sales_order.cancelled" | "sales_shipment.created" | "sales_shipment.updated" | "sales_shipment.reversed" | "sales_return.created" | "sales_return.updated" | "sales_return.returned" | "sales_return.cancelled" | "webhook.test" | readonly ("product.created" | "product.updated" | "storage_place.created" | "storage_place.updated" | "supplier.created" | "supplier.updated" | "customer.created" | "customer.updated" | "stock.changed" | "kit.changed" | "batch.updated" | "batch.expired" | "stock_adjustment.created" | "stock_adjustment.updated" | "stock_adjustment.reversed" | "stock_transfer.created" | "stock_transfer.updated" | "stock_transfer.reversed" | "stock_count.created" | "stock_count.updated" | "stock_count.completed" | "stock_count.cancelled" | "operation.created" | "operation.updated" | "recipe.created" | "recipe.updated" | "manufacturing_order.created" | "manufacturing_order.updated" | "manufacturing_order.started" | "manufacturing_order.partially_done" | "manufacturing_order.done" | "manufacturing_order.blocked" | "manufacturing_order.unblocked" | "manufacturing_order.deleted" | "supplier_item.created" | "supplier_item.updated" | "purchase_order.created" | "purchase_order.updated" | "purchase_order.done" | "purchase_receipt.created" | "purchase_receipt.updated" | "purchase_receipt.reversed" | "landed_cost.created" | "landed_cost.updated" | "landed_cost.reversed" | "reservation.created" | "reservation.updated" | "reservation.released" | "reservation.expired" | "reservation.consumed" | "sales_order.created" | "sales_order.updated" | "sales_order.shipped" | "sales_order.done" | "sales_order.cancelled" | "sales_shipment.created" | "sales_shipment.updated" | "sales_shipment.reversed" | "sales_return.created" | "sales_return.updated" | "sales_return.returned" | "sales_return.cancelled" | "webhook.test")[] | undefined
  /** With a greater `sequence` than this. */
  after_sequence?: number | undefined
}

/** Query of `GET /events/stream`. */
export type StreamEventsQuery = {
  /**
   * Only what has one of these in `type`, joined by commas.
   *
   * - `product.created`: A product was created
   * - `product.updated`: A product or one of its variants was changed
   * - `storage_place.created`: A storage place was created
   * - `storage_place.updated`: A storage place was changed
   * - `supplier.created`: A supplier was created, also by a purchase order
   * - `supplier.updated`: A supplier was changed
   * - `customer.created`: A customer was created, also by a sales order
   * - `customer.updated`: A customer was changed
   * - `stock.changed`: Physical, quarantine, expired, reserved or expected quantity of a variant at a place changed: its levels over all batches
   * - `kit.changed`: Another number of a kit could be sold at a place, since its components or their stock changed. Published behind the `stock.changed` of the same write; `previous` is null where the kit had no row
   * - `batch.updated`: The number or a date of a batch changed, or it is good again because the time zone of its tenant changed
   * - `batch.expired`: The last day of a batch ended in the time zone of its tenant
   * - `stock_adjustment.created`: Stock was adjusted
   * - `stock_adjustment.updated`: What is noted of a stock adjustment changed
   * - `stock_adjustment.reversed`: A stock adjustment was reversed
   * - `stock_transfer.created`: Stock was transferred
   * - `stock_transfer.updated`: What is noted of a stock transfer changed
   * - `stock_transfer.reversed`: A stock transfer was reversed
   * - `stock_count.created`: A stock count began
   * - `stock_count.updated`: Something was counted, or what is noted of a stock count changed
   * - `stock_count.completed`: The differences of a stock count were booked
   * - `stock_count.cancelled`: A stock count was cancelled
   * - `operation.created`: An operation was created
   * - `operation.updated`: An operation was changed
   * - `recipe.created`: A recipe was created
   * - `recipe.updated`: A recipe was changed
   * - `manufacturing_order.created`: A manufacturing order was created
   * - `manufacturing_order.updated`: Fields, the quantity, the place or materials of a manufacturing order changed
   * - `manufacturing_order.started`: Materials were written off; work began
   * - `manufacturing_order.partially_done`: A part of the output came into stock
   * - `manufacturing_order.done`: A manufacturing order was completed
   * - `manufacturing_order.blocked`: A manufacturing order was blocked
   * - `manufacturing_order.unblocked`: A manufacturing order went on
   * - `manufacturing_order.deleted`: A manufacturing order was deleted; `data` is as it last was
   * - `supplier_item.created`: A supplier item was created
   * - `supplier_item.updated`: A supplier item was changed, or is preferred no more
   * - `purchase_order.created`: A purchase order was created
   * - `purchase_order.updated`: Fields or lines of a purchase order changed, or a receipt left it open
   * - `purchase_order.done`: A purchase order was received in full, closed, or lost what was outstanding
   * - `purchase_receipt.created`: Goods were received
   * - `purchase_receipt.updated`: What is noted of a receipt changed
   * - `purchase_receipt.reversed`: A receipt was reversed
   * - `landed_cost.created`: A landed cost was booked
   * - `landed_cost.updated`: What is noted of a landed cost changed
   * - `landed_cost.reversed`: A landed cost was reversed
   * - `reservation.created`: Goods are held
   * - `reservation.updated`: `expires_at`, notes, `external_ref` or metadata of a reservation changed
   * - `reservation.released`: A reservation was let go
   * - `reservation.expired`: The time of a reservation was over
   * - `reservation.consumed`: A sales order took a reservation
   * - `sales_order.created`: A sales order was created
   * - `sales_order.updated`: Fields, lines, charges, packing, or a part of the shipment changed
   * - `sales_order.shipped`: All of a sales order is shipped
   * - `sales_order.done`: A sales order was set done by hand
   * - `sales_order.cancelled`: A sales order was cancelled
   * - `sales_shipment.created`: Goods were shipped
   * - `sales_shipment.updated`: Carrier, tracking, notes, `external_ref` or metadata of a shipment changed
   * - `sales_shipment.reversed`: A shipment was reversed
   * - `sales_return.created`: A sales return was announced
   * - `sales_return.updated`: What is noted of a sales return changed
   * - `sales_return.returned`: Returned goods came back into stock
   * - `sales_return.cancelled`: A sales return was cancelled
   * - `webhook.test`: Asked for with the test endpoint; sent to the tested subscription only, and not in the event feed.
   */
  type?: "product.created" | "product.updated" | "storage_place.created" | "storage_place.updated" | "supplier.created" | "supplier.updated" | "customer.created" | "customer.updated" | "stock.changed" | "kit.changed" | "batch.updated" | "batch.expired" | "stock_adjustment.created" | "stock_adjustment.updated" | "stock_adjustment.reversed" | "stock_transfer.created" | "stock_transfer.updated" | "stock_transfer.reversed" | "stock_count.created" | "stock_count.updated" | "stock_count.completed" | "stock_count.cancelled" | "operation.created" | "operation.updated" | "recipe.created" | "recipe.updated" | "manufacturing_order.created" | "manufacturing_order.updated" | "manufacturing_order.started" | "manufacturing_order.partially_done" | "manufacturing_order.done" | "manufacturing_order.blocked" | "manufacturing_order.unblocked" | "manufacturing_order.deleted" | "supplier_item.created" | "supplier_item.updated" | "purchase_order.created" | "purchase_order.updated" | "purchase_order.done" | "purchase_receipt.created" | "purchase_receipt.updated" | "purchase_receipt.reversed" | "landed_cost.created" | "landed_cost.updated" | "landed_cost.reversed" | "reservation.created" | "reservation.updated" | "reservation.released" | "reservation.expired" | "reservation.consumed" | "sales_order.created" | "sales_order.updated" | "sales_order.shipped" | "sales_order.done" | "sales_order.cancelled" | "sales_shipment.created" | "sales_shipment.updated" | "sales_shipment.reversed" | "sales_return.created" | "sales_return.updated" | "sales_return.returned" | "sales_return.cancelled" | "webhook.test" | readonly ("product.created" | "product.updated" | "storage_place.created" | "storage_place.updated" | "supplier.created" | "supplier.updated" | "customer.created" | "customer.updated" | "stock.changed" | "kit.changed" | "batch.updated" | "batch.expired" | "stock_adjustment.created" | "stock_adjustment.updated" | "stock_adjustment.reversed" | "stock_transfer.created" | "stock_transfer.updated" | "stock_transfer.reversed" | "stock_count.created" | "stock_count.updated" | "stock_count.completed" | "stock_count.cancelled" | "operation.created" | "operation.updated" | "recipe.created" | "recipe.updated" | "manufacturing_order.created" | "manufacturing_order.updated" | "manufacturing_order.started" | "manufacturing_order.partially_done" | "manufacturing_order.done" | "manufacturing_order.blocked" | "manufacturing_order.unblocked" | "manufacturing_order.deleted" | "supplier_item.created" | "supplier_item.updated" | "purchase_order.created" | "purchase_order.updated" | "purchase_order.done" | "purchase_receipt.created" | "purchase_receipt.updated" | "purchase_receipt.reversed" | "landed_cost.created" | "landed_cost.updated" | "landed_cost.reversed" | "reservation.created" | "reservation.updated" | "reservation.released" | "reservation.expired" | "reservation.consumed" | "sales_order.created" | "sales_order.updated" | "sales_order.shipped" | "sales_order.done" | "sales_order.cancelled" | "sales_shipment.created" | "sales_shipment.updated" | "sales_shipment.reversed" | "sales_return.created" | "sales_return.updated" | "sales_return.returned" | "sales_return.cancelled" | "webhook.test")[] | undefined
  /** With a greater `sequence` than this. */
  after_sequence?: number | undefined
}

/** Query of `GET /requests`. */
export type ListRequestsQuery = {
  /** How many records a page holds at most. Default: `50`. */
  limit?: number | undefined
  /** `next_cursor` of the page before, unchanged; without it reading starts from the beginning. */
  cursor?: string | undefined
  /**
   * The order that the list has, unless the endpoint says otherwise, or its opposite; a cursor continues in the order in which it was made; `desc` together with `updated_after` is 400.
   *
   * - `asc`: by its positions
   * - `desc`: the opposite.
   */
  order?: "asc" | "desc" | undefined
  /** Only what has one of these in `id`, joined by commas. */
  id?: string | number | readonly (string | number)[] | undefined
  /** Only what has one of these in `key_id`, joined by commas. */
  key_id?: string | number | readonly (string | number)[] | undefined
  /** Of the request; that of a bulk finds its entries. */
  request_id?: string | undefined
  /** Only what has this `idempotency_key`. */
  idempotency_key?: string | undefined
  /**
   * Only what has this `outcome`.
   *
   * - `done`: it was done
   * - `refused`: it was refused, and nothing of it was done.
   */
  outcome?: "done" | "refused" | undefined
  /** Decided at or after this. ISO-8601 date or timestamp; without an offset it is UTC. */
  created_after?: string | undefined
  /** Decided before this. ISO-8601 date or timestamp; without an offset it is UTC. */
  created_before?: string | undefined
}

/** Query of `GET /security/telemetry`. */
export type GetSecurityTelemetryQuery = {
  /** Inclusive. RFC 3339 timestamp with an offset (a + is sent as %2B). */
  windowStart: string
  /** Exclusive, exactly 24 hours later. RFC 3339 timestamp with an offset (a + is sent as %2B). */
  windowEnd: string
}

/** Query of `GET /api-keys`. */
export type ListApiKeysQuery = {
  /** How many records a page holds at most. Default: `50`. */
  limit?: number | undefined
  /** `next_cursor` of the page before, unchanged; without it reading starts from the beginning. */
  cursor?: string | undefined
  /**
   * The order that the list has, unless the endpoint says otherwise, or its opposite; a cursor continues in the order in which it was made; `desc` together with `updated_after` is 400.
   *
   * - `asc`: by its positions
   * - `desc`: the opposite.
   */
  order?: "asc" | "desc" | undefined
  /** Only what has one of these in `id`, joined by commas. */
  id?: string | number | readonly (string | number)[] | undefined
  /**
   * Only what has one of these in `status`, joined by commas.
   *
   * - `valid`: it is
   * - `expired`: its time is over
   * - `revoked`: it was ended for good.
   */
  status?: "valid" | "expired" | "revoked" | readonly ("valid" | "expired" | "revoked")[] | undefined
}

/** The endpoints below `/products`. */
export class ProductsEndpoints extends Endpoints {
  /**
   * List products.
   *
   * Products with all their variants, ascending by id. Archived ones are listed unless filtered. `q` and `barcode` look at archived variants too. `sku` finds the products that have a variant with exactly this sku, archived variants too; together with `archived=false` the variant must be unarchived as well, so that at most one product is found.
   *
   * Needs the scope `read:catalog`.
   */
  list(query: ListProductsQuery = {}, options?: ReadOptions): List<Product> {
    return this.transport.list('/products', query, options)
  }

  /**
   * Create a product.
   *
   * Takes either `variants` or, for a product with one variant, the shorthand `sku`, `barcode`, `barcodes`, `price`, `purchase_price`, `minimum_stock`, `lead_time_days`, `minimum_order_quantity`, `order_multiple`, `components`. Any shorthand field beside `variants`, also with null, is 400. With neither, the product gets one variant without sku. A variant without `title` takes the product's. `is_producible` defaults to true for a PRODUCT, else to false. A `unit_name` that is new makes the unit. A sku is unique (by its exact spelling) among the unarchived variants of the tenant, `external_ref` among all of them. Variants of a KIT have `components`, each an unarchived variant that is no kit and stands in 200 kits at most; a kit is neither made, bought, tracked nor counted.
   *
   * Needs the scope `write:catalog.product.create`. A success spends one of the key's daily documents. A replay answers 200 instead of 201.
   */
  create(body: CreateProductBody, options?: WriteOptions): Promise<Product> {
    return this.transport.write('POST', '/products', body, options)
  }

  /**
   * Read a product.
   *
   * Needs the scope `read:catalog`.
   */
  get(id: string, options?: ReadOptions): Promise<Product> {
    return this.transport.read(path`/products/${id}`, {}, options)
  }

  /**
   * Update a product.
   *
   * What is omitted stays; null clears a nullable field. `variants` entries with `id` change that variant (also `archived`), entries without add one (up to 100 entries a request, 1000 variants a product, archived ones included); unnamed variants stay. The shorthand fields change the one unarchived variant; with none or several they are 400. `attributes` are replaced as a whole, `metadata` merges. `archived` archives the product and with it, in effect, its variants, whose skus become free. `batch_tracked` cannot change while the product has stock. Where `category` changes, the stock value goes to the new one in the books, today (422 while today is closed). A body that changes nothing answers the product as it is.
   *
   * Needs the scope `write:catalog.product.update`.
   */
  update(id: string, body: UpdateProductBody, options?: ConditionalOptions): Promise<Product> {
    return this.transport.write('PATCH', path`/products/${id}`, body, options)
  }

  /**
   * Read the product with an external_ref.
   *
   * Needs the scope `read:catalog`.
   */
  getByRef(externalRef: string, options?: ReadOptions): Promise<Product> {
    return this.transport.read(referencePath`/products/by-ref/${externalRef}`, {}, options)
  }

  /**
   * Make or change the product with an external_ref.
   *
   * Makes the product (201, as `POST /products` does) where none has the reference, archived ones included, else changes it (200, as `PATCH /products/{id}` does): what is omitted stays. What a POST requires is required where the product is new. A body that changes nothing has no event. `If-Match` where no product has the reference is 412. Variants are found by `external_ref`, else `sku`, else title, unarchived ones first; one that names two is 400, those that are not named stay. The fields of a single variant mean the only one (with several: 400). `type` cannot change.
   *
   * Needs the scopes `write:catalog.product.create` and `write:catalog.product.update`. Making the record spends one of the key's daily documents.
   */
  putByRef(externalRef: string, body: PutProductByRefBody = {}, options?: ConditionalOptions): Promise<Product> {
    return this.transport.write('PUT', referencePath`/products/by-ref/${externalRef}`, body, options)
  }
}

/** The endpoints below `/storage-places`. */
export class StoragePlacesEndpoints extends Endpoints {
  /**
   * List storage places.
   *
   * Archived ones are listed unless filtered. A tenant without storage places has an empty list; its stock then has `storage_place_id` null, and no implicit warehouse exists.
   *
   * Needs the scope `read:stock`.
   */
  list(query: ListStoragePlacesQuery = {}, options?: ReadOptions): List<StoragePlace> {
    return this.transport.list('/storage-places', query, options)
  }

  /**
   * Create a storage place.
   *
   * The first place becomes the main one. Stock that has no place stays without one, and is addressed by an explicit `storage_place_id: null`. `code` need not be unique.
   *
   * Needs the scope `write:stock.place.create`.
   */
  create(body: CreateStoragePlaceBody, options?: WriteOptions): Promise<StoragePlace> {
    return this.transport.write('POST', '/storage-places', body, options)
  }

  /**
   * Read a storage place.
   *
   * Needs the scope `read:stock`.
   */
  get(id: string, options?: ReadOptions): Promise<StoragePlace> {
    return this.transport.read(path`/storage-places/${id}`, {}, options)
  }

  /**
   * Update a storage place.
   *
   * What is omitted stays; null clears a nullable field. `address` is replaced as a whole. A place can be archived while it holds no stock, nothing is reserved there and it is not the main one, else 409 `conflict`. No new document may name an archived place, other than a transfer out of it (400); what is under way there goes on. What a place allows counts for new documents too. A body that changes nothing answers the place as it is.
   *
   * Needs the scope `write:stock.place.update`.
   */
  update(id: string, body: UpdateStoragePlaceBody, options?: ConditionalOptions): Promise<StoragePlace> {
    return this.transport.write('PATCH', path`/storage-places/${id}`, body, options)
  }

  /**
   * Read the storage place with an external_ref.
   *
   * Needs the scope `read:stock`.
   */
  getByRef(externalRef: string, options?: ReadOptions): Promise<StoragePlace> {
    return this.transport.read(referencePath`/storage-places/by-ref/${externalRef}`, {}, options)
  }

  /**
   * Make or change the storage place with an external_ref.
   *
   * Makes the storage place (201, as `POST /storage-places` does) where none has the reference, archived ones included, else changes it (200, as `PATCH /storage-places/{id}` does): what is omitted stays. What a POST requires is required where the storage place is new. A body that changes nothing has no event. `If-Match` where no storage place has the reference is 412.
   *
   * Needs the scopes `write:stock.place.create` and `write:stock.place.update`.
   */
  putByRef(externalRef: string, body: PutStoragePlaceByRefBody = {}, options?: ConditionalOptions): Promise<StoragePlace> {
    return this.transport.write('PUT', referencePath`/storage-places/by-ref/${externalRef}`, body, options)
  }
}

/** The endpoints below `/suppliers`. */
export class SuppliersEndpoints extends Endpoints {
  /**
   * List suppliers.
   *
   * Ascending by id. Archived ones are listed unless filtered. `q` looks in title and e-mail address.
   *
   * Needs the scope `read:purchase`.
   */
  list(query: ListSuppliersQuery = {}, options?: ReadOptions): List<Supplier> {
    return this.transport.list('/suppliers', query, options)
  }

  /**
   * Create a supplier.
   *
   * An order can also bring its supplier along. `currency` is for information; an order names its own.
   *
   * Needs the scope `write:purchase.supplier.create`.
   */
  create(body: CreateSupplierBody, options?: WriteOptions): Promise<Supplier> {
    return this.transport.write('POST', '/suppliers', body, options)
  }

  /**
   * Read a supplier.
   *
   * Needs the scope `read:purchase`.
   */
  get(id: string, options?: ReadOptions): Promise<Supplier> {
    return this.transport.read(path`/suppliers/${id}`, {}, options)
  }

  /**
   * Update a supplier.
   *
   * What is omitted stays; null clears. An archived supplier takes no new orders; open ones go on. Orders show the supplier's title as it is now. A body that changes nothing answers the supplier as it is.
   *
   * Needs the scope `write:purchase.supplier.update`.
   */
  update(id: string, body: UpdateSupplierBody, options?: ConditionalOptions): Promise<Supplier> {
    return this.transport.write('PATCH', path`/suppliers/${id}`, body, options)
  }

  /**
   * Read the supplier with an external_ref.
   *
   * Needs the scope `read:purchase`.
   */
  getByRef(externalRef: string, options?: ReadOptions): Promise<Supplier> {
    return this.transport.read(referencePath`/suppliers/by-ref/${externalRef}`, {}, options)
  }

  /**
   * Make or change the supplier with an external_ref.
   *
   * Makes the supplier (201, as `POST /suppliers` does) where none has the reference, archived ones included, else changes it (200, as `PATCH /suppliers/{id}` does): what is omitted stays. What a POST requires is required where the supplier is new. A body that changes nothing has no event. `If-Match` where no supplier has the reference is 412.
   *
   * Needs the scopes `write:purchase.supplier.create` and `write:purchase.supplier.update`.
   */
  putByRef(externalRef: string, body: PutSupplierByRefBody = {}, options?: ConditionalOptions): Promise<Supplier> {
    return this.transport.write('PUT', referencePath`/suppliers/by-ref/${externalRef}`, body, options)
  }
}

/** The endpoints below `/customers`. */
export class CustomersEndpoints extends Endpoints {
  /**
   * List customers.
   *
   * Ascending by id. Archived ones are listed unless filtered. `q` looks in title and e-mail address.
   *
   * Needs the scope `read:sales`.
   */
  list(query: ListCustomersQuery = {}, options?: ReadOptions): List<Customer> {
    return this.transport.list('/customers', query, options)
  }

  /**
   * Create a customer.
   *
   * An order can also bring its customer along. `currency` is for information; an order names its own.
   *
   * Needs the scope `write:sales.customer.create`.
   */
  create(body: CreateCustomerBody, options?: WriteOptions): Promise<Customer> {
    return this.transport.write('POST', '/customers', body, options)
  }

  /**
   * Read a customer.
   *
   * Needs the scope `read:sales`.
   */
  get(id: string, options?: ReadOptions): Promise<Customer> {
    return this.transport.read(path`/customers/${id}`, {}, options)
  }

  /**
   * Update a customer.
   *
   * What is omitted stays; null clears. An archived customer takes no new orders; open ones go on. Orders show the customer's title as it is now. A body that changes nothing answers the customer as it is.
   *
   * Needs the scope `write:sales.customer.update`.
   */
  update(id: string, body: UpdateCustomerBody, options?: ConditionalOptions): Promise<Customer> {
    return this.transport.write('PATCH', path`/customers/${id}`, body, options)
  }

  /**
   * Read the customer with an external_ref.
   *
   * Needs the scope `read:sales`.
   */
  getByRef(externalRef: string, options?: ReadOptions): Promise<Customer> {
    return this.transport.read(referencePath`/customers/by-ref/${externalRef}`, {}, options)
  }

  /**
   * Make or change the customer with an external_ref.
   *
   * Makes the customer (201, as `POST /customers` does) where none has the reference, archived ones included, else changes it (200, as `PATCH /customers/{id}` does): what is omitted stays. What a POST requires is required where the customer is new. A body that changes nothing has no event. `If-Match` where no customer has the reference is 412.
   *
   * Needs the scopes `write:sales.customer.create` and `write:sales.customer.update`.
   */
  putByRef(externalRef: string, body: PutCustomerByRefBody = {}, options?: ConditionalOptions): Promise<Customer> {
    return this.transport.write('PUT', referencePath`/customers/by-ref/${externalRef}`, body, options)
  }
}

/** The endpoints below `/stock`. */
export class StockEndpoints extends Endpoints {
  /**
   * List stock entries.
   *
   * One entry per variant, storage place (or none) and batch (or none), ascending by id. An entry stays listed once it exists, so that `updated_after` (inclusive) shows it falling to 0. Batches of a variant at a place share its moving average cost and its value, so an entry's `updated_at` moves also when another batch changes what it shows: of an entry with stock with every movement of the variant at the place, of an emptied one with the average. The `stock_value` of all entries of a variant at a place add up to its value exactly.
   *
   * Needs the scope `read:stock`.
   */
  list(query: ListStockQuery = {}, options?: ReadOptions): List<StockEntry> {
    return this.transport.list('/stock', query, options)
  }
}

/** The endpoints below `/availability`. */
export class AvailabilityEndpoints extends Endpoints {
  /**
   * List what is available.
   *
   * One row per variant and storage place (or none) over all batches: how many of a sku can be sold or used now. Ascending by variant, then place, stock without a place first. A row is the `data` of the last `stock.changed` event of its variant and place. Of an unarchived variant that holds stock, the main place (no place, where there are none) has a row of zeros even where nothing ever was there; other places have rows of what was there. `sku` finds archived variants too. Unarchived kits have rows at the main place and wherever a component has one: their `available_quantity` is how many whole kits the scarcest component allows, as the `data` of `kit.changed` says it.
   *
   * Needs the scope `read:stock`.
   */
  list(query: ListAvailabilityQuery = {}, options?: ReadOptions): List<Availability> {
    return this.transport.list('/availability', query, options)
  }
}

/** The endpoints below `/stock-valuation`. */
export class StockValuationEndpoints extends Endpoints {
  /**
   * List what the stock was worth at a time.
   *
   * One row per variant and storage place (or none), over all batches, as they stood when all commands up to `as_of` had run: movements count by when they were posted (`created_at`, inclusive), whatever the date of their document. Ascending by variant, then by place, stock without a place first. Rows stand for what had moved by then; a quantity of 0 is shown. For a time after the last movement it agrees with `GET /stock` in every digit. `as_of` is a date (the start of that day, UTC) or a timestamp, not in the future; `through` shows instead what documents dated up to a day came to, whenever they were posted, and what was dated out of order may be below 0; a command that runs while you ask may yet be posted within the last moments before.
   *
   * Needs the scope `read:stock`.
   */
  list(query: ListStockValuationQuery = {}, options?: ReadOptions): List<StockValuation> {
    return this.transport.list('/stock-valuation', query, options)
  }

  /** Figures of all rows of the list. */
  totals(query: ListStockValuationQuery = {}, options?: ReadOptions): Promise<StockValuationTotals> {
    return this.transport.read('/stock-valuation', { ...query, totals: true }, options)
  }
}

/** The endpoints below `/stock-movements`. */
export class StockMovementsEndpoints extends Endpoints {
  /**
   * List stock movements.
   *
   * Every change of a stock entry, append-only, in posting order (ascending by id), whatever the date of its document. The movements of an entry add up to its quantity, those of a variant at a place to its value. A move into or out of quarantine within a place is a TRANSFER_OUT and a TRANSFER_IN of the same entry. `created_after` is inclusive, `created_before` exclusive.
   *
   * Needs the scope `read:stock`.
   */
  list(query: ListStockMovementsQuery = {}, options?: ReadOptions): List<StockMovement> {
    return this.transport.list('/stock-movements', query, options)
  }
}

/** The endpoints below `/batches`. */
export class BatchesEndpoints extends Endpoints {
  /**
   * List batches.
   *
   * Every batch that ever came in, also one that is used up; quantities over all storage places. `expires_before` is exclusive, and leaves out batches without an expiry date.
   *
   * Needs the scope `read:stock`.
   */
  list(query: ListBatchesQuery = {}, options?: ReadOptions): List<Batch> {
    return this.transport.list('/batches', query, options)
  }

  /**
   * Read a batch.
   *
   * Quantities are over all storage places; `GET /stock?batch_id=` has them place by place.
   *
   * Needs the scope `read:stock`.
   */
  get(id: string, options?: ReadOptions): Promise<Batch> {
    return this.transport.read(path`/batches/${id}`, {}, options)
  }

  /**
   * Update a batch.
   *
   * A number that another batch of the variant has is 400. Null clears a date. Picking, stock, batches and traces show the change at once; where it changes what is available, `stock.changed` says so. Documents keep the number and dates that they showed. No accounting period is asked.
   *
   * Needs the scope `write:stock.batch.update`.
   */
  update(id: string, body: UpdateBatchBody, options?: ConditionalOptions): Promise<Batch> {
    return this.transport.write('PATCH', path`/batches/${id}`, body, options)
  }

  /**
   * Trace a batch.
   *
   * Where a batch went (`forward`) or came from (`backward`), over all levels of manufacturing, as one consistent snapshot. Forward: what was shipped and to whom, what orders consumed, what was adjusted out, what came back, and what lies where now; an order that consumed it leads to what the order produced, one level deeper, and that batch is followed likewise. Backward: what was received and from whom, produced, adjusted in and returned; an order that produced it leads to what the order consumed. Each batch and each order is followed once, at its lowest level; an output without a batch is shown and not followed. A row is the sum over the movements of one source, batch and place; transfers are not shown. Rows are in the order of level, then of their first movement; what is in stock ends its level.
   *
   * Needs the scope `read:stock`.
   */
  trace(id: string, query: TraceBatchQuery, options?: ReadOptions): Promise<BatchTrace> {
    return this.transport.read(path`/batches/${id}/trace`, query, options)
  }
}

/** The endpoints below `/stock-adjustments`. */
export class StockAdjustmentsEndpoints extends Endpoints {
  /**
   * List stock adjustments.
   *
   * `created_after` is inclusive, `created_before` exclusive.
   *
   * Needs the scope `read:stock`.
   */
  list(query: ListStockAdjustmentsQuery = {}, options?: ReadOptions): List<StockAdjustment> {
    return this.transport.list('/stock-adjustments', query, options)
  }

  /**
   * Adjust stock.
   *
   * All lines or none, posted in their order; a later line sees what an earlier one did. A line gives exactly one of `quantity` (signed, not 0), `counted_quantity` and `value_change`: a write-down, which moves no goods, where there is stock, to not below 0. `expected_quantity` compares and sets: where the stock differs, the adjustment is 409 `stock_changed`. Both speak of all physical stock of the variant at the place, or of the named batch. `unit_cost` is for inflows only (0 counts); without it an inflow comes in at the average cost as it is, at an empty place at the purchase price, else at 0. An inflow of a batch-tracked variant without a batch takes the number of the document as its batch; a new batch's `expiry_date` defaults to its `manufacture_date` plus the shelf life. An outflow without a batch is taken first-expired-first-out, expired stock included, quarantined stock never, and answers one line per stock entry. Without `storage_place_id` the main place is adjusted; null adjusts stock without a place.
   *
   * Needs the scope `write:inventory.adjustment.create`. A success spends one of the key's daily documents. A replay answers 200 instead of 201.
   */
  create(body: CreateStockAdjustmentBody, options?: WriteOptions): Promise<StockAdjustment> {
    return this.transport.write('POST', '/stock-adjustments', body, options)
  }

  /**
   * Read a stock adjustment.
   *
   * As it was posted: a later change of a sku or title does not show. A reversed adjustment stays as it was, and says so.
   *
   * Needs the scope `read:stock`.
   */
  get(id: string, options?: ReadOptions): Promise<StockAdjustment> {
    return this.transport.read(path`/stock-adjustments/${id}`, {}, options)
  }

  /**
   * Update a stock adjustment.
   *
   * `notes`, `external_ref` and `metadata` change in every status; what was posted stays. A body that changes nothing answers the stock adjustment as it is.
   *
   * Needs the scope `write:inventory.adjustment.create`.
   */
  update(id: string, body: UpdateStockAdjustmentBody, options?: ConditionalOptions): Promise<StockAdjustment> {
    return this.transport.write('PATCH', path`/stock-adjustments/${id}`, body, options)
  }

  /**
   * Reverse a stock adjustment.
   *
   * Answers the movements of the document one by one, the last first, by movements of kind REVERSAL: all or none. What came in must still be there physically, in its batch and in or out of quarantine as it came, else 409 `insufficient_stock`; expired stock counts, and reservations do not. What went out comes back at the value at which it left. What came in leaves at the value at which it came, but at most at what the stock is worth. A date before that of the document is 400; a second time is 409 `already_reversed`; a place that is archived and would get goods, or a product whose `batch_tracked` has changed since, is 409 `conflict`. The document stays in its list.
   *
   * Needs the scope `write:inventory.adjustment.reverse`.
   */
  reverse(id: string, body: ReverseStockAdjustmentBody, options?: ConditionalOptions): Promise<StockAdjustment> {
    return this.transport.write('POST', path`/stock-adjustments/${id}/reverse`, body, options)
  }
}

/** The endpoints below `/stock-transfers`. */
export class StockTransfersEndpoints extends Endpoints {
  /**
   * List stock transfers.
   *
   * `created_after` is inclusive, `created_before` exclusive.
   *
   * Needs the scope `read:stock`.
   */
  list(query: ListStockTransfersQuery = {}, options?: ReadOptions): List<StockTransfer> {
    return this.transport.list('/stock-transfers', query, options)
  }

  /**
   * Transfer stock.
   *
   * Moves quantity, batch and value together, all lines or none. Both places are required; null is stock without a place. Within one place `from_quarantine` and `to_quarantine` must differ: so stock enters and leaves quarantine. `from_quarantine` takes only quarantined stock, else only stock that is not. Without `batch_id` batches are taken first-expired-first-out, expired ones included. A shortage is 409 `insufficient_stock`, and nothing moves.
   *
   * Needs the scope `write:inventory.transfer.create`. A success spends one of the key's daily documents.
   */
  create(body: CreateStockTransferBody, options?: WriteOptions): Promise<StockTransfer> {
    return this.transport.write('POST', '/stock-transfers', body, options)
  }

  /**
   * Read a stock transfer.
   *
   * As it was posted: a later change of a sku or title does not show. A reversed transfer stays as it was, and says so.
   *
   * Needs the scope `read:stock`.
   */
  get(id: string, options?: ReadOptions): Promise<StockTransfer> {
    return this.transport.read(path`/stock-transfers/${id}`, {}, options)
  }

  /**
   * Update a stock transfer.
   *
   * `notes`, `external_ref` and `metadata` change in every status; what was posted stays. A body that changes nothing answers the stock transfer as it is.
   *
   * Needs the scope `write:inventory.transfer.create`.
   */
  update(id: string, body: UpdateStockTransferBody, options?: ConditionalOptions): Promise<StockTransfer> {
    return this.transport.write('PATCH', path`/stock-transfers/${id}`, body, options)
  }

  /**
   * Reverse a stock transfer.
   *
   * Answers the movements of the document one by one, the last first, by movements of kind REVERSAL: all or none. What came in must still be there physically, in its batch and in or out of quarantine as it came, else 409 `insufficient_stock`; expired stock counts, and reservations do not. What went out comes back at the value at which it left. What came in leaves at the value at which it came, but at most at what the stock is worth. A date before that of the document is 400; a second time is 409 `already_reversed`; a place that is archived and would get goods, or a product whose `batch_tracked` has changed since, is 409 `conflict`. The document stays in its list. The source gets back exactly the value that the target gives up.
   *
   * Needs the scope `write:inventory.transfer.reverse`.
   */
  reverse(id: string, body: ReverseStockTransferBody, options?: ConditionalOptions): Promise<StockTransfer> {
    return this.transport.write('POST', path`/stock-transfers/${id}/reverse`, body, options)
  }
}

/** The endpoints below `/stock-counts`. */
export class StockCountsEndpoints extends Endpoints {
  /**
   * List stock counts.
   *
   * Their lines are in the list of items of each. `created_after` is inclusive, `created_before` exclusive.
   *
   * Needs the scope `read:stock`.
   */
  list(query: ListStockCountsQuery = {}, options?: ReadOptions): List<StockCount> {
    return this.transport.list('/stock-counts', query, options)
  }

  /**
   * Create a stock count.
   *
   * A count of what is physically at a place, which may take hours while goods move. A line keeps `expected_quantity`, what was there when the line was counted. A batch-tracked variant needs its batch: `batch_id`, or `batch_number`, where a new number makes a batch. Without `storage_place_id` the main place is counted; null counts stock without a place. Nothing is booked until the count is completed.
   *
   * Needs the scope `write:inventory.adjustment.create`.
   */
  create(body: CreateStockCountBody = {}, options?: WriteOptions): Promise<StockCount> {
    return this.transport.write('POST', '/stock-counts', body, options)
  }

  /**
   * Read a stock count.
   *
   * The count without its lines, of which it may have 2,000: these are in its list of items.
   *
   * Needs the scope `read:stock`.
   */
  get(id: string, options?: ReadOptions): Promise<StockCount> {
    return this.transport.read(path`/stock-counts/${id}`, {}, options)
  }

  /**
   * Update a stock count.
   *
   * An entry of `items` counts a variant and batch: the line that it has is counted anew, with what is there now as `expected_quantity`; else a line is added. With `remove: true` the line goes. Lines that are not named stay; a count has at most 2,000. Of a count that is not OPEN only `notes`, `external_ref` and `metadata` change, else 409 `stock_count_not_editable`.
   *
   * Needs the scope `write:inventory.adjustment.create`.
   */
  update(id: string, body: UpdateStockCountBody, options?: ConditionalOptions): Promise<StockCount> {
    return this.transport.write('PATCH', path`/stock-counts/${id}`, body, options)
  }

  /**
   * List the lines of a stock count.
   *
   * What was counted, in the order in which it was first counted. A line keeps what was there when it was counted; counted anew, it keeps what was there then.
   *
   * Needs the scope `read:stock`.
   */
  listItems(id: string, query: ListStockCountItemsQuery = {}, options?: ReadOptions): List<StockCountItem> {
    return this.transport.list(path`/stock-counts/${id}/items`, query, options)
  }

  /**
   * Complete a stock count.
   *
   * Books the `difference` of each line, not the counted quantity, so that what moved since stays moved: one stock adjustment (reason COUNT) of all lines with a difference, at the costs of an adjustment. An outflow takes quarantined stock too, after the other. A stock that would fall below 0 is 409 `insufficient_stock`, and nothing is booked: count that line anew. Without a difference there is no adjustment. 409 `conflict` says that the place is archived, or that a variant is batch-tracked now and was not then.
   *
   * Needs the scope `write:inventory.adjustment.create`. A success spends one of the key's daily documents.
   */
  complete(id: string, body: CompleteStockCountBody = {}, options?: ConditionalOptions): Promise<StockCount> {
    return this.transport.write('POST', path`/stock-counts/${id}/complete`, body, options)
  }

  /**
   * Cancel a stock count.
   *
   * Ends a count that books nothing. Its lines stay to be read.
   *
   * Needs the scope `write:inventory.adjustment.create`.
   */
  cancel(id: string, body: CancelStockCountBody = {}, options?: ConditionalOptions): Promise<StockCount> {
    return this.transport.write('POST', path`/stock-counts/${id}/cancel`, body, options)
  }
}

/** The endpoints below `/journal-entries`. */
export class JournalEntriesEndpoints extends Endpoints {
  /**
   * List the entries of the books.
   *
   * One entry for each document and command that moved value, ascending by id, in posting order. Its debits equal its credits. What a movement of stock is worth counts for INVENTORY, the other side follows from its document: GOODS_RECEIVED_NOT_INVOICED of a receipt, STOCK_ADJUSTMENT of an adjustment, WORK_IN_PROGRESS of materials and output, COST_OF_GOODS_SOLD of a shipment or return, LANDED_COST_CLEARING of a landed cost. A reversal swaps the sides of its document; where the stock moved another value than then, VALUATION_DIFFERENCE has the rest. `day_from` and `day_to` are inclusive; `created_after` is inclusive, `created_before` exclusive.
   *
   * Needs the scope `read:accounting`.
   */
  list(query: ListJournalEntriesQuery = {}, options?: ReadOptions): List<JournalEntry> {
    return this.transport.list('/journal-entries', query, options)
  }
}

/** The endpoints below `/account-balances`. */
export class AccountBalancesEndpoints extends Endpoints {
  /**
   * Read what the accounts have.
   *
   * What each account had before `from`, what the period debited and credited, and what it has: exact, and in the minor unit of the currency. Each rounded column adds up to 0, because VALUATION_DIFFERENCE takes what is left. Whoever books `net_rounded` of one period after another has balanced books that are never further than half a minor unit from the exact ones, in any other row. Rounded rows of two different `by` do not add up: keep to one. Documents dated out of order may make the balance of a day negative. INVENTORY `posted_through` a moment is the sum of `GET /stock-valuation` as of it, WORK_IN_PROGRESS that of the `wip_cost` of the orders.
   *
   * Needs the scope `read:accounting`.
   */
  get(query: GetAccountBalancesQuery = {}, options?: ReadOptions): Promise<AccountBalances> {
    return this.transport.read('/account-balances', query, options)
  }
}

/** The endpoints below `/accounting`. */
export class AccountingEndpoints extends Endpoints {
  /**
   * Read an accountant's own codes.
   *
   * Codes and names beside the accounts of the books. Without any they are null.
   *
   * Needs the scope `read:accounting`.
   */
  get(options?: ReadOptions): Promise<Accounting> {
    return this.transport.read('/accounting', {}, options)
  }

  /**
   * Change an accountant's own codes.
   *
   * Codes and names that the journal and balances show beside the accounts, at once and for all days. An account that is omitted stays; `categories` are replaced as a whole. There is no event.
   *
   * Needs the scope `write:accounting`.
   */
  update(body: ChangeAccountingBody, options?: WriteOptions): Promise<Accounting> {
    return this.transport.write('PATCH', '/accounting', body, options)
  }
}

/** The endpoints below `/shortages`. */
export class ShortagesEndpoints extends Endpoints {
  /**
   * List what is short, and for whom.
   *
   * One row per variant and storage place (or none) of which less is projected than is wanted, ascending by variant, then place, null first. `projected_quantity` is what is available plus what is expected. `below=zero` (default) lists where that is below 0, `below=minimum` also where it is below the `minimum_stock` of the variant. A minimum is held against the main place, or against stock without a place for a tenant without places; all other places against 0. A variant that never had stock there counts with zeros, unless it is archived or a service. `demand` says which open orders and reservations reserve it, `supply` which are to bring it; their quantities add up to `reserved_quantity` and `expected_quantity` in every answer.
   *
   * Needs the scope `read:stock`.
   */
  list(query: ListShortagesQuery = {}, options?: ReadOptions): List<Shortage> {
    return this.transport.list('/shortages', query, options)
  }
}

/** The endpoints below `/operations`. */
export class OperationsEndpoints extends Endpoints {
  /**
   * List operations.
   *
   * Needs the scope `read:manufacturing`.
   */
  list(query: ListOperationsQuery = {}, options?: ReadOptions): List<Operation> {
    return this.transport.list('/operations', query, options)
  }

  /**
   * Create an operation.
   *
   * A `unit_name` that is new makes the unit; without one the operation has no unit. `position` is 0 if not given.
   *
   * Needs the scope `write:manufacturing.operation.create`.
   */
  create(body: CreateOperationBody, options?: WriteOptions): Promise<Operation> {
    return this.transport.write('POST', '/operations', body, options)
  }

  /**
   * Read an operation.
   *
   * Needs the scope `read:manufacturing`.
   */
  get(id: string, options?: ReadOptions): Promise<Operation> {
    return this.transport.read(path`/operations/${id}`, {}, options)
  }

  /**
   * Update an operation.
   *
   * What is omitted stays; null clears a nullable field. Recipes and orders keep the `cost_per_hour` that they were written with.
   *
   * Needs the scope `write:manufacturing.operation.update`.
   */
  update(id: string, body: UpdateOperationBody, options?: ConditionalOptions): Promise<Operation> {
    return this.transport.write('PATCH', path`/operations/${id}`, body, options)
  }
}

/** The endpoints below `/recipes`. */
export class RecipesEndpoints extends Endpoints {
  /**
   * List recipes.
   *
   * Older recipes are listed too: of the recipes of a variant (or of an item) the one with the highest id counts. `item_id` finds the item's recipes and those of its variants, `item_variant_id` only the variant's own.
   *
   * Needs the scope `read:manufacturing`.
   */
  list(query: ListRecipesQuery = {}, options?: ReadOptions): List<Recipe> {
    return this.transport.list('/recipes', query, options)
  }

  /**
   * Create a recipe.
   *
   * For one variant (`item_variant_id`) or for every variant of an item that has none of its own (`item_id`); exactly one of the two. Quantities and durations (hours) are for `output_quantity` of the output. From now on it is the newest, which orders take. An operation's line without `cost_per_hour` or `position` takes the operation's, as of now. `operation_type` null serves both types of order, else only its own. Services cannot be made or used. A variant that would contain itself at any depth, over the newest recipe of every variant, is 400.
   *
   * Needs the scope `write:manufacturing.recipe.create`.
   */
  create(body: CreateRecipeBody, options?: WriteOptions): Promise<Recipe> {
    return this.transport.write('POST', '/recipes', body, options)
  }

  /**
   * Read a recipe.
   *
   * Needs the scope `read:manufacturing`.
   */
  get(id: string, options?: ReadOptions): Promise<Recipe> {
    return this.transport.read(path`/recipes/${id}`, {}, options)
  }

  /**
   * Update a recipe.
   *
   * `materials` and `operations` are replaced as a whole where they are given, and their lines get new ids. Orders that were made from the recipe stay as they are.
   *
   * Needs the scope `write:manufacturing.recipe.update`.
   */
  update(id: string, body: UpdateRecipeBody, options?: ConditionalOptions): Promise<Recipe> {
    return this.transport.write('PATCH', path`/recipes/${id}`, body, options)
  }
}

/** The endpoints below `/manufacturing-orders`. */
export class ManufacturingOrdersEndpoints extends Endpoints {
  /**
   * List manufacturing orders.
   *
   * `q` looks in number and `external_ref`. `created_after` is inclusive, `created_before` exclusive; both speak of `created_date`.
   *
   * Needs the scope `read:manufacturing`.
   */
  list(query: ListManufacturingOrdersQuery = {}, options?: ReadOptions): List<ManufacturingOrder> {
    return this.transport.list('/manufacturing-orders', query, options)
  }

  /**
   * Create a manufacturing order.
   *
   * Takes the variant's newest recipe, else its item's; `recipe_id` names another. `items` (total need, may be empty) replace the recipe's materials, not its operations; without a recipe and without `items` the order has no materials. Needs (with scrap) and durations are those of the recipe times `quantity / output_quantity`, computed exactly and rounded once, half up to 6 decimals; a need that comes to 0 is no line. Materials are reserved and the output is expected at `manufacturing_location_id`: by default the main place if it allows manufacturing, else the one with the lowest id that does. `type` defaults to MAKE_TO_ORDER with a `sales_order_id`, else to MAKE_TO_STOCK; it chooses the recipe's operations. An archived, non-producible or SERVICE variant, a finished sales order, or a tenant without a place that allows manufacturing is 422 `manufacturing_order_transition_not_allowed`.
   *
   * Needs the scope `write:manufacturing.order.create`. A success spends one of the key's daily documents.
   */
  create(body: CreateManufacturingOrderBody, options?: WriteOptions): Promise<ManufacturingOrder> {
    return this.transport.write('POST', '/manufacturing-orders', body, options)
  }

  /**
   * Read a manufacturing order.
   *
   * Needs the scope `read:manufacturing`.
   */
  get(id: string, options?: ReadOptions): Promise<ManufacturingOrder> {
    return this.transport.read(path`/manufacturing-orders/${id}`, {}, options)
  }

  /**
   * Update a manufacturing order.
   *
   * `notes`, `external_ref` and `metadata` change in any status; priority and dates until the order is DONE; the batch of the output until the first output; `quantity`, `manufacturing_location_id` and `items` before the start. Another field is 422 `manufacturing_order_invalid_status`, and nothing changes. A new `quantity` computes the materials of the recipe as it was then anew, and planned durations alike; materials that a caller gave or changed stay. Then entries of `items` with `id` change the quantity of that line or, with `remove: true`, take it out; entries without add one. All lines may go. Reservations and expected output follow, also to another place.
   *
   * Needs the scope `write:manufacturing.order.update`.
   */
  update(id: string, body: UpdateManufacturingOrderBody, options?: ConditionalOptions): Promise<ManufacturingOrder> {
    return this.transport.write('PATCH', path`/manufacturing-orders/${id}`, body, options)
  }

  /**
   * Delete a manufacturing order that is not started.
   *
   * Releases its reservations. Its number is free again, though counting goes on.
   *
   * Needs the scope `write:manufacturing.order.update`.
   */
  delete(id: string, options?: ConditionalOptions): Promise<void> {
    return this.transport.write('DELETE', path`/manufacturing-orders/${id}`, undefined, options)
  }

  /**
   * List the production tasks of an order.
   *
   * In technology order: by `position`, then as in the recipe. A task's status and times follow from the order's.
   *
   * Needs the scope `read:manufacturing`.
   */
  listTasks(id: string, query: ListProductionTasksQuery = {}, options?: ReadOptions): List<ProductionTask> {
    return this.transport.list(path`/manufacturing-orders/${id}/tasks`, query, options)
  }

  /**
   * Start a manufacturing order.
   *
   * Writes all materials off, or none: first-expired-first-out, never expired (by `started_at`) or quarantined stock. Too little is 422 `unprocessable`, and the message names each short sku with the needed and the on-hand quantity. `items` says what is written off for a line instead of its need; it may be more, or 0 (not used). All reservations are released. Materials at moving average and operations by planned duration enter work in progress. `notes` replace the order's.
   *
   * Needs the scope `write:manufacturing.order.start`. A success spends one of the key's daily documents.
   */
  start(id: string, body: StartManufacturingOrderBody = {}, options?: ConditionalOptions): Promise<ManufacturingOrder> {
    return this.transport.write('POST', path`/manufacturing-orders/${id}/start`, body, options)
  }

  /**
   * Issue or take back materials of an order that has started.
   *
   * All lines or none, posted in their order; a later line sees what an earlier one did. Above 0 more is issued, picked as at the start: first-expired-first-out or the named batch, never expired (by `date`) or quarantined stock; too little is 422 `unprocessable`. It counts in the first line of the variant; a variant without a line gets one with `quantity` 0. Below 0 goods come back to the place of the order, at most what is written off net: into the named batch, else into the batches that were written off, the last first. Each movement brings back `round(q * W / w, 4)` of the net value W and the net quantity w that are written off for the variant, all of W where all comes back, but at most `wip_cost`. It comes off the lines of the variant, the last first; a place of the order that was archived meanwhile is 409 `conflict`. IN_PROGRESS and PARTIALLY_DONE only.
   *
   * Needs the scope `write:manufacturing.order.update`. A success spends one of the key's daily documents.
   */
  materials(id: string, body: MoveMaterialsBody, options?: ConditionalOptions): Promise<ManufacturingOrder> {
    return this.transport.write('POST', path`/manufacturing-orders/${id}/materials`, body, options)
  }

  /**
   * Complete a manufacturing order, in part or to the end.
   *
   * Receives `quantity` (default: all that remains) into stock. Less than the rest without `is_final` makes the order PARTIALLY_DONE and posts `round(wip * quantity / remaining, 4)`; the rest or more, or `is_final`, makes it DONE and posts all cost left. `quantity` 0 is for `is_final`: the cost left raises the value of the stock at the place of the last output (or at `storage_place_id`), or is expensed when none is left there, or when nothing ever came out. `tasks` report the whole actual duration of a task so far, which replaces the planned one in the cost; a total below what is posted is 400. Output of a batch-tracked variant goes into `output_batch_number`, else the order's, else a batch with the order's number; its expiry defaults to the manufacture date plus the shelf life, and the order then shows the batch. Output in `quarantine` counts as released, not as actual. `notes` replace the order's. Where the order's own place was archived meanwhile, a completion with output names another one, else it is 409 `conflict`.
   *
   * Needs the scope `write:manufacturing.order.complete`. A success spends one of the key's daily documents.
   */
  complete(id: string, body: CompleteManufacturingOrderBody = {}, options?: ConditionalOptions): Promise<ManufacturingOrder> {
    return this.transport.write('POST', path`/manufacturing-orders/${id}/complete`, body, options)
  }

  /**
   * Block a manufacturing order.
   *
   * Moves no stock; reservations and expected output stay.
   *
   * Needs the scope `write:manufacturing.order.update`.
   */
  block(id: string, body: BlockManufacturingOrderBody = {}, options?: ConditionalOptions): Promise<ManufacturingOrder> {
    return this.transport.write('POST', path`/manufacturing-orders/${id}/block`, body, options)
  }

  /**
   * Unblock a manufacturing order.
   *
   * The order gets the status from before it was blocked; `block_reason` becomes null.
   *
   * Needs the scope `write:manufacturing.order.update`.
   */
  unblock(id: string, body: UnblockManufacturingOrderBody = {}, options?: ConditionalOptions): Promise<ManufacturingOrder> {
    return this.transport.write('POST', path`/manufacturing-orders/${id}/unblock`, body, options)
  }
}

/** The endpoints below `/production-tasks`. */
export class ProductionTasksEndpoints extends Endpoints {
  /**
   * List the production tasks of all orders.
   *
   * Order by order, each in technology order; ids ascend so. `status` takes several values, joined by commas: what is to do at an operation is `status=NOT_STARTED,IN_PROGRESS&operation_id=...`.
   *
   * Needs the scope `read:manufacturing`.
   */
  list(query: ListAllProductionTasksQuery = {}, options?: ReadOptions): List<ProductionTask> {
    return this.transport.list('/production-tasks', query, options)
  }
}

/** The endpoints below `/supplier-items`. */
export class SupplierItemsEndpoints extends Endpoints {
  /**
   * List supplier items.
   *
   * Ascending by id. Archived ones are listed unless filtered.
   *
   * Needs the scope `read:purchase`.
   */
  list(query: ListSupplierItemsQuery = {}, options?: ReadOptions): List<SupplierItem> {
    return this.transport.list('/supplier-items', query, options)
  }

  /**
   * Create a supplier item.
   *
   * Purchase orders to the supplier take units, rate and price from it, unless their lines say otherwise. A supplier has one item of a variant that is not archived, else 400. With `is_preferred` the item of the variant that was preferred until now is so no more, which is told by an event of its own.
   *
   * Needs the scope `write:purchase.supplier.update`.
   */
  create(body: CreateSupplierItemBody, options?: WriteOptions): Promise<SupplierItem> {
    return this.transport.write('POST', '/supplier-items', body, options)
  }

  /**
   * Read a supplier item.
   *
   * Needs the scope `read:purchase`.
   */
  get(id: string, options?: ReadOptions): Promise<SupplierItem> {
    return this.transport.read(path`/supplier-items/${id}`, {}, options)
  }

  /**
   * Update a supplier item.
   *
   * What is omitted stays; null clears a nullable field. Supplier and variant stay. Lines of orders keep what they have of it. An archived item counts for no new line, and another one may take its place; then unarchiving it is 400. A body that changes nothing answers the supplier item as it is.
   *
   * Needs the scope `write:purchase.supplier.update`.
   */
  update(id: string, body: UpdateSupplierItemBody, options?: ConditionalOptions): Promise<SupplierItem> {
    return this.transport.write('PATCH', path`/supplier-items/${id}`, body, options)
  }
}

/** The endpoints below `/purchase-orders`. */
export class PurchaseOrdersEndpoints extends Endpoints {
  /**
   * List purchase orders.
   *
   * `q` looks in number, `external_ref` and the title of the supplier. `created_after` (inclusive) and `created_before` (exclusive) speak of the order's `date`.
   *
   * Needs the scope `read:purchase`.
   */
  list(query: ListPurchaseOrdersQuery = {}, options?: ReadOptions): List<PurchaseOrder> {
    return this.transport.list('/purchase-orders', query, options)
  }

  /**
   * Create a purchase order.
   *
   * Names its supplier by `supplier_id`, or brings it along as `supplier`: found by its `external_ref` (and then left as it is), else made. An archived supplier is 400. A line is in stock units (`quantity`, `price`) or in purchase units (`purchase_quantity`, `purchase_price`, `conversion_rate`, `purchase_unit_name`); fields of both are 400. Units, rate and price default to the supplier item for the variant, whose price counts where its currency is null or that of the order; then to the variant's `purchase_price` as it stands, else to 0. In purchase units `quantity` is `purchase_quantity * conversion_rate`, rounded to 6 decimals; 0 is 400. `line_amount` is rounded half up to the minor unit of the currency, the tax is of the rounded amount, and totals are sums of lines. `exchange_rate` is the tenant's currency per unit of `currency`, at most 10 decimals; it is required with another currency than the tenant's. What is open stands as `expected_quantity` at `storage_place_id`, by default the main place; a receipt may go elsewhere. A named place that does not allow purchases is 400. `batch_number` and `expiry_date` are what the receipt gives the goods unless it names others.
   *
   * Needs the scope `write:purchase.order.create`. A success spends one of the key's daily documents.
   */
  create(body: CreatePurchaseOrderBody, options?: WriteOptions): Promise<PurchaseOrder> {
    return this.transport.write('POST', '/purchase-orders', body, options)
  }

  /**
   * Read a purchase order.
   *
   * Needs the scope `read:purchase`.
   */
  get(id: string, options?: ReadOptions): Promise<PurchaseOrder> {
    return this.transport.read(path`/purchase-orders/${id}`, {}, options)
  }

  /**
   * Update a purchase order.
   *
   * Entries of `items` with `id` change that line or, with `remove: true`, take it out; entries without add one as in a new order. Lines that are not named stay. What is expected follows, also to a new `storage_place_id`. What is received stays as it was posted; later receipts take the price as it then is. Lines in purchase units change by `purchase_quantity` and `purchase_price`; their rate and unit stay. A quantity may fall to what is received; a received line cannot be removed, and `supplier_id` changes only before the first receipt, with `supplier_sku` and no price. When nothing is outstanding any more, the order is RECEIVED and DONE. Of an order that is DONE only `notes`, `external_ref` and `metadata` change, else 409 `purchase_order_not_editable`. Currency and exchange rate never change. A body that changes nothing answers the order as it is.
   *
   * Needs the scope `write:purchase.order.update`.
   */
  update(id: string, body: UpdatePurchaseOrderBody, options?: ConditionalOptions): Promise<PurchaseOrder> {
    return this.transport.write('PATCH', path`/purchase-orders/${id}`, body, options)
  }

  /**
   * Close a purchase order short.
   *
   * The order is DONE, what is outstanding is expected no longer, and `delivery_status` stays what the lines say. Later receipts are 409 `purchase_receipt_not_allowed`.
   *
   * Needs the scope `write:purchase.order.update`.
   */
  close(id: string, body: ClosePurchaseOrderBody = {}, options?: ConditionalOptions): Promise<PurchaseOrder> {
    return this.transport.write('POST', path`/purchase-orders/${id}/close`, body, options)
  }

  /**
   * List a purchase order's receipts.
   *
   * Needs the scope `read:purchase`. The newest come first unless `order` is `asc`.
   */
  listReceipts(id: string, query: ListPurchaseReceiptsQuery = {}, options?: ReadOptions): List<PurchaseReceipt> {
    return this.transport.list(path`/purchase-orders/${id}/receipts`, query, options)
  }

  /**
   * Receive goods of a purchase order.
   *
   * All lines or none; without `items` all that is outstanding. An order line may come several times, for several batches. Lines in purchase units take `quantity` or `purchase_quantity`, others only `quantity`; what all receipts take together is their purchase units times the rate, rounded once, and the last one takes the rest. Stock comes in at quantity * price * `exchange_rate` (of purchase units theirs), without tax, rounded once, to the 4 decimals of a cost. A batch-tracked variant comes in under the line's `batch_number`, else the order line's, else the receipt's own number; the order line's `expiry_date` holds unless the receipt names another batch than the order line. `quarantine` stock is not available until it is transferred out of quarantine. Services are counted without stock. When every line is in, the order is DONE. A finished order, or more than is outstanding on a line, is 409 `purchase_receipt_not_allowed`.
   *
   * Needs the scope `write:purchase.receipt.create`. A success spends one of the key's daily documents.
   */
  createReceipt(id: string, body: CreatePurchaseReceiptBody, options?: ConditionalOptions): Promise<PurchaseReceipt> {
    return this.transport.write('POST', path`/purchase-orders/${id}/receipts`, body, options)
  }
}

/** The endpoints below `/purchase-receipts`. */
export class PurchaseReceiptsEndpoints extends Endpoints {
  /**
   * List the receipts of all purchase orders.
   *
   * `received_after` is inclusive, `received_before` exclusive; both speak of `received_date`.
   *
   * Needs the scope `read:purchase`.
   */
  list(query: ListAllPurchaseReceiptsQuery = {}, options?: ReadOptions): List<PurchaseReceipt> {
    return this.transport.list('/purchase-receipts', query, options)
  }

  /**
   * Read a receipt.
   *
   * Needs the scope `read:purchase`.
   */
  get(id: string, options?: ReadOptions): Promise<PurchaseReceipt> {
    return this.transport.read(path`/purchase-receipts/${id}`, {}, options)
  }

  /**
   * Update a receipt.
   *
   * `notes`, `external_ref` and `metadata` change in every status; what was posted stays. A body that changes nothing answers the receipt as it is.
   *
   * Needs the scope `write:purchase.receipt.create`.
   */
  update(id: string, body: UpdatePurchaseReceiptBody, options?: ConditionalOptions): Promise<PurchaseReceipt> {
    return this.transport.write('PATCH', path`/purchase-receipts/${id}`, body, options)
  }

  /**
   * Reverse a receipt.
   *
   * Answers the movements of the document one by one, the last first, by movements of kind REVERSAL: all or none. What came in must still be there physically, in its batch and in or out of quarantine as it came, else 409 `insufficient_stock`; expired stock counts, and reservations do not. What went out comes back at the value at which it left. What came in leaves at the value at which it came, but at most at what the stock is worth. A date before that of the document is 400; a second time is 409 `already_reversed`; a place that is archived and would get goods, or a product whose `batch_tracked` has changed since, is 409 `conflict`. The document stays in its list. `received_quantity` and `delivery_status` of the purchase order follow, services included. An order that was not closed by hand is OPEN again and expects the goods again at its own place. A landed cost on the receipt that is not reversed is 409 `conflict`.
   *
   * Needs the scope `write:purchase.receipt.reverse`.
   */
  reverse(id: string, body: ReversePurchaseReceiptBody, options?: ConditionalOptions): Promise<PurchaseReceipt> {
    return this.transport.write('POST', path`/purchase-receipts/${id}/reverse`, body, options)
  }
}

/** The endpoints below `/landed-costs`. */
export class LandedCostsEndpoints extends Endpoints {
  /**
   * List landed costs.
   *
   * `created_after` is inclusive, `created_before` exclusive.
   *
   * Needs the scope `read:purchase`.
   */
  list(query: ListLandedCostsQuery = {}, options?: ReadOptions): List<LandedCost> {
    return this.transport.list('/landed-costs', query, options)
  }

  /**
   * Create a landed cost.
   *
   * Freight, duty and the like on a receipt, also long after it. Each cost is turned into the currency of the tenant, rounded to 4 decimals, and spread over the lines of the receipt that hold stock; the shares add up to the cost exactly. What a line bears goes into the value of the stock as far as its goods are still at `storage_place_id`, by a movement of quantity 0; the rest is expensed. A receipt without goods, or a reversed one, is 409 `conflict`. A receipt with a landed cost that is not reversed cannot be reversed.
   *
   * Needs the scope `write:purchase.receipt.create`. A success spends one of the key's daily documents.
   */
  create(body: CreateLandedCostBody, options?: WriteOptions): Promise<LandedCost> {
    return this.transport.write('POST', '/landed-costs', body, options)
  }

  /**
   * Read a landed cost.
   *
   * As it was posted. A reversed landed cost stays as it was, and says so.
   *
   * Needs the scope `read:purchase`.
   */
  get(id: string, options?: ReadOptions): Promise<LandedCost> {
    return this.transport.read(path`/landed-costs/${id}`, {}, options)
  }

  /**
   * Update a landed cost.
   *
   * `notes`, `external_ref` and `metadata` change in every status; what was posted stays. A body that changes nothing answers the landed cost as it is.
   *
   * Needs the scope `write:purchase.receipt.create`.
   */
  update(id: string, body: UpdateLandedCostBody, options?: ConditionalOptions): Promise<LandedCost> {
    return this.transport.write('PATCH', path`/landed-costs/${id}`, body, options)
  }

  /**
   * Reverse a landed cost.
   *
   * Takes out of the value of the stock what the landed cost brought, of each line as far as its goods are still at the place: `stock_amount` times what is there now, over what was there then, and never more than the stock is worth. Movements of kind REVERSAL and quantity 0 say so. What left the place since keeps its share of the cost. A date before that of the document is 400; a second time is 409 `already_reversed`. The document stays in its list.
   *
   * Needs the scope `write:purchase.receipt.reverse`.
   */
  reverse(id: string, body: ReverseLandedCostBody, options?: ConditionalOptions): Promise<LandedCost> {
    return this.transport.write('POST', path`/landed-costs/${id}/reverse`, body, options)
  }
}

/** The endpoints below `/reservations`. */
export class ReservationsEndpoints extends Endpoints {
  /**
   * List reservations.
   *
   * `item_variant_id` finds the reservations with such a line. `expires_before` is exclusive and finds ended ones too. `created_after` is inclusive, `created_before` exclusive.
   *
   * Needs the scope `read:sales`.
   */
  list(query: ListReservationsQuery = {}, options?: ReadOptions): List<Reservation> {
    return this.transport.list('/reservations', query, options)
  }

  /**
   * Create a reservation.
   *
   * Holds goods until `expires_at`, for somebody who is about to order. Lines are refused as those of a sales order are; a service cannot be held. All of it must be available, else 409 `insufficient_stock`, and nothing is held. While it is HELD its goods are reserved. `POST /sales-orders` with `reservation_id` takes them. At `expires_at` it ends by itself.
   *
   * Needs the scope `write:sales.order.create`. A success spends one of the key's daily documents.
   */
  create(body: CreateReservationBody, options?: WriteOptions): Promise<Reservation> {
    return this.transport.write('POST', '/reservations', body, options)
  }

  /**
   * Read a reservation.
   *
   * Needs the scope `read:sales`.
   */
  get(id: string, options?: ReadOptions): Promise<Reservation> {
    return this.transport.read(path`/reservations/${id}`, {}, options)
  }

  /**
   * Update a reservation.
   *
   * `expires_at` changes while the reservation is HELD, else 409 `reservation_not_held`; `notes`, `external_ref` and `metadata` change in every status. A body that changes nothing answers the reservation as it is.
   *
   * Needs the scope `write:sales.order.create`.
   */
  update(id: string, body: UpdateReservationBody, options?: ConditionalOptions): Promise<Reservation> {
    return this.transport.write('PATCH', path`/reservations/${id}`, body, options)
  }

  /**
   * Release a reservation.
   *
   * Ends it before its time: its goods are available again. One that has ended is 409 `reservation_not_held`.
   *
   * Needs the scope `write:sales.order.create`.
   */
  release(id: string, body: ReleaseReservationBody = {}, options?: ConditionalOptions): Promise<Reservation> {
    return this.transport.write('POST', path`/reservations/${id}/release`, body, options)
  }
}

/** The endpoints below `/sales-orders`. */
export class SalesOrdersEndpoints extends Endpoints {
  /**
   * List sales orders.
   *
   * `q` looks in number, `external_ref` and the title of the customer. `created_after` (inclusive) and `created_before` (exclusive) compare with `created_date`.
   *
   * Needs the scope `read:sales`.
   */
  list(query: ListSalesOrdersQuery = {}, options?: ReadOptions): List<SalesOrder> {
    return this.transport.list('/sales-orders', query, options)
  }

  /**
   * Create a sales order.
   *
   * Give `customer_id`, or `customer`, which is found by its `external_ref` or else made. A line defaults to the price of its variant (0 without one) and to the main place (null where the tenant has none; an explicit null is stock without a place), and reserves its quantity there. Reservations inform; physical stock decides when goods are shipped. With `allow_backorder: false` lines that together exceed the available quantity of a variant at a place are 409 `insufficient_stock`, and nothing is made. `currency` defaults to the tenant's. Services reserve nothing. With `reservation_id` the order takes a reservation that is HELD, else 409 `reservation_not_held`.
   *
   * Needs the scope `write:sales.order.create`. A success spends one of the key's daily documents.
   */
  create(body: CreateSalesOrderBody, options?: WriteOptions): Promise<SalesOrder> {
    return this.transport.write('POST', '/sales-orders', body, options)
  }

  /**
   * Read a sales order.
   *
   * Needs the scope `read:sales`.
   */
  get(id: string, options?: ReadOptions): Promise<SalesOrder> {
    return this.transport.read(path`/sales-orders/${id}`, {}, options)
  }

  /**
   * Update a sales order.
   *
   * Entries of `items` with `id` change that line or, with `remove: true`, take it out; entries without add one. Lines that are not named stay. A quantity may fall to what is shipped, and when that leaves nothing unshipped the order is SHIPPED and DONE; a shipped line cannot be removed. What is packed beyond a new quantity counts as unpacked. `delivery_status: SHIPPED` ships all that is left (a shipment of now), `PACKED` packs it. `status: DONE` without shipping releases the reservations; `CANCELLED` is allowed while nothing is shipped. An order made with `allow_backorder: false` is checked again where it comes to need more of a variant at a place. A finished order is 409 `sales_order_not_editable`.
   *
   * Needs the scope `write:sales.order.update`.
   */
  update(id: string, body: UpdateSalesOrderBody, options?: ConditionalOptions): Promise<SalesOrder> {
    return this.transport.write('PATCH', path`/sales-orders/${id}`, body, options)
  }

  /**
   * Annotate a sales order.
   *
   * Changes `notes`, `external_ref` and `metadata` in every status, of a finished order too; at least one of them is given. What is omitted stays; null clears; metadata merges. A body that changes nothing answers the order as it is.
   *
   * Needs the scope `write:sales.order.update`.
   */
  annotate(id: string, body: AnnotateSalesOrderBody = {}, options?: ConditionalOptions): Promise<SalesOrder> {
    return this.transport.write('POST', path`/sales-orders/${id}/annotate`, body, options)
  }

  /**
   * List the shipments of a sales order.
   *
   * Needs the scope `read:sales`.
   */
  listShipments(id: string, query: ListShipmentsQuery = {}, options?: ReadOptions): List<SalesShipment> {
    return this.transport.list(path`/sales-orders/${id}/shipments`, query, options)
  }

  /**
   * Ship a sales order.
   *
   * Writes stock off at the place of each entry, by default of all that is unshipped at the places of its lines. Without `batch_id` batches are taken first-expired-first-out, an entry of the answer for each; expired and quarantined stock is never taken, also not by name. More than is left of a line is 400, short stock 409 `insufficient_stock`; then nothing moves. Reservations fall by what is shipped. Of a kit its components leave, each in its share of the kits; `components` names their batches. The shipment that leaves nothing unshipped makes the order SHIPPED and DONE. Services are counted without movements.
   *
   * Needs the scope `write:sales.order.update`. A success spends one of the key's daily documents.
   */
  createShipment(id: string, body: CreateShipmentBody = {}, options?: ConditionalOptions): Promise<SalesShipment> {
    return this.transport.write('POST', path`/sales-orders/${id}/shipments`, body, options)
  }

  /**
   * List the packings of a sales order.
   *
   * Needs the scope `read:sales`.
   */
  listPackings(id: string, query: ListPackingsQuery = {}, options?: ReadOptions): List<SalesPacking> {
    return this.transport.list(path`/sales-orders/${id}/packings`, query, options)
  }

  /**
   * Pack a sales order.
   *
   * Counts what is packed, by default all that is left to pack: the quantity of a line less the greater of what is packed and what is shipped. No stock moves.
   *
   * Needs the scope `write:sales.order.update`.
   */
  createPacking(id: string, body: CreatePackingBody = {}, options?: ConditionalOptions): Promise<SalesPacking> {
    return this.transport.write('POST', path`/sales-orders/${id}/packings`, body, options)
  }
}

/** The endpoints below `/sales-shipments`. */
export class SalesShipmentsEndpoints extends Endpoints {
  /**
   * List the shipments of all sales orders.
   *
   * `item_variant_id` and `batch_id` find the shipments with such a line, or such a component of a kit. `created_after` is inclusive, `created_before` exclusive; both speak of `created_at`.
   *
   * Needs the scope `read:sales`.
   */
  list(query: ListAllShipmentsQuery = {}, options?: ReadOptions): List<SalesShipment> {
    return this.transport.list('/sales-shipments', query, options)
  }

  /**
   * Read a shipment.
   *
   * Needs the scope `read:sales`.
   */
  get(id: string, options?: ReadOptions): Promise<SalesShipment> {
    return this.transport.read(path`/sales-shipments/${id}`, {}, options)
  }

  /**
   * Update a shipment.
   *
   * What is omitted stays; null clears. A shipment of a finished order and a reversed shipment can be changed too. No stock moves. A body that changes nothing answers the shipment as it is.
   *
   * Needs the scope `write:sales.order.update`.
   */
  update(id: string, body: UpdateSalesShipmentBody, options?: ConditionalOptions): Promise<SalesShipment> {
    return this.transport.write('PATCH', path`/sales-shipments/${id}`, body, options)
  }

  /**
   * Reverse a shipment.
   *
   * Answers the movements of the document one by one, the last first, by movements of kind REVERSAL: all or none. What came in must still be there physically, in its batch and in or out of quarantine as it came, else 409 `insufficient_stock`; expired stock counts, and reservations do not. What went out comes back at the value at which it left. What came in leaves at the value at which it came, but at most at what the stock is worth. A date before that of the document is 400; a second time is 409 `already_reversed`; a place that is archived and would get goods, or a product whose `batch_tracked` has changed since, is 409 `conflict`. The document stays in its list. `shipped_quantity` and `delivery_status` of the sales order follow, services included; what is packed stays packed. An order that was not set DONE by hand is OPEN again and reserves again. A return of one of the lines that is not cancelled is 409 `conflict`.
   *
   * Needs the scope `write:sales.shipment.reverse`.
   */
  reverse(id: string, body: ReverseSalesShipmentBody, options?: ConditionalOptions): Promise<SalesShipment> {
    return this.transport.write('POST', path`/sales-shipments/${id}/reverse`, body, options)
  }
}

/** The endpoints below `/sales-returns`. */
export class SalesReturnsEndpoints extends Endpoints {
  /**
   * List sales returns.
   *
   * Every record has the shape of the single read. `q` looks in number, `external_ref` and the title of the customer. `created_after` (inclusive) and `created_before` (exclusive) compare with `created_date`.
   *
   * Needs the scope `read:sales`.
   */
  list(query: ListSalesReturnsQuery = {}, options?: ReadOptions): List<SalesReturn> {
    return this.transport.list('/sales-returns', query, options)
  }

  /**
   * Create a sales return.
   *
   * Announces what goes back of a sales order: goods, money or both; stock moves when the return is received. Of each order line at most what is shipped less what other returns hold that are not cancelled. All pieces of a line without `unit_price` refund exactly what the line cost, however they come back. Quantity 0 with `amount` refunds money for goods that stay; `restock: false` pays pieces back that do not come back. `charges` refund all that is left of them, or their `amount`. All returns refund at most what the order came to. A line without `batch_id` goes back into the batches that left for its order line, the last one first, each at most what left of it less what returns hold of it; the answer has a line for each. A batch that is named takes at most that; one that did not leave for the order line is 400. `storage_place_id` defaults to the return's own where that is given (null is stock without a place), else to the place where the goods left last. The return's own is shown as the main place where it is not given.
   *
   * Needs the scope `write:sales.return.create`. A success spends one of the key's daily documents.
   */
  create(body: CreateSalesReturnBody, options?: WriteOptions): Promise<SalesReturn> {
    return this.transport.write('POST', '/sales-returns', body, options)
  }

  /**
   * Read a sales return.
   *
   * Needs the scope `read:sales`.
   */
  get(id: string, options?: ReadOptions): Promise<SalesReturn> {
    return this.transport.read(path`/sales-returns/${id}`, {}, options)
  }

  /**
   * Update a sales return.
   *
   * `notes`, `external_ref` and `metadata` change in every status; what was posted stays. A body that changes nothing answers the sales return as it is.
   *
   * Needs the scope `write:sales.return.create`.
   */
  update(id: string, body: UpdateSalesReturnBody, options?: ConditionalOptions): Promise<SalesReturn> {
    return this.transport.write('PATCH', path`/sales-returns/${id}`, body, options)
  }

  /**
   * Receive a sales return.
   *
   * Takes the goods back into stock at the cost at which they left, on average over all that left for the order line. Lines with `quarantine` go to `quarantine_quantity`. Services, and lines with `restock: false` or quantity 0, come back without movements. A place that was archived meanwhile is 409 `conflict`.
   *
   * Needs the scope `write:sales.return.update`.
   */
  receive(id: string, body: ReceiveSalesReturnBody = {}, options?: ConditionalOptions): Promise<SalesReturn> {
    return this.transport.write('POST', path`/sales-returns/${id}/receive`, body, options)
  }

  /**
   * Cancel a sales return.
   *
   * Ends a return that has not come. What it held may be returned and refunded otherwise.
   *
   * Needs the scope `write:sales.return.update`.
   */
  cancel(id: string, body: CancelSalesReturnBody = {}, options?: ConditionalOptions): Promise<SalesReturn> {
    return this.transport.write('POST', path`/sales-returns/${id}/cancel`, body, options)
  }
}

/** The endpoints below `/webhook-subscriptions`. */
export class WebhookSubscriptionsEndpoints extends Endpoints {
  /**
   * List webhook subscriptions.
   *
   * Ascending by id, with their health.
   *
   * Needs the scope `read:webhooks`.
   */
  list(query: ListWebhookSubscriptionsQuery = {}, options?: ReadOptions): List<WebhookSubscription> {
    return this.transport.list('/webhook-subscriptions', query, options)
  }

  /**
   * Create a webhook subscription.
   *
   * It gets the events of writes that commit after its creation. `url` is public `https` without credentials; loopback, private, link-local, metadata, mapped and translated addresses are refused in any notation, here and again for every address that its name has when something is sent. A name that does not resolve yet is accepted. Operators may allow networks, or some ports of them, by a setting, there `http` too. A second subscription of the same kinds to the same URL, also beside a disabled one, is 400 and named. A tenant has at most 100 subscriptions (an operator may set it): the next one is 422. The secret signs every request (Standard Webhooks) and is shown once: a replay has `null`. A caller who lost the first answer rotates the secret.
   *
   * Needs the scope `write:webhooks`.
   */
  create(body: CreateWebhookSubscriptionBody, options?: WriteOptions): Promise<WebhookSubscriptionWithSecret> {
    return this.transport.write('POST', '/webhook-subscriptions', body, options)
  }

  /**
   * Read a webhook subscription.
   *
   * Needs the scope `read:webhooks`.
   */
  get(id: string, options?: ReadOptions): Promise<WebhookSubscription> {
    return this.transport.read(path`/webhook-subscriptions/${id}`, {}, options)
  }

  /**
   * Update a webhook subscription.
   *
   * `enabled: false` disables it: nothing more is sent, what waits included; what is on its way may still arrive. `enabled: true` makes it active with 0 failures; what it missed meanwhile is sent only by recovering it. `url` is public `https` without credentials; loopback, private, link-local, metadata, mapped and translated addresses are refused in any notation, here and again for every address that its name has when something is sent. A name that does not resolve yet is accepted. Operators may allow networks, or some ports of them, by a setting, there `http` too. A second subscription of the same kinds to the same URL, also beside a disabled one, is 400 and named.
   *
   * Needs the scope `write:webhooks`.
   */
  update(id: string, body: UpdateWebhookSubscriptionBody, options?: ConditionalOptions): Promise<WebhookSubscription> {
    return this.transport.write('PATCH', path`/webhook-subscriptions/${id}`, body, options)
  }

  /**
   * Delete a webhook subscription.
   *
   * Nothing more is sent, but what is on its way may still arrive; its deliveries go with it.
   *
   * Needs the scope `write:webhooks`.
   */
  delete(id: string, options?: ConditionalOptions): Promise<void> {
    return this.transport.write('DELETE', path`/webhook-subscriptions/${id}`, undefined, options)
  }

  /**
   * Rotate the signing secret.
   *
   * Until `overlap_seconds` are over, requests carry a signature of each valid secret. With 0 the earlier secrets end at once; only what is on its way is still signed with them. At most 10 secrets are valid together.
   *
   * Needs the scope `write:webhooks`.
   */
  rotateSecret(id: string, body: RotateWebhookSecretBody = {}, options?: WriteOptions): Promise<WebhookSecret> {
    return this.transport.write('POST', path`/webhook-subscriptions/${id}/rotate-secret`, body, options)
  }

  /**
   * Send a test event.
   *
   * Sends a `webhook.test` event to this subscription only, also while it is disabled. Answers the delivery.
   *
   * Needs the scope `write:webhooks`.
   */
  test(id: string, body: TestWebhookSubscriptionBody = {}, options?: WriteOptions): Promise<WebhookDelivery> {
    return this.transport.write('POST', path`/webhook-subscriptions/${id}/test`, body, options)
  }

  /**
   * Send what was missed.
   *
   * Sends every event of the subscription's kinds from `since` on (inclusive, at most 14 days back) that was not delivered to it, with a fresh schedule of attempts; also events from before its creation, and also while it is disabled. `count` is exact at once, while the deliveries of a large recovery appear in steps. At most 500000 events since then, whether they were delivered or not: beyond them 422 names a time that works.
   *
   * Needs the scope `write:webhooks`.
   */
  recover(id: string, body: RecoverWebhookSubscriptionBody, options?: WriteOptions): Promise<WebhookRecovery> {
    return this.transport.write('POST', path`/webhook-subscriptions/${id}/recover`, body, options)
  }

  /**
   * List deliveries of a subscription.
   *
   * Ascending by id, of the last 30 days. One per event; its attempts are counted in it. `status` takes several values, joined by commas.
   *
   * Needs the scope `read:webhooks`.
   */
  listDeliveries(id: string, query: ListWebhookDeliveriesQuery = {}, options?: ReadOptions): List<WebhookDelivery> {
    return this.transport.list(path`/webhook-subscriptions/${id}/deliveries`, query, options)
  }
}

/** The endpoints below `/webhook-deliveries`. */
export class WebhookDeliveriesEndpoints extends Endpoints {
  /**
   * Send a delivery again.
   *
   * Whatever became of it: the same event id and bytes, now, and with a fresh schedule of attempts.
   *
   * Needs the scope `write:webhooks`.
   */
  redeliver(id: string, body: RedeliverWebhookDeliveryBody = {}, options?: WriteOptions): Promise<WebhookDelivery> {
    return this.transport.write('POST', path`/webhook-deliveries/${id}/redeliver`, body, options)
  }
}

/** The endpoints below `/webhook-event-kinds`. */
export class WebhookEventKindsEndpoints extends Endpoints {
  /**
   * List event kinds.
   *
   * The same for every tenant.
   *
   * Needs the scope `read:webhooks`.
   */
  list(query: ListWebhookEventKindsQuery = {}, options?: ReadOptions): List<WebhookEventKind> {
    return this.transport.list('/webhook-event-kinds', query, options)
  }
}

/** The endpoints below `/events`. */
export class EventsEndpoints extends Endpoints {
  /**
   * List events.
   *
   * The events of the last 30 days by `sequence`, ascending unless `order` is `desc`, which has no gaps: the bodies exactly as they are delivered. Whoever has lost something reads on from the last sequence that arrived. `type` takes several kinds, joined by commas. An `after_sequence` that lies ahead of the last event, or behind which events are no longer kept, is 400.
   *
   * Needs the scope `read:webhooks`.
   */
  list(query: ListEventsQuery = {}, options?: ReadOptions): List<Event> {
    return this.transport.list('/events', query, options)
  }

  /**
   * Follow events as they happen.
   *
   * Server-Sent Events: `id` is the sequence, `event` the type, `data` the body as `GET /events` shows it. First comes what is stored behind `Last-Event-ID` or, without that header, behind `after_sequence`; then what happens, each event within a second of its commit, in ascending sequence without gaps or repeats. With neither it begins with the next event. `type` takes several kinds, joined by commas. A sequence that lies ahead of the last one, or behind which events are no longer kept (30 days), is 400.
   *
   * A comment comes at least every 15 seconds. A key may have 10 streams open; the next is 429 `rate_limited`. A stream ends when its key is not valid any more, when the server stops (with `retry: 1000`), and for a reader that takes nothing for 10 seconds while more than 1 MiB waits: connect again with the last `id` as `Last-Event-ID`.
   *
   * Needs the scope `read:webhooks`.
   */
  stream<Type extends Event['type'] = Event['type']>(query: Omit<StreamEventsQuery, 'type'> & { type?: Type | undefined } = {}, options?: StreamOptions): EventStream<Extract<Event, { type: Type }>> {
    return this.transport.stream('/events/stream', query, options)
  }
}

/** The endpoints below `/requests`. */
export class RequestsEndpoints extends Endpoints {
  /**
   * List the writes and what became of them.
   *
   * Every write that the service decided, newest first: successes of the last 30 days; refusals of the last 24 hours, the last 100,000. Replays are not listed, nor what was refused before it was queued (400 of a malformed body, 401, 403, 429 of the rate), nor entries of a bulk that were not applied (424). `request_id` of a bulk finds its entries. `created_after` is inclusive, `created_before` exclusive.
   *
   * Needs the scope `read:requests`. The newest come first unless `order` is `asc`.
   */
  list(query: ListRequestsQuery = {}, options?: ReadOptions): List<LoggedRequest> {
    return this.transport.list('/requests', query, options)
  }
}

/** The endpoints below `/security`. */
export class SecurityEndpoints extends Endpoints {
  /**
   * Read the security telemetry of 24 hours.
   *
   * What the requests of the tenant looked like in `[windowStart, windowEnd)`, beside the seven 24-hour windows before. Requests count when they are authenticated, and when they name a key of the tenant that is revoked or expired (`unauthorized`); attempts with unknown keys belong to no tenant. A request counts in the second in which it came; a bound within a second takes the whole second in. Counts appear within 10 seconds and are kept for 90 days; a window that ends in the future is answered with what is known. `foreign_references` are requests refused for a reference to a record that is not in this tenant. Neither addresses nor user agents, bodies or keys are stored: networks are counted through a keyed hash whose key is dropped after 8 days. `by_key` names the 1,000 keys with the most requests.
   *
   * Needs the scope `read:security-telemetry`.
   */
  telemetry(query: GetSecurityTelemetryQuery, options?: ReadOptions): Promise<SecurityTelemetry> {
    return this.transport.read('/security/telemetry', query, options)
  }
}

/** The endpoints below `/api-keys`. */
export class ApiKeysEndpoints extends Endpoints {
  /**
   * List the API keys.
   *
   * Every key that was issued to the tenant, also those that are revoked or expired, without their tokens.
   *
   * Needs the scope `read:keys`.
   */
  list(query: ListApiKeysQuery = {}, options?: ReadOptions): List<ApiKey> {
    return this.transport.list('/api-keys', query, options)
  }

  /**
   * Make an API key.
   *
   * The answer alone holds the `token`. The key gets no scope that the caller's key lacks (403), and no greater rate, burst or quota (400). A tenant has at most 200 valid keys. Like a revocation it does not wait for other writes of the tenant, needs no `Idempotency-Key` (one that is sent is ignored), cannot be an entry of a bulk and has no event. Each request makes a key: a caller who lost the answer revokes it, and makes another.
   *
   * Needs the scope `write:keys`.
   */
  create(body: CreateApiKeyBody, options?: WriteOptions): Promise<NewApiKey> {
    return this.transport.write('POST', '/api-keys', body, options)
  }

  /**
   * Read an API key.
   *
   * Needs the scope `read:keys`.
   */
  get(id: string, options?: ReadOptions): Promise<ApiKey> {
    return this.transport.read(path`/api-keys/${id}`, {}, options)
  }

  /**
   * Revoke an API key.
   *
   * For good, and within 5 seconds on every server. It does not wait for other writes of the tenant. It needs no `Idempotency-Key` (one that is sent is ignored) and cannot be an entry of a bulk: a repeat answers the same. A key may revoke itself.
   *
   * Needs the scope `write:keys`.
   */
  revoke(id: string, options?: WriteOptions): Promise<ApiKey> {
    return this.transport.write('POST', path`/api-keys/${id}/revoke`, undefined, options)
  }
}

/** Every endpoint of the interface. */
export class Api extends Endpoints {
  readonly products: ProductsEndpoints = new ProductsEndpoints(this.transport)
  readonly storagePlaces: StoragePlacesEndpoints = new StoragePlacesEndpoints(this.transport)
  readonly suppliers: SuppliersEndpoints = new SuppliersEndpoints(this.transport)
  readonly customers: CustomersEndpoints = new CustomersEndpoints(this.transport)
  readonly stock: StockEndpoints = new StockEndpoints(this.transport)
  readonly availability: AvailabilityEndpoints = new AvailabilityEndpoints(this.transport)
  readonly stockValuation: StockValuationEndpoints = new StockValuationEndpoints(this.transport)
  readonly stockMovements: StockMovementsEndpoints = new StockMovementsEndpoints(this.transport)
  readonly batches: BatchesEndpoints = new BatchesEndpoints(this.transport)
  readonly stockAdjustments: StockAdjustmentsEndpoints = new StockAdjustmentsEndpoints(this.transport)
  readonly stockTransfers: StockTransfersEndpoints = new StockTransfersEndpoints(this.transport)
  readonly stockCounts: StockCountsEndpoints = new StockCountsEndpoints(this.transport)
  readonly journalEntries: JournalEntriesEndpoints = new JournalEntriesEndpoints(this.transport)
  readonly accountBalances: AccountBalancesEndpoints = new AccountBalancesEndpoints(this.transport)
  readonly accounting: AccountingEndpoints = new AccountingEndpoints(this.transport)
  readonly shortages: ShortagesEndpoints = new ShortagesEndpoints(this.transport)
  readonly operations: OperationsEndpoints = new OperationsEndpoints(this.transport)
  readonly recipes: RecipesEndpoints = new RecipesEndpoints(this.transport)
  readonly manufacturingOrders: ManufacturingOrdersEndpoints = new ManufacturingOrdersEndpoints(this.transport)
  readonly productionTasks: ProductionTasksEndpoints = new ProductionTasksEndpoints(this.transport)
  readonly supplierItems: SupplierItemsEndpoints = new SupplierItemsEndpoints(this.transport)
  readonly purchaseOrders: PurchaseOrdersEndpoints = new PurchaseOrdersEndpoints(this.transport)
  readonly purchaseReceipts: PurchaseReceiptsEndpoints = new PurchaseReceiptsEndpoints(this.transport)
  readonly landedCosts: LandedCostsEndpoints = new LandedCostsEndpoints(this.transport)
  readonly reservations: ReservationsEndpoints = new ReservationsEndpoints(this.transport)
  readonly salesOrders: SalesOrdersEndpoints = new SalesOrdersEndpoints(this.transport)
  readonly salesShipments: SalesShipmentsEndpoints = new SalesShipmentsEndpoints(this.transport)
  readonly salesReturns: SalesReturnsEndpoints = new SalesReturnsEndpoints(this.transport)
  readonly webhookSubscriptions: WebhookSubscriptionsEndpoints = new WebhookSubscriptionsEndpoints(this.transport)
  readonly webhookDeliveries: WebhookDeliveriesEndpoints = new WebhookDeliveriesEndpoints(this.transport)
  readonly webhookEventKinds: WebhookEventKindsEndpoints = new WebhookEventKindsEndpoints(this.transport)
  readonly events: EventsEndpoints = new EventsEndpoints(this.transport)
  readonly requests: RequestsEndpoints = new RequestsEndpoints(this.transport)
  readonly security: SecurityEndpoints = new SecurityEndpoints(this.transport)
  readonly apiKeys: ApiKeysEndpoints = new ApiKeysEndpoints(this.transport)

  /**
   * What a scanned code means.
   *
   * A GS1 element string begins with `]C1`, `]d2`, `]Q3`, `]e0` or `]J1`, holds U+001D (`%1D`), has brackets around its first identifier, or begins with 00, 01 or 02 and can be read whole, while no sku and no barcode is spelled like it. Read are 01 and 02 (GTIN), 10 (batch), 11 (made), 17, else 15 (expiry), 21 (serial number), 37, else 30 (count), else 310n (net weight in kg), 00 (SSCC); other identifiers of the General Specifications are passed over, in brackets all. It means the variants with the GTIN among their barcodes, then their batches of that number. Any other code is a sku, else a barcode, else the number of a batch, else that of a document that the key may read; `]E0`, `]E4` and `]I1` before it are taken off. Unarchived variants come first, at most 20 matches in all. A code that means nothing has none.
   *
   * Needs the scope `read:stock`.
   */
  scan(query: ScanQuery, options?: ReadOptions): Promise<Scan> {
    return this.transport.read('/scan', query, options)
  }

  /**
   * What will be there, day by day.
   *
   * Begins with what is physically there today, neither quarantined nor expired, and goes on with what open documents need and bring, on their days: the demand and supply of `GET /shortages`, by document and date. What is due before today and demand without a date count today. Supply without a date is listed in `undated_supply` and counts on no day.
   *
   * Needs the scope `read:stock`.
   */
  projection(query: GetProjectionQuery = {}, options?: ReadOptions): Promise<Projection> {
    return this.transport.read('/projection', query, options)
  }

  /**
   * When a quantity can be delivered.
   *
   * What can be promised for a day is the least that `GET /projection` projects for that day and all later ones, so a promise takes nothing from what is promised already. Supply that is due today or overdue counts from tomorrow on. With enough today, the date is today (STOCK). Else it is the first day with enough (SUPPLY), or the end of the lead time where that is earlier (LEAD_TIME). What is bought takes the lead time of its preferred supplier's item, else its own. What is made takes its own and the longest of its materials that would be missing, over all levels of the recipes. Nothing is reserved: see `POST /reservations`.
   *
   * Needs the scope `read:stock`.
   */
  promise(query: GetPromiseQuery, options?: ReadOptions): Promise<DeliveryPromise> {
    return this.transport.read('/promise', query, options)
  }

  /**
   * What to order and make so that nothing is short.
   *
   * Begins with all variants of which less is projected at the place than their minimum stock (less than 0, where none counts), and goes through the recipes of `GET /requirements` on all levels. Variants are netted together, by level: `net_quantity` is the minimum, plus what the proposals of other rows take, less what is projected. `order_quantity` is raised to the minimum and up to the next multiple of the preferred supplier's item, else of the variant. What is made passes the needs of `order_quantity` on to its materials. Nothing is reserved or written. At most 5,000 rows, else 422 `unprocessable`.
   *
   * Needs the scope `read:stock`.
   */
  replenishment(query: GetReplenishmentQuery = {}, options?: ReadOptions): Promise<Replenishment> {
    return this.transport.read('/replenishment', query, options)
  }

  /**
   * What making so many would take.
   *
   * Goes through the recipes that manufacturing orders would take (of the variant the newest, else of its item the newest) on all levels, and nets what is needed against what is available at the place, by default where a manufacturing order would be made. A variant is netted once all needs of it are summed, so a part that goes into several others takes its stock once: `net_quantity` is what is missing. What is missing is made where a recipe counts for it, and passes its needs on; else it is bought, from the supplier of the preferred supplier item if there is one. The own stock of the asked variant does not count. Nothing is reserved. At most 5,000 variants, else 422 `unprocessable`.
   *
   * Needs the scope `read:stock`.
   */
  requirements(query: GetRequirementsQuery, options?: ReadOptions): Promise<Requirements> {
    return this.transport.read('/requirements', query, options)
  }

  /**
   * Read who the key is, what it may do and what is left of it.
   *
   * The tenant, the key that the request carries, its scopes, its rate and its daily documents. `documents.spent` is exact: it counts every success that was answered before.
   *
   * Needs no scope: any valid key.
   */
  me(options?: ReadOptions): Promise<Me> {
    return this.transport.read('/me', {}, options)
  }
}

/** Every write, as an entry of a bulk. */
export type Writes = {
  readonly products: Entries<ProductsEndpoints, 'create' | 'update' | 'putByRef'>
  readonly storagePlaces: Entries<StoragePlacesEndpoints, 'create' | 'update' | 'putByRef'>
  readonly suppliers: Entries<SuppliersEndpoints, 'create' | 'update' | 'putByRef'>
  readonly customers: Entries<CustomersEndpoints, 'create' | 'update' | 'putByRef'>
  readonly batches: Entries<BatchesEndpoints, 'update'>
  readonly stockAdjustments: Entries<StockAdjustmentsEndpoints, 'create' | 'update' | 'reverse'>
  readonly stockTransfers: Entries<StockTransfersEndpoints, 'create' | 'update' | 'reverse'>
  readonly stockCounts: Entries<StockCountsEndpoints, 'create' | 'update' | 'complete' | 'cancel'>
  readonly accounting: Entries<AccountingEndpoints, 'update'>
  readonly operations: Entries<OperationsEndpoints, 'create' | 'update'>
  readonly recipes: Entries<RecipesEndpoints, 'create' | 'update'>
  readonly manufacturingOrders: Entries<ManufacturingOrdersEndpoints, 'create' | 'update' | 'delete' | 'start' | 'materials' | 'complete' | 'block' | 'unblock'>
  readonly supplierItems: Entries<SupplierItemsEndpoints, 'create' | 'update'>
  readonly purchaseOrders: Entries<PurchaseOrdersEndpoints, 'create' | 'update' | 'close' | 'createReceipt'>
  readonly purchaseReceipts: Entries<PurchaseReceiptsEndpoints, 'update' | 'reverse'>
  readonly landedCosts: Entries<LandedCostsEndpoints, 'create' | 'update' | 'reverse'>
  readonly reservations: Entries<ReservationsEndpoints, 'create' | 'update' | 'release'>
  readonly salesOrders: Entries<SalesOrdersEndpoints, 'create' | 'update' | 'annotate' | 'createShipment' | 'createPacking'>
  readonly salesShipments: Entries<SalesShipmentsEndpoints, 'update' | 'reverse'>
  readonly salesReturns: Entries<SalesReturnsEndpoints, 'create' | 'update' | 'receive' | 'cancel'>
  readonly webhookSubscriptions: Entries<WebhookSubscriptionsEndpoints, 'create' | 'update' | 'delete' | 'rotateSecret' | 'test' | 'recover'>
  readonly webhookDeliveries: Entries<WebhookDeliveriesEndpoints, 'redeliver'>
}
