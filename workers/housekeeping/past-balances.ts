/** The chore that notes past balances of the stock (lib/domain/stock/valuation/past-balances.ts). */

import { notePastBalances } from '../../lib/domain/stock/valuation/past-balances.ts'
import type { Pool } from '../../lib/platform/postgres/postgres.ts'
import type { Chore } from './deletion.ts'

/** Up to which tenant of a cell the runs of this process have come: each looks at the next part of them, so that its cost has an end. */
const passed = new WeakMap<Pool, string>()

export const pastBalances: Chore = {
  name: 'past_stock_balances',
  doBatch: async (pool, rowsMax) => {
    const { seen, last } = await notePastBalances(pool, rowsMax, passed.get(pool))
    if (seen < rowsMax) passed.set(pool, last ?? '0')
    return seen
  },
}
