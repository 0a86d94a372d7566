/**
 * Decides on new and changed suppliers and customers. Pure: no I/O and no clock (contract 2, "Supplier, customer").
 */
import { refuseCurrency } from '../accounting/currencies.ts'
import { refuseTakenBy } from '../accounting/taken.ts'
import type { Refusal } from '../api/errors.ts'
import type { NewPartner, PartnerChange } from './schemas.ts'

export type PartnerValues = NewPartner & { readonly archived: boolean }

/** `externalRefTakenBy`: the other partner of the kind that has the external_ref, or null. */
export type PartnerSurroundings = { readonly externalRefTakenBy: string | null }

/** Refuses `validation_failed` for an unknown currency and for a taken external_ref. */
export function decidePartner(body: NewPartner, surroundings: PartnerSurroundings): PartnerValues | Refusal {
  const values = { ...body, archived: false }
  return refuseValues(values, surroundings) ?? values
}

/** The values after a PATCH; null when it changes nothing. Refuses as `decidePartner` does. */
export function decidePartnerChange(
  { stored, body }: { readonly stored: PartnerValues; readonly body: PartnerChange },
  surroundings: PartnerSurroundings,
): PartnerValues | null | Refusal {
  // What is absent is undefined and must not overwrite.
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
  const values: PartnerValues = { ...stored, ...given }
  const refused = refuseValues(values, surroundings)
  if (refused !== null) return refused
  const names = Object.keys(stored) as (keyof PartnerValues)[]
  return names.every(name => values[name] === stored[name]) ? null : values
}

function refuseValues(values: PartnerValues, surroundings: PartnerSurroundings): Refusal | null {
  const unknownCurrency = values.currency === null ? null : refuseCurrency(values.currency)
  return unknownCurrency ?? refuseTakenBy('external_ref', surroundings.externalRefTakenBy)
}
