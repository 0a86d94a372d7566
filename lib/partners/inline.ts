/**
 * The supplier or customer of an order: named by id, or brought along and found by its external_ref, else made. It owns the
 * rule, and the SQL to look it up and to write it inside the order's own statements (contract 2, "Purchase order").
 */
import * as v from 'valibot'
import { invalid, noSuch, type Refusal } from '../api/errors.ts'
import { type Fragment, sql } from '../store/postgres.ts'
import type { PartnerKind } from './kinds.ts'
import type { InlinePartner } from './schemas.ts'

/** What an order's body says: `supplier_id` and `supplier`. */
export type PartnerWish = { readonly id: string | null; readonly inline: InlinePartner | null }

/** What `partnerLookup` answers: the partner that the wish names, or null. */
export const FoundPartner = v.nullable(v.object({ id: v.string(), archived: v.boolean() }))
export type FoundPartner = v.InferOutput<typeof FoundPartner>

/** The known partner, or the one to make. */
export type ChosenPartner =
  | { readonly id: string; readonly made: null }
  | { readonly id: null; readonly made: InlinePartner }

/** Refuses `validation_failed` unless exactly one of the two is given. */
export function refusePartnerWish(kind: PartnerKind, { id, inline }: PartnerWish): Refusal | null {
  if (id !== null && inline !== null) return invalid(kind.noun, `must not stand beside ${kind.noun}_id`)
  if (id === null && inline === null) return invalid(`${kind.noun}_id`, `is required, unless ${kind.noun} is given`)
  return null
}

/** A scalar for the order's load: JSON of the partner that the wish names, or null. */
export function partnerLookup(kind: PartnerKind, tenantId: string, { id, inline }: PartnerWish): Fragment {
  // Without an external_ref there is nothing to find: `= null` is true of no row.
  const externalRef = inline?.external_ref ?? null
  return sql.fragment`(
    select json_build_object('id', id::text, 'archived', archived)
    from ${sql.identifier([kind.table])}
    where tenant_id = ${tenantId}::bigint and (id = ${id}::bigint or external_ref = ${externalRef})
  )`
}

/**
 * The partner of the order. One that is found by external_ref stays as it is, whatever the body says of it.
 * Refuses `validation_failed` for an absent and for an archived one.
 */
export function choosePartner(kind: PartnerKind, wish: PartnerWish, found: FoundPartner): ChosenPartner | Refusal {
  const field = wish.inline === null ? `${kind.noun}_id` : `${kind.noun}.external_ref`
  if (found?.archived) return invalid(field, `the ${kind.noun} is archived`)
  if (found !== null) return { id: found.id, made: null }
  if (wish.inline === null) return noSuch(field, `${kind.noun}`)
  return { id: null, made: wish.inline }
}

/**
 * `made_partner as (...), p as (...)`: writes the partner that is to be made, and yields the chosen one's row as `p` for the
 * order's insert and its rendering (`partnerSummary`).
 */
export function partnerWrite(
  kind: PartnerKind,
  order: { readonly tenantId: string; readonly now: string; readonly partner: ChosenPartner },
): Fragment {
  const { tenantId, now, partner } = order
  const { title, country_code: countryCode, external_ref: externalRef } = partner.made ?? {}
  const table = sql.identifier([kind.table])
  return sql.fragment`
    made_partner as (
      insert into ${table} (tenant_id, title, country_code, external_ref, created_at, updated_at)
      select ${tenantId}::bigint, ${title ?? null}::text, ${countryCode ?? null}::text, ${externalRef ?? null}::text,
        ${now}::timestamptz, ${now}::timestamptz
      where ${partner.made !== null}::boolean
      returning id, title, country_code
    ), p as (
      select id, title, country_code from made_partner
      union all
      select id, title, country_code from ${table} where tenant_id = ${tenantId}::bigint and id = ${partner.id}::bigint
    )`
}
