/** The chore that enters into the books what the release before wrote (lib/domain/stock/books/before.ts). */

import { enterBefore } from '../../lib/domain/stock/books/before.ts'
import type { Chore } from './deletion.ts'

export const booksBefore: Chore = {
  name: 'books_before',
  doBatch: async (pool, rowsMax) => {
    let done = 0
    while (done < rowsMax) {
      const entered = await enterBefore(pool)
      if (entered === 0) break
      done += entered
    }
    return done
  },
}
