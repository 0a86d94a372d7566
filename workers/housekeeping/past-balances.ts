/** The chore that notes past balances of the stock (lib/domain/stock/valuation/past-balances.ts). */

import { notePastBalances } from '../../lib/domain/stock/valuation/past-balances.ts'
import type { Pool } from '../../lib/platform/postgres/postgres.ts'
import type { Chore } from './deletion.ts'

/** The last tenant of the previous run in this process, by cell. Each run takes the next tenants, so that its cost is limited. */
const passed = new WeakMap<Pool, string>()

export const pastBalances: Chore = {
  name: 'past_stock_balances',
  doBatch: async (pool, rowsMax) => {
    const { seen, last } = await notePastBalances(pool, rowsMax, passed.get(pool))
    if (seen < rowsMax) passed.set(pool, last ?? '0')
    return seen
  },
}
