/** The chore that notes what the accounts of the books moved (lib/domain/stock/books/turnovers.ts). */

import { noteTurnovers } from '../../lib/domain/stock/books/turnovers.ts'
import type { Pool } from '../../lib/platform/postgres/postgres.ts'
import type { Chore } from './deletion.ts'

/** The last tenant of the previous run in this process, by cell. Each run takes the next tenants, so that its cost is limited. */
const passed = new WeakMap<Pool, string>()

export const bookNotes: Chore = {
  name: 'book_turnovers',
  doBatch: async (pool, rowsMax) => {
    const { seen, last } = await noteTurnovers(pool, passed.get(pool))
    if (seen === 0) {
      passed.set(pool, last ?? '0')
      return 0
    }
    return rowsMax
  },
}
