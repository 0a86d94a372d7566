/** The address of a partner or of an order (docs/rules/partners.md, "Addresses"). */
import { textOrEmpty, texts } from '../../kit/fields/kinds.ts'
import { addressLines } from '../places/address.ts'

/** A body has at least one of these texts. A change replaces all of them. */
export const address = () =>
  texts(
    {
      name: textOrEmpty().words('who receives what is sent there').orNull(),
      ...addressLines,
      phone: textOrEmpty().words('where to call').orNull(),
    },
    { some: true },
  )
