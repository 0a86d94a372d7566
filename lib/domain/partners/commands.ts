/**
 * What happens to suppliers and customers: they are made and changed.
 */

import type { Endpoint } from '../../kit/api/endpoint.ts'
import type { Refusal } from '../../kit/api/errors.ts'
import { command, given, made, updated } from '../../kit/documents/command.ts'
import { free, theRecord } from '../../kit/documents/needs.ts'
import { notFound } from '../../kit/documents/reads.ts'
import { replyOf } from '../../kit/documents/reply.ts'
import { refuseCurrency } from '../accounting/currencies.ts'
import type { PartnerWords } from './kinds.ts'
import { NewPartner, PartnerChange } from './schemas.ts'

const common = { countsAsDocument: false, refusals: [] } as const

/** Refuses `validation_failed` for an unknown currency and for a taken external_ref. */
export const createPartner = ({ document, name, path, tag, writeScope, example }: PartnerWords): Endpoint =>
  command({
    ...common,
    id: `create${name}`,
    method: 'POST',
    path,
    tag,
    scope: `${writeScope}.create`,
    summary: `Create a ${document.noun}`,
    description: `An order can also bring its ${document.noun} along. \`currency\` is for information; an order names its own.`,
    body: NewPartner,
    example: { ...example, email: `office@${document.noun}.example`, currency: 'EUR' },
    success: 201,
    reply: replyOf(document),
    ids: () => 1,
    needs: ({ body }) => ({ refuseTaken: free(document, { external_ref: body.external_ref }) }),
    decide: ({ body }, facts, { now, work }) => {
      const refused = refuseUnknownCurrency(body.currency) ?? facts.refuseTaken()
      if (refused) return refused
      const stamps = { archived: false, created_at: now, updated_at: now }
      return made(work, document, work.make(document, { ...body, ...stamps, id: work.newId() }))
    },
  })

/** Refuses as `createPartner` does. A body that changes nothing writes and tells nothing. */
export const changePartner = ({ document, name, path, tag, writeScope }: PartnerWords): Endpoint =>
  command({
    ...common,
    id: `update${name}`,
    method: 'PATCH',
    path: `${path}/{id}`,
    tag,
    scope: `${writeScope}.update`,
    summary: `Update a ${document.noun}`,
    description:
      `What is omitted stays; null clears. An archived ${document.noun} takes no new orders; open ones go on. Orders show the ` +
      `${document.noun}'s title as it is now. A body that changes nothing answers the ${document.noun} as it is.`,
    body: PartnerChange,
    example: { phone: '+49 421 1234', tax_number: null },
    success: 200,
    reply: replyOf(document),
    ifMatch: document,
    ids: () => 0,
    needs: ({ params, body }) => ({
      before: theRecord(document, params['id']),
      refuseTaken: free(document, { external_ref: body.external_ref }),
    }),
    decide: ({ body }, { before, refuseTaken }, { work }) => {
      if (before === null) return notFound(document)
      const next = { ...before, ...given(body) }
      return refuseUnknownCurrency(next.currency) ?? refuseTaken(before.id) ?? updated(work, document, { before, next })
    },
  })

const refuseUnknownCurrency = (currency: string | null): Refusal | null =>
  currency === null ? null : (refuseCurrency(currency) ?? null)
