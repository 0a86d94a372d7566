/**
 * The supplier or customer of an order: named by id, or brought along and found by its external_ref, else made
 * (docs/rules/partners.md). Pure.
 */

import type { DomainEvent } from '../../kit/api/endpoint.ts'
import { invalid, noSuch, type Refusal } from '../../kit/api/errors.ts'
import { made } from '../../kit/documents/command.ts'
import type { RecordOf } from '../../kit/documents/document.ts'
import { type Need, recordBy, theRecord } from '../../kit/documents/needs.ts'
import type { Work } from '../../kit/documents/work.ts'
import { defaultsOf } from '../../kit/fields/bodies.ts'
import { refuseCurrency } from '../accounting/currencies.ts'
import type { InlinePartner, Partner } from './noun.ts'

/** What an order's body says: `supplier_id` and `supplier`. */
export type NamedPartner = { readonly id: string | null; readonly inline: InlinePartner | null }
type AnyPartner = RecordOf<Partner>

/** Refuses `validation_failed` unless exactly one of the two is given, and for a currency that is none. */
export function refuseNamed({ noun }: Partner, { id, inline }: NamedPartner): Refusal | null {
  if (id !== null && inline !== null) return invalid(noun, `must not stand beside ${noun}_id`)
  if (id === null && inline === null) return invalid(`${noun}_id`, `is required, unless ${noun} is given`)
  return refuseCurrency(inline?.currency, `${noun}.currency`)
}

/** The partner that the order names, or null. */
export const namedPartner = <P extends Partner>(partner: P, { id, inline }: NamedPartner): Need<RecordOf<P> | null> =>
  id === null ? recordBy(partner, 'external_ref', inline?.external_ref) : theRecord(partner, id)

/** The partner of an order, and what is told of one that the order made. */
type Chosen<R extends AnyPartner> = { readonly partner: R; readonly events: readonly DomainEvent[] }

/**
 * The partner of the order, made where it is new. One that is found by external_ref stays as it is, whatever the body says of
 * it. Refuses `validation_failed` for an absent and for an archived one.
 */
export function choosePartner<R extends AnyPartner>(
  partner: Partner,
  { named, found, work }: { readonly named: NamedPartner; readonly found: R | null; readonly work: Work },
): Chosen<R> | Refusal {
  if (named.inline === null) return refusePartner(partner, found) ?? { partner: found as R, events: [] }
  if (found === null) {
    const record = work.make(partner, newPartner<R>(partner, work, named.inline)) as R
    return { partner: record, events: made(work, partner, record).events }
  }
  if (found.archived) return invalid(`${partner.noun}.external_ref`, `the ${partner.noun} is archived`)
  return { partner: found, events: [] }
}

/** Refuses `validation_failed` for a partner that is named by its id and absent or archived. */
export function refusePartner({ noun }: Partner, found: AnyPartner | null): Refusal | null {
  if (found === null) return noSuch(`${noun}_id`, noun)
  return found.archived ? invalid(`${noun}_id`, `the ${noun} is archived`) : null
}

/** A command that a process of the release before queued brings fewer fields: they have their defaults. */
const newPartner = <R extends AnyPartner>(partner: Partner, work: Work, inline: InlinePartner): R =>
  ({
    ...defaultsOf(partner.fields),
    ...inline,
    id: work.newId(),
    archived: false,
    created_at: work.now,
    updated_at: work.now,
  }) as R
