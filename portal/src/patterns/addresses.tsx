/** Addresses as people write them on an envelope. */
import { Text } from '@mantine/core'
import type { SalesOrder } from '@millrace/client'

type Address = NonNullable<SalesOrder['shipping_address']>

/** Null for none, so that it is left out of facts. */
export function addressOf(address: Address | null) {
  if (address === null) return null
  const { name, line_1, line_2, zip, city, region, country_code, phone } = address
  const lines = [name, line_1, line_2, [zip, city].filter(Boolean).join(' '), region, country_code, phone]
  return lines.filter(Boolean).map(line => (
    <Text key={line} span size="sm" display="block" className="address">
      {line}
    </Text>
  ))
}
