/**
 * Ids for a command that knows how many it needs only after it has seen its records. They are taken in the second round trip, or the third.
 */
import type { Query, TextRow } from '../../platform/postgres/round-trip.ts'
import type { Need } from './needs.ts'
import type { Load, Source } from './question.ts'
import type { Work } from './work.ts'

/**
 * This many ids in addition to those for the body, or as many as follow from all that is loaded, which are taken in the last round trip of
 * loading. Use it in `more`.
 */
export function moreIds(count: number | ((work: Work) => number)): Need<null> {
  let taken: () => readonly string[] = () => []
  const askFor = (load: Load, wanted: number) => {
    if (wanted > 0) taken = load.source('more ids', () => new MoreIds()).ask(wanted)
  }
  return {
    ask: load => typeof count === 'number' && askFor(load, count),
    more: (load, work) => typeof count !== 'number' && askFor(load, count(work)),
    see: work => {
      work.addIds(taken())
      return null
    },
  }
}

class MoreIds implements Source {
  #count = 0
  #ids: readonly string[] = []

  ask(count: number): () => readonly string[] {
    const from = this.#count
    this.#count += count
    return () => this.#ids.slice(from, from + count)
  }

  query(): Query {
    return { text: `select nextval('ids') as id from generate_series(1, $1::integer)`, values: [this.#count] }
  }

  take(rows: readonly TextRow[]): void {
    this.#ids = rows.map(row => row['id'] ?? '')
  }
}
