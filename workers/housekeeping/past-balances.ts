/** The chore that notes past balances of the stock (lib/stock/valuation/past-balances.ts). */
import { notePastBalances } from '../../lib/stock/valuation/past-balances.ts'
import type { Chore } from './deletion.ts'

/** Up to which tenant the runs of this process have come: each looks at the next part of them, so that its cost has an end. */
let passed = '0'

export const pastBalances: Chore = {
  name: 'past_stock_balances',
  doBatch: async (pool, rowsMax) => {
    const { seen, last } = await notePastBalances(pool, rowsMax, passed)
    if (seen < rowsMax) passed = last ?? '0'
    return seen
  },
}
