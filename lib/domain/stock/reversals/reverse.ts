/** The command that reverses a document, declared for every noun that can be reversed (docs/rules/stock.md, "Reversals"). */
import type { CommandEndpoint, DomainEvent } from '../../../kit/api/endpoint.ts'
import { isRefusal, type Refusal } from '../../../kit/api/errors.ts'
import { acts } from '../../../kit/documents/acts.ts'
import { changed, type Deciding, type EventOf, namedUser } from '../../../kit/documents/command.ts'
import type { RecordOf } from '../../../kit/documents/document.ts'
import { always, type Facts, type Need, type Needs, theRecords } from '../../../kit/documents/needs.ts'
import type { AnyNoun } from '../../../kit/documents/noun.ts'
import type { Posting } from '../../../kit/documents/postings.ts'
import { instant, text } from '../../../kit/fields/kinds.ts'
import { refuseDocumentDate } from '../../accounting/document-date.ts'
import { StoragePlace } from '../../places/noun.ts'
import { causeOf } from '../cause.ts'
import type { BatchNeed } from '../level-load.ts'
import type { Cause, Stock, Where } from '../stock.ts'
import { stockOf } from '../stock-load.ts'
import { type Booked, bookedBy } from './document-movements.ts'
import { postReversal, refuseReversal } from './rules.ts'

type None = Record<never, never>

/** What a noun adds to the reversal of its documents. */
type Reversal<D extends AnyNoun, N extends Needs, M extends Needs> = {
  readonly scope: string
  /** What callers must know of this noun's reversal. */
  readonly description?: string
  /** An example of the body, for the documentation. */
  readonly example: { readonly reason: string }
  /** The document's own date. */
  readonly dateOf: (record: RecordOf<D>) => string
  /** True: each outflow is followed by the inflow of the same goods at another place. */
  readonly inPairs?: boolean
  /** What the reversal loads by the id of the document. */
  readonly needs?: (id: string) => N
  /** What the reversal loads once those are known. */
  readonly more?: (record: RecordOf<D>, facts: Facts<N>) => M
  /** Positions that the reversal needs without a movement of a quantity. */
  readonly positions?: (record: RecordOf<D>, facts: Facts<N>) => readonly Where[]
  /** For documents that booked only values: what their reversal books instead of the opposite of each movement. */
  readonly ofValue?: {
    /** The description replaces the usual one. */
    readonly description: string
    readonly batches: (record: RecordOf<D>) => readonly BatchNeed[]
    readonly post: (stock: Stock, cause: Cause, record: RecordOf<D>) => void
  }
  /** Refuses a reversal that something prevents. Called before anything is posted. */
  readonly refuse?: (facts: Facts<N> & Facts<M>) => Refusal | null
  /** Further changes of the reversal. Their events come after the document's own event. */
  readonly also?: (
    record: RecordOf<D>,
    facts: Facts<N> & Facts<M> & { readonly stock: Stock },
    deciding: Deciding,
  ) => readonly DomainEvent[] | Refusal
}

/** What every reversal loads. */
type Own = {
  readonly movements: Need<readonly Booked[]>
  readonly places: Need<ReadonlyMap<string, RecordOf<typeof StoragePlace>>>
  readonly stock: Need<Stock>
}
type Head = { readonly id: string; readonly number: string; readonly reversed_at: string | null }

const RULES =
  'Answers the movements of the document one by one, the last first, by movements of kind REVERSAL: all or none. What came in must ' +
  'still be there physically, in its batch and in or out of quarantine as it came, else 409 `insufficient_stock`; expired stock ' +
  'counts, and reservations do not. What went out comes back at the value at which it left. What came in leaves at the value at ' +
  'which it came, but at most at what the stock is worth. A date before that of the document is 400; a second time is 409 ' +
  '`already_reversed`; a place that is archived and would get goods, or a product whose `batch_tracked` has changed since, is 409 ' +
  '`conflict`. The document stays in its list.'

/** `POST .../reverse`. Refuses as `refuseReversal` and `postReversal` do, for a closed date, and as the noun does. */
export function reverses<D extends AnyNoun & Posting, N extends Needs = None, M extends Needs = None>(
  of: D,
  { scope, description, example, dateOf, inPairs = false, ofValue, ...reversal }: Reversal<D, N, M>,
): CommandEndpoint {
  type Seen = Facts<N> & Facts<M> & Facts<Own>
  return acts(of, 'reverse', {
    scope,
    summary: `Reverse a ${of.noun}`,
    description: ofValue?.description ?? (description === undefined ? RULES : `${RULES} ${description}`),
    body: { reason: text(), date: instant().decided() },
    example,
    refusals: ofValue
      ? ['already_reversed', 'unprocessable']
      : ['already_reversed', 'conflict', 'insufficient_stock', 'unprocessable'],
    needs: (_body, _actor, params): Needs => {
      const id = params['id'] ?? ''
      return { ...reversal.needs?.(id), movements: ofValue ? always([]) : bookedBy(id) }
    },
    more: ({ record }, seen): Needs => {
      const facts = seen as Seen
      const { movements } = facts
      const placeIds = movements.flatMap(({ storagePlaceId: id }) => (id === null ? [] : [id]))
      return {
        ...reversal.more?.(record as never, facts),
        places: theRecords(StoragePlace, [...new Set(placeIds)]),
        stock: stockOf({
          positions: [...movements, ...(reversal.positions?.(record as never, facts) ?? [])].map(
            ({ itemVariantId, storagePlaceId }) => ({ itemVariantId, storagePlaceId }),
          ),
          batches: [
            ...movements.flatMap(({ batchId: id }) => (id === null ? [] : [{ id }])),
            ...(ofValue?.batches(record as never) ?? []),
          ],
        }),
      }
    },
    decide: ({ record: before, body }, seen, deciding) => {
      const facts = seen as unknown as Seen
      const { now, tenant, work } = deciding
      const { number, reversed_at, id } = before as unknown as Head
      const date = body.date ?? now
      const refused =
        refuseReversal({ number, reversed_at, date: dateOf(before as never) }, date) ??
        refuseDocumentDate({ field: 'date', date, now, tenant }) ??
        reversal.refuse?.(facts)
      if (refused) return refused
      const cause = causeOf(of, 'REVERSAL' as never, { id, date })
      const short = postReversal(facts.stock, { cause, movements: facts.movements, places: facts.places, inPairs })
      if (short) return short
      ofValue?.post(facts.stock, cause, before as never)
      const after = work.change(of, {
        ...before,
        reversed: true,
        reversed_at: date,
        reversal_reason: body.reason,
        reversed_by_user_name: namedUser(deciding),
      })
      const told = changed(work, of, { before, after, event: 'reversed' as EventOf<D> })
      const others = reversal.also?.(after as never, facts, deciding) ?? []
      return isRefusal(others) ? others : { ...told, events: [...told.events, ...others] }
    },
  })
}
