/** The address of a partner or of an order (docs/rules/partners.md, "Addresses"). */
import { textOrEmpty, texts } from '../../kit/fields/kinds.ts'
import { addressLines } from '../places/address.ts'

/** Texts, of which a body gives at least one. A change replaces all of them. */
export const address = () =>
  texts(
    {
      name: textOrEmpty().words('who receives what is sent there').orNull(),
      ...addressLines,
      phone: textOrEmpty().words('where to call').orNull(),
    },
    { some: true },
  )
