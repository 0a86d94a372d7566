/** The parts of an address that storage places and partners have alike. */
import { countryCode, text } from '../../kit/fields/kinds.ts'

export const addressLines = {
  line_1: text().words('first line of the address').orNull(),
  line_2: text().words('second line of the address').orNull(),
  city: text().words('town').orNull(),
  region: text().words('state or province').orNull(),
  zip: text().words('postal code').orNull(),
  country_code: countryCode().orNull(),
}
