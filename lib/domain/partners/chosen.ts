/**
 * The supplier or customer of an order. The order names it by id, or sends its fields: then it is found by external_ref, else made
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

/** The fields of an order's body: `supplier_id` and `supplier`. */
export type NamedPartner = { readonly id: string | null; readonly inline: InlinePartner | null }
type AnyPartner = RecordOf<Partner>

/** Refuses `validation_failed` unless the body has exactly one of the two, and for an unknown currency. */
export function refuseNamed({ noun }: Partner, { id, inline }: NamedPartner): Refusal | null {
  if (id !== null && inline !== null) return invalid(noun, `must not stand beside ${noun}_id`)
  if (id === null && inline === null) return invalid(`${noun}_id`, `is required, unless ${noun} is given`)
  return refuseCurrency(inline?.currency, `${noun}.currency`)
}

/** The partner that the order names, or null. */
export const namedPartner = <P extends Partner>(partner: P, { id, inline }: NamedPartner): Need<RecordOf<P> | null> =>
  id === null ? recordBy(partner, 'external_ref', inline?.external_ref) : theRecord(partner, id)

/** The partner of an order, with the event of a partner that the order makes. */
type Chosen<R extends AnyPartner> = { readonly partner: R; readonly events: readonly DomainEvent[] }

/**
 * The order's partner, which is made if it is new. A partner that is found by external_ref keeps its fields, whatever the body has. Refuses
 * `validation_failed` for an absent and for an archived partner.
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

/** Refuses `validation_failed` for a partner that the body names by id and that is absent or archived. */
export function refusePartner({ noun }: Partner, found: AnyPartner | null): Refusal | null {
  if (found === null) return noSuch(`${noun}_id`, noun)
  return found.archived ? invalid(`${noun}_id`, `the ${noun} is archived`) : null
}

/** A command that a process of the previous release queued lacks newer fields, which get their defaults. */
const newPartner = <R extends AnyPartner>(partner: Partner, work: Work, inline: InlinePartner): R =>
  ({
    ...defaultsOf(partner.fields),
    ...inline,
    id: work.newId(),
    archived: false,
    created_at: work.now,
    updated_at: work.now,
  }) as R
