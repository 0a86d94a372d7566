/** The customers to call when a batch is recalled: how much each got, and in which shipments. */
import { Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Fragment, useMemo } from 'react'
import { type Decimal, isPositive, sum } from '../../exact.ts'
import { dayText } from '../../format.tsx'
import { column } from '../../patterns/columns.tsx'
import { CsvButton } from '../../patterns/csv.tsx'
import { type Columns, DataTable } from '../../patterns/data-table.tsx'
import { Failure } from '../../patterns/failure.tsx'
import { rowsOf } from '../../patterns/groups.ts'
import { DocumentLink, PathLink } from '../../patterns/links.tsx'
import { Empty } from '../../patterns/list-page.tsx'
import { Section } from '../../patterns/section.tsx'
import { Quantity } from '../../patterns/units.tsx'
import type { BatchTraceRow as Row, BatchTrace as Trace } from '../../records.ts'
import { useSession } from '../../session.tsx'

type Got = Pick<Row, 'item_variant_id' | 'sku' | 'title' | 'batch_number'> & {
  readonly shipped: Decimal
  readonly returned: Decimal
  readonly shipments: readonly { readonly id: string; readonly number: string; readonly date: string | null }[]
}

type Partner = NonNullable<Row['partner']>

/** A customer, and the goods that it got, by variant and batch. */
type Recipient = Partner & { readonly got: readonly Got[] }

function recipientsOf(rows: readonly Row[]): Recipient[] {
  const moved = rows.filter(({ kind, partner }) => partner !== null && (kind === 'SHIPPED' || kind === 'RETURNED'))
  const byPartner = Map.groupBy(moved, ({ partner }) => partner?.id ?? '')
  return [...byPartner.values()].flatMap(theirs => {
    const partner = theirs[0]?.partner
    if (!partner) return []
    const byBatch = Map.groupBy(theirs, row => `${row.item_variant_id} ${row.batch_id}`)
    return [{ ...partner, got: [...byBatch.values()].flatMap(gotOf) }]
  })
}

function gotOf(rows: readonly Row[]): readonly Got[] {
  const [row] = rows
  if (!row) return []
  const of = (kind: Row['kind']) => rows.filter(each => each.kind === kind)
  const shipments = new Map(of('SHIPPED').map(each => [each.source_id ?? '', each]))
  return [
    {
      ...{ item_variant_id: row.item_variant_id, sku: row.sku, title: row.title, batch_number: row.batch_number },
      shipped: sum(of('SHIPPED').map(({ quantity }) => quantity)),
      returned: sum(of('RETURNED').map(({ quantity }) => quantity)),
      shipments: [...shipments].map(([id, of]) => ({ id, number: of.source_number ?? '', date: of.document_date })),
    },
  ]
}

type Shown = Recipient & { readonly email: string | null; readonly phone: string | null }

const columns: Columns<Shown> = [
  column.shown('Customer', ({ id, title, country_code, phone, email }) => (
    <>
      <PathLink to="/sales-orders" search={{ customer_id: id }}>
        {title}
      </PathLink>
      {[country_code, phone, email].map(
        text =>
          text !== null && (
            <Text key={text} size="xs" c="dimmed">
              {text}
            </Text>
          ),
      )}
    </>
  )),
  column.shown('Got', ({ got }) => (
    <Stack gap={6}>
      {got.map(each => (
        <div key={`${each.item_variant_id} ${each.batch_number}`}>
          <Text size="sm">
            <Quantity of={each.shipped} goods={each} /> × {each.title}
            {isPositive(each.returned) && (
              <>
                , <Quantity of={each.returned} goods={each} /> came back
              </>
            )}
          </Text>
          <Text size="xs" c="dimmed">
            {[each.sku, each.batch_number !== null && `batch ${each.batch_number}`].filter(Boolean).join(' · ')}
            {each.shipments.map(({ id, number, date }) => (
              <Fragment key={id}>
                {' · '}
                <DocumentLink inText className="whole" kind="SALES_SHIPMENT" id={id}>
                  {number}
                </DocumentLink>{' '}
                of {dayText(date)}
              </Fragment>
            ))}
          </Text>
        </div>
      ))}
    </Stack>
  )),
]

export function Customers({ trace }: { readonly trace: Trace }) {
  const { api, can } = useSession()
  const recipients = useMemo(() => recipientsOf(trace.rows), [trace])
  const asked = recipients.map(({ id }) => id)
  const contacts = useQuery({
    queryKey: ['customers', 'contacts', asked],
    enabled: can('read:sales') && asked.length > 0,
    queryFn: ({ signal }) => rowsOf(asked, id => api.customers.list({ id, limit: id.length }, { signal })),
  })
  const known = new Map(contacts.data?.map(customer => [customer.id, customer]))
  const shown = recipients.map(recipient => ({
    ...recipient,
    email: known.get(recipient.id)?.email ?? null,
    phone: known.get(recipient.id)?.phone ?? null,
  }))
  const title = 'Customers to call'
  return (
    <Section
      title={title}
      aside={
        recipients.length > 0 && (
          <CsvButton name={`customers-${trace.batch.number}`} label={title} rows={() => customersCsv(shown)} />
        )
      }
    >
      {recipients.length === 0 ? (
        <Empty>Nothing of this batch, nor of what was made of it, was shipped to a customer.</Empty>
      ) : contacts.isLoading ? (
        <Skeleton h={120} m="md" />
      ) : (
        <>
          {contacts.error && (
            <Failure
              error={contacts.error}
              title="Their phone numbers could not be read"
              onRetry={() => contacts.refetch()}
            />
          )}
          <DataTable label={title} columns={columns} rows={shown} />
          {trace.truncated && (
            <Text size="sm" c="var(--mantine-color-error)" px="sm" pb="sm">
              There may be more customers: the trace has more than can be shown. Trace the later batches one by one.
            </Text>
          )}
        </>
      )}
    </Section>
  )
}

const CSV_FIELDS = ['customer', 'country_code', 'phone', 'email', 'sku', 'title', 'batch_number']

const customersCsv = (recipients: readonly Shown[]) => [
  [...CSV_FIELDS, 'shipped_quantity', 'returned_quantity', 'shipments'],
  ...recipients.flatMap(({ title, country_code, phone, email, got }) =>
    got.map(each => [
      ...[title, country_code, phone, email, each.sku, each.title, each.batch_number, each.shipped, each.returned],
      each.shipments.map(({ number }) => number).join(' '),
    ]),
  ),
]
