/** The SQL of a scan: finds variants, batches and documents by a code. The statement texts are made once. */
import * as v from 'valibot'
import type { AnyNoun } from '../../../kit/documents/noun.ts'
import { sourceTypeOf } from '../../../kit/documents/postings.ts'
import { quoteName, quoteText, type Sql } from '../../../kit/documents/sql.ts'
import { type Connection, rows } from '../../../platform/postgres/postgres.ts'
import { barcodeKey } from '../../catalogue/barcode-rules.ts'
import { MATCHES_MAX } from './schemas.ts'

const Row = v.object({
  item_id: v.nullable(v.string()),
  item_variant_id: v.nullable(v.string()),
  sku: v.nullable(v.string()),
  title: v.nullable(v.string()),
  batch_id: v.nullable(v.string()),
  batch_number: v.nullable(v.string()),
  source_type: v.nullable(v.string()),
  source_id: v.nullable(v.string()),
  number: v.nullable(v.string()),
})
export type Match = v.InferOutput<typeof Row>

const query = rows(Row)``
const ask = (connection: Connection, text: Sql, values: readonly unknown[]): Promise<readonly Match[]> =>
  connection.any({ ...query, sql: text, values: values as never })

/** Columns of a match. `v` is a variant, `b` a batch. */
const variantColumns = 'v.item_id::text, v.id::text as item_variant_id, v.sku, v.title'
const batchColumns = 'b.id::text as batch_id, b.number as batch_number'
const noBatch = 'null as batch_id, null as batch_number'
const noDocument = 'null as source_type, null as source_id, null as number'

/** Joins the row `v` of a variant by its id. */
const variantOf = (id: Sql): Sql => `
  cross join lateral (
    select id, item_id, sku, title, active from item_variants where tenant_id = $1::bigint and id = ${id} limit 1
  ) v`

/** Variants with the barcode `$2`, and their batches with the number `$3`. */
const ofElements = `
  select ${variantColumns}, ${batchColumns}, ${noDocument}
  from (
    select item_variant_id, archived from variant_barcodes where tenant_id = $1::bigint and code = $2
    order by archived, item_variant_id limit ${MATCHES_MAX}
  ) c ${variantOf('c.item_variant_id')}
  left join lateral (
    select id, number from batches where tenant_id = $1::bigint and item_variant_id = c.item_variant_id and number = $3 limit 1
  ) b on true
  order by c.archived, c.item_variant_id`

/** Variants with the sku `$2`, the unarchived one first. If there are none, variants with the barcode `$3`. */
const ofText = `
  with skus as materialized (
    (select id, item_id, sku, title, 0 as place from item_variants
      where tenant_id = $1::bigint and active_sku = $2 limit 1)
    union all
    (select id, item_id, sku, title, 1 from item_variants
      where tenant_id = $1::bigint and sku = $2 and not active order by id limit ${MATCHES_MAX})
  )
  select ${variantColumns}, ${noBatch}, ${noDocument}
  from (
    select * from skus
    union all
    select v.id, v.item_id, v.sku, v.title, c.archived::integer
    from (
      select item_variant_id, archived from variant_barcodes
      where tenant_id = $1::bigint and code = $3 and (select count(*) from skus) = 0
      order by archived, item_variant_id limit ${MATCHES_MAX}
    ) c ${variantOf('c.item_variant_id')}
  ) v
  order by v.place, v.id limit ${MATCHES_MAX}`

/** The most batches of one number that are read. */
const BATCHES_MAX = 1_000

/**
 * Batches with the number `$2`; if there are none, documents with it.
 * @param documents nouns with counted numbers
 */
const numberedText = (documents: readonly AnyNoun[]): Sql => `
  with numbered as materialized (
    select id, item_variant_id, number from batches where tenant_id = $1::bigint and number = $2
    order by id limit ${BATCHES_MAX}
  )
  select * from (
    select ${variantColumns}, ${batchColumns}, ${noDocument}
    from numbered b ${variantOf('b.item_variant_id')}
    order by v.active desc, b.id limit ${MATCHES_MAX}
  ) batches
  ${documents.length === 0 ? '' : `union all ${documentsText(documents)}`}`

const documentsText = (documents: readonly AnyNoun[]): Sql => `
  select null, null, null, null, ${noBatch}, d.source_type, d.id::text, d.number
  from (select where (select count(*) from numbered) = 0) none
  cross join lateral (${documents.map(documentText).join(' union all ')}) d`

const documentText = (document: AnyNoun): Sql => `(
  select ${quoteText(sourceTypeOf(document))} as source_type, id, number from ${quoteName(document.table)}
  where tenant_id = $1::bigint and number = $2
    ${document.removedBy === null ? '' : `and ${quoteName(document.removedBy)} is null`} limit 1
)`

type Asked = { readonly tenantId: string; readonly text: string }

/** Variants with the GTIN, then their batches of the number. */
export async function matchesOfElements(
  connection: Connection,
  { tenantId, gtin, batchNumber }: { tenantId: string; gtin: string | null; batchNumber: string | null },
): Promise<readonly Match[]> {
  if (gtin === null) return []
  const found = await ask(connection, ofElements, [tenantId, gtin, batchNumber])
  const variants = found.map(match => ({ ...match, batch_id: null, batch_number: null }))
  return [...variants, ...found.filter(({ batch_id }) => batch_id !== null)].slice(0, MATCHES_MAX)
}

/** Variants with the sku, else with the barcode. */
export const variantsOfText = (connection: Connection, { tenantId, text }: Asked) =>
  ask(connection, ofText, [tenantId, text, barcodeKey(text)])

/** Batches with the number; if there are none, documents that a key with these scopes may read. */
export function numberedOf(
  connection: Connection,
  documents: readonly AnyNoun[],
  { tenantId, text, scopes }: Asked & { readonly scopes: ReadonlySet<string> },
) {
  const readable = documents.filter(({ scopes: { read } }) => scopes.has(read))
  return ask(
    connection,
    textOf(readable.map(({ kind }) => kind).join(), () => numberedText(readable)),
    [tenantId, text],
  )
}

/** One text for each combination of scopes. There are few. */
const texts = new Map<string, Sql>()
function textOf(kinds: string, make: () => Sql): Sql {
  const text = texts.get(kinds) ?? make()
  texts.set(kinds, text)
  return text
}
