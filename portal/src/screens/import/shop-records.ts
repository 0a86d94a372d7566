/** The records of a shop's export as records with the columns of products. */
import type { Fault } from '../../../../imports/columns.ts'
import type { CsvRecord } from '../../../../imports/records.ts'
import { type ShopFormat, shopReader } from '../../../../imports/shops.ts'

/** The header comes first, as in the file. */
export function shopRecords(records: readonly CsvRecord[], shop: ShopFormat): readonly CsvRecord[] | Fault {
  const [header, ...lines] = records
  const reader = shopReader(shop, header?.cells ?? [])
  if ('fault' in reader) return reader
  for (const record of lines) reader.learn(record)
  return [{ line: header?.line ?? 1, cells: reader.header() }, ...lines.flatMap(record => reader.read(record) ?? [])]
}
