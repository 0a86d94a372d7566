/** Records and answers of the API as the portal reads them, with numbers as texts. */
import type * as Client from '@millrace/client'
import type { Exact } from './exact.ts'

export type AccountBalances = Exact<Client.AccountBalances>
export type Availability = Exact<Client.Availability>
export type Batch = Exact<Client.Batch>
export type BatchTrace = Exact<Client.BatchTrace>
export type BatchTraceRow = Exact<Client.BatchTraceRow>
export type Customer = Exact<Client.Customer>
export type DeliveryPromise = Exact<Client.DeliveryPromise>
export type Event = Exact<Client.Event>
export type JournalEntry = Exact<Client.JournalEntry>
export type LandedCost = Exact<Client.LandedCost>
export type LoggedRequest = Exact<Client.LoggedRequest>
export type ManufacturingOrder = Exact<Client.ManufacturingOrder>
export type Me = Exact<Client.Me>
export type Operation = Exact<Client.Operation>
export type Product = Exact<Client.Product>
export type ProductionTask = Exact<Client.ProductionTask>
export type Projection = Exact<Client.Projection>
export type PurchaseOrder = Exact<Client.PurchaseOrder>
export type PurchaseReceipt = Exact<Client.PurchaseReceipt>
export type Recipe = Exact<Client.Recipe>
export type Replenishment = Exact<Client.Replenishment>
export type Requirements = Exact<Client.Requirements>
export type Reservation = Exact<Client.Reservation>
export type SalesOrder = Exact<Client.SalesOrder>
export type SalesPackingItem = Exact<Client.SalesPackingItem>
export type SalesReturn = Exact<Client.SalesReturn>
export type SalesShipment = Exact<Client.SalesShipment>
export type SalesShipmentItem = Exact<Client.SalesShipmentItem>
export type Scan = Exact<Client.Scan>
export type SecurityTelemetry = Exact<Client.SecurityTelemetry>
export type SecurityTelemetryByKey = Exact<Client.SecurityTelemetryByKey>
export type SecurityTelemetryByRoute = Exact<Client.SecurityTelemetryByRoute>
export type SecurityTelemetryMetric = Exact<Client.SecurityTelemetryMetric>
export type SecurityTelemetryOperatorAction = Exact<Client.SecurityTelemetryOperatorAction>
export type Shortage = Exact<Client.Shortage>
export type StockCountItem = Exact<Client.StockCountItem>
export type StockEntry = Exact<Client.StockEntry>
export type StockMovement = Exact<Client.StockMovement>
export type StoragePlace = Exact<Client.StoragePlace>
export type Supplier = Exact<Client.Supplier>
export type SupplierItem = Exact<Client.SupplierItem>
export type WebhookDelivery = Exact<Client.WebhookDelivery>
export type WebhookSubscription = Exact<Client.WebhookSubscription>
