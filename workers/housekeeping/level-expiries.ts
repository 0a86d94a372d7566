/** The chore that copies expiry dates to stock levels of an earlier version (lib/domain/stock/level-expiries.ts). */
import { copyExpiries } from '../../lib/domain/stock/level-expiries.ts'
import type { Chore } from './deletion.ts'

export const levelExpiries: Chore = { name: 'level_expiries', doBatch: copyExpiries }
