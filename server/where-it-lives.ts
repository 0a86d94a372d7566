/**
 * Asks about a tenant in the cell that the tenant is in now. A request knows the cell in which its key was found. The tenant may have moved
 * since then, while the key was cached or the request waited (docs/decisions/0010).
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from 'koa'
import { placeOfTenant } from '../lib/access/cells/directory.ts'
import type { Refusal } from '../lib/kit/api/errors.ts'
import { MAIN, TenantNotHere } from '../lib/platform/cells.ts'
import { identifyAgain } from './gate.ts'
import type { Services } from './services.ts'

/** During a move a tenant may be in neither cell for a moment. */
const AGAIN_MS = 25
const PATIENCE_MS = 2_000

/**
 * The result of `ask` in the cell of `services`. If that throws TenantNotHere, the result in the tenant's other cell. @throws TenantNotHere
 * if the tenant is in no cell for longer than a moment
 */
export async function whereItLives<T>(
  tenantId: string,
  services: Services,
  ask: (services: Services) => Promise<T>,
): Promise<T> {
  const end = performance.now() + PATIENCE_MS
  let at = services
  for (;;) {
    try {
      return await ask(at)
    } catch (error) {
      if (!(error instanceof TenantNotHere) || performance.now() > end) throw error
    }
    const { cell } = await placeOfTenant(services.in(MAIN).pool, tenantId)
    const next = services.in(cell ?? MAIN)
    if (next.name === at.name) await delay(AGAIN_MS)
    at = next
  }
}

/** The most cells that one read asks, since the tenant may move meanwhile. */
const CELLS_MAX = 3

/**
 * The result of a read, found as in `whereItLives`. The caller's key is looked up again, because the tenant's keys moved with the tenant.
 * Returns the refusal of the key, if it has one.
 */
export async function readWhereItLives<T>(
  ctx: Context,
  services: Services,
  read: (services: Services) => Promise<T>,
): Promise<T | Refusal> {
  for (let tries = 1; ; tries++) {
    try {
      return await read(services.in(ctx.state.access.cell))
    } catch (error) {
      if (!(error instanceof TenantNotHere) || tries === CELLS_MAX) throw error
    }
    const refusal = await identifyAgain(ctx, services.access)
    if (refusal) return refusal
    delete ctx.state.readPool
  }
}
