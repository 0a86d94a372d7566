/** Columns of tables by what they show: each takes its value from the row; what is not there is a dash. */
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { type Decimal, isZero } from '../exact.ts'
import { dayText, Instant, moneyText, quantityText, Status } from '../format.tsx'
import { useSession } from '../session.tsx'
import type { Column, Columns } from './data-table.tsx'
import { DocumentLink, What } from './links.tsx'
import { PlaceTitle } from './places.tsx'

/** A cost in the tenant's own currency. */
export function Cost({ of }: { readonly of: Decimal | null }) {
  const { me } = useSession()
  return of === null ? '–' : moneyText(of, me.currency)
}

/** @param visibleFrom left out on narrower screens. */
const shownBy =
  <Value,>(show: (value: Value) => ReactNode, align?: 'right') =>
  <Row,>(header: string, of: (row: Row) => Value, visibleFrom?: Column<Row>['visibleFrom']): Column<Row> => ({
    header,
    cell: row => show(of(row)),
    align,
    visibleFrom,
  })

export const column = {
  shown: shownBy<ReactNode>(value => value ?? '–'),
  figure: shownBy<ReactNode>(value => value ?? '–', 'right'),
  quantity: shownBy<Decimal | null | undefined>(value => (value == null ? '–' : quantityText(value)), 'right'),
  /** With its currency. */
  money: shownBy<readonly [Decimal | null, string]>(
    ([value, currency]) => (value === null ? '–' : moneyText(value, currency)),
    'right',
  ),
  cost: shownBy<Decimal | null>(value => <Cost of={value} />, 'right'),
  day: shownBy<string | null>(value => <span className="whole">{dayText(value)}</span>),
  instant: shownBy<string | null>(value => <Instant at={value} />),
  status: shownBy<string>(value => <Status code={value} />),
  /** A variant; it leads to its stock where its ids are told. */
  what: shownBy<Parameters<typeof What>[0]>(one => <What {...one} />),
  place: shownBy<string | null>(value => <PlaceTitle id={value} />),
}

type Numbered = { readonly id: string; readonly number: string }

/** The number of a document, which leads there from the whole row. */
export const numberColumn = (kind: string, header = 'Number'): Column<Numbered> => ({
  header,
  cell: ({ id, number }) => (
    <DocumentLink kind={kind} id={id} className="row-link">
      {number}
    </DocumentLink>
  ),
})

type Priced = {
  readonly price: Decimal
  readonly discount_percent: Decimal
  readonly tax_rate: Decimal
  readonly line_amount: Decimal
  readonly currency: string
}

/** What a line of an order comes to. */
export const amountColumns: Columns<Priced> = [
  column.money('Price', ({ price, currency }) => [price, currency], 'sm'),
  column.figure('Discount', ({ discount_percent: off }) => (isZero(off) ? null : `${quantityText(off)} %`), 'md'),
  column.figure('Tax', ({ tax_rate }) => `${quantityText(tax_rate)} %`, 'md'),
  column.money('Amount', ({ line_amount, currency }) => [line_amount, currency], 'sm'),
]

/** Below zero more is promised than there is: the sign, its weight and its words say so beside the colour. */
const Availability = ({ of }: { readonly of: Decimal }) =>
  of.startsWith('-') ? (
    <Text span size="sm" fw={700} c="var(--mantine-color-error)" title="More is promised than there is">
      {quantityText(of)}
    </Text>
  ) : (
    quantityText(of)
  )

type Levels = {
  readonly quantity: Decimal
  readonly quarantine_quantity: Decimal
  readonly reserved_quantity: Decimal
  readonly expected_quantity: Decimal
  readonly available_quantity: Decimal
}

/** Of a row that may have none. */
export const levelColumns: Columns<{ readonly levels: Levels | null }> = [
  column.quantity('On hand', ({ levels }) => levels?.quantity),
  column.quantity('Quarantine', ({ levels }) => levels?.quarantine_quantity, 'lg'),
  column.quantity('Reserved', ({ levels }) => levels?.reserved_quantity, 'sm'),
  column.quantity('Expected', ({ levels }) => levels?.expected_quantity, 'sm'),
  column.figure('Available', ({ levels }) => levels && <Availability of={levels.available_quantity} />),
]
