/**
 * The supplier or customer of an order: named by id, or brought along and found by its external_ref, else made. It owns the
 * rule, and the SQL to look it up and to write it inside the order's own statements (contract 2, "Purchase order").
 */
import * as v from 'valibot'
import { invalid, noSuch, type Refusal } from '../api/errors.ts'
import { type Book, takeFreshId } from '../stock/book.ts'
import { type Fragment, jsonParameter, sql } from '../store/postgres.ts'
import type { PartnerKind } from './kinds.ts'
import { partnerSummary } from './queries.ts'
import type { InlinePartner } from './schemas.ts'

/** What an order's body says: `supplier_id` and `supplier`. */
export type PartnerWish = { readonly id: string | null; readonly inline: InlinePartner | null }

/** What `partnerLookup` answers: the partner that the wish names, or null. */
export const FoundPartner = v.nullable(v.object({ id: v.string(), archived: v.boolean() }))
export type FoundPartner = v.InferOutput<typeof FoundPartner>

/** The known partner, or the one to make, which has its id already. */
export type ChosenPartner = { readonly id: string; readonly made: InlinePartner | null }

/** Refuses `validation_failed` unless exactly one of the two is given. */
export function refusePartnerWish(kind: PartnerKind, { id, inline }: PartnerWish): Refusal | null {
  if (id !== null && inline !== null) return invalid(kind.noun, `must not stand beside ${kind.noun}_id`)
  if (id === null && inline === null) return invalid(`${kind.noun}_id`, `is required, unless ${kind.noun} is given`)
  return null
}

/** What an order's load asks: values of `partnerColumns`. */
export const partnerQuestion = ({ id, inline }: PartnerWish) => ({
  partner_id: id,
  // Without an external_ref there is nothing to find: `= null` is true of no row.
  partner_ref: inline?.external_ref ?? null,
})

/** The columns of the question `q`. */
export const partnerColumns = sql.fragment`partner_id bigint, partner_ref text`

/** A scalar for the order's load: JSON of the partner that the question `q` names, or null. Two looks by index, since an OR has none. */
export function partnerLookup(kind: PartnerKind, tenantId: string): Fragment {
  const found = sql.fragment`
    select json_build_object('id', id::text, 'archived', archived)
    from ${sql.identifier([kind.table])} where tenant_id = ${tenantId}::bigint`
  return sql.fragment`coalesce(
    (${found} and id = q.partner_id),
    (${found} and external_ref = q.partner_ref)
  )`
}

/** The same for one id. */
export const partnerById = (kind: PartnerKind, tenantId: string, id: string | null): Fragment => sql.fragment`(
  select json_build_object('id', id::text, 'archived', archived)
  from ${sql.identifier([kind.table])} where tenant_id = ${tenantId}::bigint and id = ${id}::bigint
)`

/** What only one of several orders side by side may look for or make. */
export function partnerClaims(kind: PartnerKind, { inline }: PartnerWish): string[] {
  const externalRef = inline?.external_ref ?? null
  return externalRef === null ? [] : [`${kind.noun} ${externalRef}`]
}

/**
 * The partner of the order; a new one takes a fresh id. One that is found by external_ref stays as it is, whatever the body
 * says of it.
 * Refuses `validation_failed` for an absent and for an archived one.
 */
export function choosePartner(
  kind: PartnerKind,
  { wish, found, book }: { readonly wish: PartnerWish; readonly found: FoundPartner; readonly book: Book },
): ChosenPartner | Refusal {
  if (wish.inline === null) {
    const refused = refusePartner(kind, found)
    return refused ?? { id: found?.id ?? '', made: null }
  }
  if (found === null) return { id: takeFreshId(book), made: wish.inline }
  if (found.archived) return invalid(`${kind.noun}.external_ref`, `the ${kind.noun} is archived`)
  return { id: found.id, made: null }
}

/** Refuses `validation_failed` for a partner that is named by its id and absent or archived. */
export function refusePartner(kind: PartnerKind, found: FoundPartner): Refusal | null {
  if (found === null) return noSuch(`${kind.noun}_id`, kind.noun)
  return found.archived ? invalid(`${kind.noun}_id`, `the ${kind.noun} is archived`) : null
}

/** `made_customers as (...)`: writes the partners of new orders that are to be made. */
export function partnersWrite(
  kind: PartnerKind,
  orders: { readonly tenantId: string; readonly now: string; readonly partners: readonly ChosenPartner[] },
): Fragment {
  const { tenantId, now, partners } = orders
  const table = sql.identifier([kind.table])
  const made = sql.identifier([`made_${kind.table}`])
  const rows = partners.flatMap(({ id, made: partner }) =>
    partner === null
      ? []
      : [{ id, title: partner.title, country_code: partner.country_code, external_ref: partner.external_ref }],
  )
  return sql.fragment`
    ${made} as (
      insert into ${table} (tenant_id, id, title, country_code, external_ref, created_at, updated_at)
      select ${tenantId}::bigint, m.id, m.title, m.country_code, m.external_ref, ${now}::timestamptz, ${now}::timestamptz
      from jsonb_to_recordset(${jsonParameter(rows)}::jsonb)
        as m (id bigint, title text, country_code text, external_ref text)
      returning id, title, country_code
    )`
}

/** A scalar: JSON of the partner of the order `o`, which may have been made in this statement by `partnersWrite`. */
export function writtenPartner(kind: PartnerKind, tenantId: string): Fragment {
  const id = sql.identifier(['o', `${kind.noun}_id`])
  return sql.fragment`coalesce(
    (select ${partnerSummary} from ${sql.identifier([`made_${kind.table}`])} p where p.id = ${id}),
    (select ${partnerSummary} from ${sql.identifier([kind.table])} p where p.tenant_id = ${tenantId}::bigint and p.id = ${id})
  )`
}
