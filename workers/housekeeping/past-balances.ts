/** The chore that notes past balances of the stock (lib/stock/valuation/past-balances.ts). */
import { notePastBalances } from '../../lib/stock/valuation/past-balances.ts'
import type { Chore } from './deletion.ts'

export const pastBalances: Chore = { name: 'past_stock_balances', doBatch: notePastBalances }
