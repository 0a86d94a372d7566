/** What the parts of the bench hand each other: the world that they measure, its tenants, and the answers of commands. */
import type { Pool } from '../lib/platform/postgres/postgres.ts'
import type { RoundTripPool } from '../lib/platform/postgres/round-trip-pool.ts'

export type Answer = Readonly<Record<string, unknown>> & { readonly id: string }

export type BenchTenant = {
  readonly id: string
  readonly token: string
  readonly keyId: string
  readonly placeId: string
  readonly productId: string
  readonly variantId: string
  /** Twenty more variants, with stock, a customer and a supplier; empty for tenants of the crowd. */
  readonly materialIds: readonly string[]
  readonly customerId: string
  readonly supplierId: string
}

export type World = {
  readonly databaseUrl: string
  readonly redisUrl: string
  readonly pool: Pool
  /** For commands without a worker. */
  readonly connections: RoundTripPool
  readonly url: string
  readonly pids: Readonly<Record<'web' | 'worker' | 'postgres' | 'redis', number>>
  readonly folder: string
  close(): Promise<void>
}
