/**
 * Records the text of every statement that this process sends to PostgreSQL. It listens at the connections of `pg`, below all layers that
 * make or send statements, so a change of these layers does not change the recording.
 */
import pg from 'pg'
import { SET_UP } from '../../../lib/platform/postgres/session-settings.ts'

/** A statement, and the first of its senders in the order of their names. */
export type Sent = { readonly sender: string; readonly text: string }

/** The methods of a connection that send statements. `query` sends by the simple protocol. */
type Wire = {
  parse(query: { readonly name?: string; readonly text: string }): void
  bind(values: { readonly statement?: string }): void
  query(text: string): void
}

export class SentStatements {
  /** The texts of each sender, in the order in which they were first sent. */
  readonly #bySender = new Map<string, Set<string>>()
  readonly #release: () => void
  #sender: string | undefined

  /** Listens from now on. Only one instance may listen at a time. */
  constructor() {
    const wire = pg.Connection.prototype as unknown as Wire
    const { parse, bind, query } = wire
    const note = (text: string | undefined) => this.#note(text)
    /** The prepared statements of each connection, by name. */
    const prepared = new WeakMap<Wire, Map<string, string>>()
    wire.parse = function (this: Wire, ...given: Parameters<typeof parse>) {
      const texts = prepared.get(this) ?? new Map<string, string>()
      prepared.set(this, texts.set(given[0].name ?? '', given[0].text))
      parse.apply(this, given)
    }
    wire.bind = function (this: Wire, ...given: Parameters<typeof bind>) {
      note(prepared.get(this)?.get(given[0].statement ?? ''))
      bind.apply(this, given)
    }
    wire.query = function (this: Wire, text: string) {
      note(text)
      query.call(this, text)
    }
    this.#release = () => Object.assign(wire, { parse, bind, query })
  }

  /** Records the statements that are sent while `work` runs, under the name `sender`. Other statements are not recorded. */
  async by<T>(sender: string, work: () => Promise<T>): Promise<T> {
    if (this.#sender !== undefined) throw new Error(`${this.#sender} is not done yet`)
    this.#sender = sender
    try {
      return await work()
    } finally {
      this.#sender = undefined
    }
  }

  /** The statements by sender, in the order of the senders' names. Each statement is in it once. */
  get all(): readonly Sent[] {
    const known = new Set<string>()
    return [...this.#bySender]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([sender, texts]) =>
        [...texts].flatMap(text => (known.has(text) || !known.add(text) ? [] : [{ sender, text }])),
      )
  }

  close(): void {
    this.#release()
  }

  #note(text: string | undefined): void {
    if (this.#sender === undefined) return
    if (text === undefined) throw new Error('a statement was run that was prepared before anybody listened')
    // A pool opens connections at any time, so their first statement belongs to no sender.
    if (text === SET_UP) return
    const texts = this.#bySender.get(this.#sender) ?? new Set()
    this.#bySender.set(this.#sender, texts.add(text))
  }
}
