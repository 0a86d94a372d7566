/**
 * The ledger: opens the book of a command and writes what was posted into it. It is the only writer of batches, levels,
 * balances and movements, and it must not decide what to post; the rules do.
 */
import * as v from 'valibot'
import type { CommandContext, Json } from '../api/endpoint.ts'
import { formatCost, formatMicro } from '../decimal.ts'
import { type Fragment, jsonParameter, rows, sql } from '../store/postgres.ts'
import type { Book, Level, Position } from './book.ts'
import type { BookWishes } from './book-wishes.ts'
import { loadBook } from './load-book.ts'
import { stockChanges } from './stock-changed.ts'

/** The rows of the command's own document, written in the same statement as the stock. */
export type DocumentWrite = {
  /** Further `name as (insert ... returning *)`, separated by commas. */
  readonly inserts: Fragment
  /** A scalar subquery: the document's JSON, rendered from what `inserts` return. */
  readonly rendering: Fragment
}

export type Ledger = {
  readonly book: Book
  /** The JSON value of the wishes' `also`. */
  readonly also: unknown
  /**
   * Writes all that was posted, with the document, in one statement, and emits one `stock.changed` per variant and place
   * whose quantities changed over the whole command. Returns the document's JSON text. Call it once, as the last thing
   * that touches stock.
   */
  store(document: DocumentWrite): Promise<Json>
}

/**
 * Opens the ledger for the asked positions: one round trip, whatever their number. After a refusal it is simply dropped,
 * since nothing is written before `store`.
 */
export async function openLedger(context: CommandContext, wishes: BookWishes): Promise<Ledger> {
  const { book, also } = await loadBook(context.connection, { tenantId: context.tenant.id, wishes })
  return { book, also, store: document => store(context, book, document) }
}

async function store(context: CommandContext, book: Book, document: DocumentWrite): Promise<Json> {
  const { rendered } = await context.connection.one(rows(v.object({ rendered: v.string() }))`
    with ${stockWrites(context, book)}, ${document.inserts}
    select (${document.rendering})::text as rendered
  `)
  for (const change of stockChanges(book)) context.emit(change)
  return rendered
}

/** The rows of several commands' documents of one kind, written in the same statement as their stock. */
export type DocumentsWrite = {
  /** Further `name as (insert ... returning *)`, separated by commas; the names are the kind's own. */
  readonly inserts: Fragment
  /** Selects `id, document` from what `inserts` return. */
  readonly renderings: Fragment
}

const Rendered = v.object({ id: v.string(), document: v.string() })

/**
 * Writes what commands that ran together have posted into one book, with their documents (one write per kind, at least one),
 * in one statement. Returns the documents' JSON text by id; the events are the caller's.
 */
export async function storeTogether(
  context: CommandContext,
  book: Book,
  writes: readonly DocumentsWrite[],
): Promise<ReadonlyMap<string, Json>> {
  const inserts = sql.join(
    writes.map(write => write.inserts),
    sql.fragment`, `,
  )
  const renderings = sql.join(
    writes.map(write => sql.fragment`(${write.renderings})`),
    sql.fragment` union all `,
  )
  const documents = await context.connection.any(rows(Rendered)`
    with ${stockWrites(context, book)}, ${inserts}
    select id::text as id, document::text as document from (${renderings}) rendered
  `)
  return new Map(documents.map(({ id, document }) => [id, document]))
}

/**
 * The writes as data-modifying CTEs. One text whatever was posted, so that it is prepared once; an empty part costs
 * microseconds. Foreign keys between the parts hold: they are checked at the end of the statement. Rows are inserted in
 * posting order, so that their ids ascend in it.
 */
function stockWrites(context: CommandContext, book: Book): Fragment {
  const tenantId = context.tenant.id
  const { now } = context
  return sql.fragment`
    new_batches as (
      insert into batches (tenant_id, id, item_variant_id, number, manufacture_date, expiry_date, created_at)
      select ${tenantId}::bigint, b.id, b.item_variant_id, b.number, b.manufacture_date, b.expiry_date, ${now}::timestamptz
      from jsonb_to_recordset(${batchRows(book)}::jsonb)
        as b (id bigint, item_variant_id bigint, number text, manufacture_date date, expiry_date date)
    ), levels as (
      insert into stock_levels (
        tenant_id, id, item_variant_id, storage_place_id, batch_id,
        quantity, quarantine_quantity, reserved_quantity, expected_quantity, updated_at
      )
      select
        ${tenantId}::bigint, coalesce(l.id, nextval('ids')), l.item_variant_id, l.storage_place_id, l.batch_id,
        l.quantity, l.quarantine, l.reserved, l.expected, ${now}::timestamptz
      from rows from (jsonb_to_recordset(${levelRows(book)}::jsonb) as (
        id bigint, item_variant_id bigint, storage_place_id bigint, batch_id bigint,
        quantity numeric, quarantine numeric, reserved numeric, expected numeric
      )) with ordinality as l (
        id, item_variant_id, storage_place_id, batch_id, quantity, quarantine, reserved, expected, position
      )
      order by l.position
      on conflict (tenant_id, id) do update set
        quantity = excluded.quantity,
        quarantine_quantity = excluded.quarantine_quantity,
        reserved_quantity = excluded.reserved_quantity,
        expected_quantity = excluded.expected_quantity,
        updated_at = excluded.updated_at
      returning id, item_variant_id, place_key, batch_key
    ), balances as (
      insert into stock_balances as stored (
        tenant_id, item_variant_id, storage_place_id, quantity, quarantine_quantity, value, averaged_at, valued_at
      )
      select
        ${tenantId}::bigint, b.item_variant_id, b.storage_place_id, b.quantity, b.quarantine, b.value, others.changed_at, others.changed_at
      from jsonb_to_recordset(${balanceRows(book)}::jsonb)
        as b (item_variant_id bigint, storage_place_id bigint, quantity numeric, quarantine numeric, value numeric)
      left join lateral (
        -- Entries that this statement does not write, but that share the average and the value with what it does.
        select ${now}::timestamptz as changed_at from stock_levels
        where tenant_id = ${tenantId}::bigint and item_variant_id = b.item_variant_id
          and place_key = coalesce(b.storage_place_id, 0) and id not in (select id from levels)
        limit 1
      ) others on true
      on conflict (tenant_id, item_variant_id, place_key) do update set
        quantity = excluded.quantity, quarantine_quantity = excluded.quarantine_quantity, value = excluded.value,
        averaged_at = case
          when cost_ratio(excluded.value, excluded.quantity) is distinct from cost_ratio(stored.value, stored.quantity)
            then coalesce(excluded.averaged_at, stored.averaged_at)
          else stored.averaged_at
        end,
        valued_at = case
          when (excluded.quantity, excluded.value) is distinct from (stored.quantity, stored.value)
            then coalesce(excluded.valued_at, stored.valued_at)
          else stored.valued_at
        end
    ), movements as (
      insert into stock_movements (
        tenant_id, stock_level_id, item_variant_id, storage_place_id, batch_id, kind, quantity, quarantine_quantity, value,
        quantity_after, source_type, source_id, document_date, created_at
      )
      select
        ${tenantId}::bigint, l.id, m.item_variant_id, m.storage_place_id, m.batch_id, m.kind, m.quantity, m.quarantine, m.value,
        m.quantity_after, m.source_type, m.source_id, m.document_date, ${now}::timestamptz
      from rows from (jsonb_to_recordset(${movementRows(book)}::jsonb) as (
        item_variant_id bigint, storage_place_id bigint, batch_id bigint, kind text, quantity numeric, quarantine numeric,
        value numeric, quantity_after numeric, source_type text, source_id bigint, document_date timestamptz
      )) with ordinality as m (
        item_variant_id, storage_place_id, batch_id, kind, quantity, quarantine,
        value, quantity_after, source_type, source_id, document_date, position
      )
      join levels l on l.item_variant_id = m.item_variant_id
        and l.place_key = coalesce(m.storage_place_id, 0) and l.batch_key = coalesce(m.batch_id, 0)
      order by m.position
    )`
}

const place = (position: Position, level: Level) => ({
  item_variant_id: position.itemVariantId,
  storage_place_id: position.storagePlaceId,
  batch_id: level.batch?.id ?? null,
})

const batchRows = (book: Book) =>
  jsonParameter(
    book.newBatches.map(batch => ({
      id: batch.id,
      item_variant_id: batch.itemVariantId,
      number: batch.number,
      manufacture_date: batch.manufactureDate,
      expiry_date: batch.expiryDate,
    })),
  )

const levelRows = (book: Book) =>
  jsonParameter(
    [...book.positions.values()].flatMap(position =>
      [...position.levels.values()]
        .filter(level => level.changed)
        .map(level => ({
          id: level.id,
          ...place(position, level),
          quantity: formatMicro(level.quantity),
          quarantine: formatMicro(level.quarantine),
          reserved: formatMicro(level.reserved),
          expected: formatMicro(level.expected),
        })),
    ),
  )

const balanceRows = (book: Book) =>
  jsonParameter(
    [...book.positions.values()]
      .filter(position => position.changed)
      .map(position => ({
        item_variant_id: position.itemVariantId,
        storage_place_id: position.storagePlaceId,
        quantity: formatMicro(position.quantity),
        quarantine: formatMicro(position.quarantine),
        value: formatCost(position.value),
      })),
  )

const movementRows = (book: Book) =>
  jsonParameter(
    book.movements.map(({ cause, position, level, quantity, quarantine, value, quantityAfter }) => ({
      ...place(position, level),
      kind: cause.kind,
      quantity: formatMicro(quantity),
      quarantine: formatMicro(quarantine),
      value: formatCost(value),
      quantity_after: formatMicro(quantityAfter),
      source_type: cause.sourceType,
      source_id: cause.sourceId,
      document_date: cause.documentDate,
    })),
  )
