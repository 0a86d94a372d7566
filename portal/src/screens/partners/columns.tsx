/** What the screens of customers and suppliers share. */
import type { ReactNode } from 'react'
import type { Filters } from '../../filters.ts'
import type { Noun } from '../../noun.ts'
import { titleColumn } from '../../patterns/archived.tsx'
import { type Columns, column } from '../../patterns/columns.tsx'
import type { FactsOf } from '../../patterns/detail-page.tsx'
import { ButtonLink } from '../../patterns/links.tsx'
import type { Customer } from '../../records.ts'

type Partner = Omit<Customer, 'shipping_address' | 'billing_address'>

export const partnerColumns = <One extends Partner, Has extends Filters>(noun: Noun<One, Has>): Columns<One> => [
  titleColumn(noun),
  column.shown('Country', ({ country_code }) => country_code, 'sm'),
  column.shown('E-mail', ({ email }) => email, 'sm'),
  column.shown('Phone', ({ phone }) => phone, 'md'),
  column.shown('Reference', ({ external_ref }) => external_ref, 'md'),
]

export const partnerActions = (kind: string, make: ReactNode) => (
  <>
    <ButtonLink to="/import" search={{ kind }}>
      Import
    </ButtonLink>
    {make}
  </>
)

export const partnerFacts = (partner: Partner): FactsOf => [
  ['Country', partner.country_code],
  ['E-mail', partner.email],
  ['Phone', partner.phone],
  ['Tax number', partner.tax_number],
  ['Currency', partner.currency],
]
