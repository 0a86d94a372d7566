/** The slots of a pool: they limit how long a caller waits for a connection. */
import type { DatabasePool } from 'slonik'
import { Slots } from '../limits/slots.ts'

/** The time is longer than several statements in a row, and shorter than the caller of a write waits. */
const PATIENCE_MS = 10_000

export const connectionSlots = (size: number): Slots =>
  new Slots({ size, patienceMs: PATIENCE_MS, of: 'connection to PostgreSQL' })

const methods = [
  'any',
  'anyFirst',
  'connect',
  'exists',
  'many',
  'manyFirst',
  'maybeOne',
  'maybeOneFirst',
  'one',
  'oneFirst',
  'query',
  'record',
  'transaction',
] as const satisfies readonly (keyof DatabasePool)[]

type Method = (...given: readonly unknown[]) => Promise<unknown>

/** Makes the pool's callers wait for a slot. Slonik itself lets them wait without end. */
export function inSlots(pool: DatabasePool, slots: Slots): DatabasePool {
  const limited = methods.map(name => {
    const method = pool[name] as Method
    return [name, (...given: readonly unknown[]) => slots.in(() => method(...given))] as const
  })
  return {
    ...pool,
    ...Object.fromEntries(limited),
    state: () => {
      const state = pool.state()
      return { ...state, waitingClients: state.waitingClients + slots.waiting }
    },
  }
}
