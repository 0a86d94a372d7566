/** The commands that make and change suppliers and customers. */
import { changes } from '../../kit/documents/acts.ts'
import { made, updated } from '../../kit/documents/command.ts'
import { creates } from '../../kit/documents/creates.ts'
import { merged } from '../../kit/documents/merging.ts'
import { isBornArchived } from '../../kit/documents/puts.ts'
import { refuseCurrency } from '../accounting/currencies.ts'
import type { Partner } from './noun.ts'

/** Refuses `validation_failed` for an unknown currency and for a taken external_ref. */
export const createPartner = (of: Partner, example: { readonly title: string; readonly country_code: string }) =>
  creates(of, {
    description: `An order can also bring its ${of.noun} along. \`currency\` is for information; an order names its own.`,
    example: { ...example, email: `office@${of.noun}.example`, currency: 'EUR' },
    decide: (body, facts, { now, work }) => {
      const refused = refuseCurrency(body.currency) ?? facts.refuseTaken()
      if (refused) return refused
      const stamps = { archived: isBornArchived(body), created_at: now, updated_at: now }
      return made(work, of, work.make(of, { ...body, ...stamps, id: work.newId() }))
    },
  })

/** Refuses as `createPartner` does. A body that changes nothing writes nothing and has no event. */
export const changePartner = (of: Partner) =>
  changes(of, {
    description:
      `What is omitted stays; null clears. An archived ${of.noun} takes no new orders; open ones go on. Orders show the ` +
      `${of.noun}'s title as it is now. A body that changes nothing answers the ${of.noun} as it is.`,
    example: { phone: '+49 421 1234', tax_number: null },
    decide: ({ record: before, body }, { refuseTaken }, { work }) => {
      const next = merged(of, before, body)
      return refuseCurrency(next.currency) ?? refuseTaken(before.id) ?? updated(work, of, { before, next })
    },
  })
