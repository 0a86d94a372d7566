/**
 * What a command that makes a stock document says of itself, so that several of them share one load and one store: what it
 * must see, what it decides, what it tells. It must not load or store; run-together.ts does.
 */
import type { DomainEvent, Json, Task } from '../api/endpoint.ts'
import type { Refusal } from '../api/errors.ts'
import type { DocumentKind } from '../store/document-number.ts'
import type { Fragment } from '../store/postgres.ts'
import type { Book } from './book.ts'
import type { BookWishes } from './book-wishes.ts'
import type { DocumentsWrite } from './ledger.ts'
import { runTogether } from './run-together.ts'

/** The SQL of one kind of document, for any number of them: one constant per kind. */
export type DocumentSource<Row = unknown> = {
  readonly kind: DocumentKind
  /** Where the documents stand, with `number` and `external_ref` unique per tenant. */
  readonly table: string
  /** The columns of a question beyond its number and external_ref: `partner_id bigint, partner_ref text`. */
  readonly questionColumns?: Fragment
  /** A scalar, JSON of what is found for the question `q`. */
  readonly found?: (tenantId: string) => Fragment
  /** Inserts the rows of one round, in their order, and renders them. */
  write(stamp: { readonly tenantId: string; readonly now: string }, rows: readonly Row[]): DocumentsWrite
}

/** The book that the command decides on, and what was found for its question. */
export type Opened = { readonly book: Book; readonly id: string; readonly number: string; readonly found: unknown }

export type DocumentTask<Row = unknown> = Task & {
  readonly source: DocumentSource<Row>
  /** The caller's own number; null: the next counted one. */
  readonly number: string | null
  readonly externalRef: string | null
  /** Values of the source's `questionColumns`. */
  readonly question?: Readonly<Record<string, unknown>>
  /**
   * What the book must hold, if the document gets this number. After a refusal in the same round it gets an earlier one; should
   * that name a batch which is there, its second making fails, and the whole batch is replayed one by one.
   */
  wishes(number: string): Pick<BookWishes, 'positions' | 'batches' | 'freshIds'>
  /** What only one command of a round may make or look for, beyond number and external_ref. */
  readonly claims?: readonly string[]
  /** The document's row, its stock posted into the book; a refusal may leave the book half-way. */
  decide(opened: Opened): Row | Refusal
  /** The events of the document, after those of the stock. */
  tell(document: Json): readonly DomainEvent[]
}

/** A task that runs together with its neighbours of any kind of document. */
export const documentTask = <Row>(task: Omit<DocumentTask<Row>, 'run'>): DocumentTask<Row> => ({
  ...task,
  run: runTogether,
})
