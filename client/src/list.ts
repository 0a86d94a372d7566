/** A list behind a cursor: read page by page, or record by record. */

/** One page as the service answers it. */
export type Page<T> = {
  readonly data: T[]
  /** Pass it back as `cursor`; empty at the end of the list. */
  readonly next_cursor: string
}

/**
 * A list. `for await (const record of list)` reads it to its end, `await list` reads its first page. Each reading asks anew;
 * nothing is asked before.
 */
export class List<T> implements AsyncIterable<T>, PromiseLike<Page<T>> {
  readonly #read: (cursor: string | undefined) => Promise<Page<T>>

  constructor(read: (cursor: string | undefined) => Promise<Page<T>>) {
    this.#read = read
  }

  /** All records, in the list's order; a page is asked for when its first record is wanted. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { data } of this.pages()) yield* data
  }

  /** Page by page; `responseOf(page)` tells what came with one. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    let cursor: string | undefined
    do {
      const page: Page<T> = await this.#read(cursor)
      cursor = page.next_cursor
      yield page
    } while (cursor)
  }

  /** All records in one array. `max` guards your memory: beyond it a RangeError is thrown. */
  async toArray({ max = 100_000 }: { readonly max?: number } = {}): Promise<T[]> {
    const records: T[] = []
    for await (const record of this) {
      if (records.length >= max) throw new RangeError(`the list has more than ${max} records`)
      records.push(record)
    }
    return records
  }

  /** The first page, which makes a list awaitable. */
  // biome-ignore lint/suspicious/noThenProperty: being awaited is its purpose, as with lists of other well-known clients.
  then<A = Page<T>, B = never>(
    fulfilled?: ((page: Page<T>) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#read(undefined).then(fulfilled, rejected)
  }
}
