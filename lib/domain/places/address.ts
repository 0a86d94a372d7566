/** The parts of an address that storage places and partners share. An empty text counts as null. */
import { countryCodeOrEmpty, textOrEmpty } from '../../kit/fields/kinds.ts'

export const addressLines = {
  company: textOrEmpty().words('the company there').orNull(),
  line_1: textOrEmpty().words('first line of the address').orNull(),
  line_2: textOrEmpty().words('second line of the address').orNull(),
  city: textOrEmpty().words('town').orNull(),
  region: textOrEmpty().words('state or province').orNull(),
  zip: textOrEmpty().words('postal code').orNull(),
  country_code: countryCodeOrEmpty().orNull(),
}
