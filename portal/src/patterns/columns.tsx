/** Columns of tables by the kind of their values. Each takes its value from the row; a missing one is a dash. */

import { Text } from '@mantine/core'
import { isValidElement, type ReactNode } from 'react'
import { dayOf } from '../days.ts'
import { type Decimal, isZero } from '../exact.ts'
import type { Filters } from '../filters.ts'
import { dayText, Instant, moneyText, quantityText, Status, totalText } from '../format.tsx'
import { idOf, type Noun, nameOf } from '../noun.ts'
import { useSession } from '../session.tsx'
import type { Column, Columns, Says } from './data-table.tsx'
import { BatchLink, DocumentLink, What } from './links.tsx'
import { PlaceTitle } from './places.tsx'
import { linesText } from './titles.ts'
import { type Goods, type Line, Lines, Quantity } from './units.tsx'

export type { Columns } from './data-table.tsx'

/** A unit cost in the tenant's currency, with every digit. */
export function Cost({ of }: { readonly of: Decimal | null }) {
  const { me } = useSession()
  return of === null ? '–' : moneyText(of, me.currency)
}

/** A sum or value in the decimals of its currency. A tooltip has all digits. */
export function Amount({ of, currency }: { readonly of: Decimal | null; readonly currency?: string }) {
  const { me } = useSession()
  if (of === null) return '–'
  const [shown, whole] = [totalText(of, currency ?? me.currency), moneyText(of, currency ?? me.currency)]
  return <span title={shown === whole ? undefined : whole}>{shown}</span>
}

type Saying<Value> = {
  readonly align?: 'right'
  readonly isNumber?: boolean
  readonly says: (value: Value, placeTitle: (id: string | null) => string) => string | null
  /** A further column in files. */
  readonly beside?: { readonly header: (of: string) => string; readonly says: (value: Value) => string | null }
}

/** The narrowest screen with this column, or `says`: the text of a cell for files and sorting, if it differs from the value. */
type Look<Row> =
  | Column<Row>['visibleFrom']
  | { readonly visibleFrom?: Column<Row>['visibleFrom']; readonly says: Says<Row> }

const shownBy =
  <Value,>(show: (value: Value) => ReactNode, { align, isNumber = false, says, beside }: Saying<Value>) =>
  <Row,>(header: string, of: (row: Row) => Value, look?: Look<Row>): Column<Row> => {
    const { visibleFrom, says: saysElse } = typeof look === 'object' ? look : { visibleFrom: look, says: undefined }
    return {
      header,
      cell: row => show(of(row)),
      align,
      visibleFrom,
      isNumber,
      says: saysElse ?? ((row, placeTitle) => says(of(row), placeTitle)),
      beside: beside && { header: beside.header(header), says: row => beside.says(of(row)) },
    }
  }

/** The text of drawn content. */
function textOf(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node)
  if (Array.isArray(node)) return node.map(textOf).filter(Boolean).join(' ')
  return isValidElement<{ children?: ReactNode }>(node) ? textOf(node.props.children) : ''
}

const saysWords = { says: (node: ReactNode) => textOf(node).trim() || null }
const saysItself = { says: (value: string | null | undefined) => value ?? null }
const saysNumber = { ...saysItself, align: 'right', isNumber: true } as const

type LinesLook<Row> = {
  readonly visibleFrom?: Column<Row>['visibleFrom']
  readonly below?: (row: Row) => ReactNode
}

export const column = {
  shown: shownBy<ReactNode>(value => value ?? '–', saysWords),
  figure: shownBy<ReactNode>(value => value ?? '–', { ...saysWords, align: 'right' }),
  /** A quantity of goods, with their unit. */
  quantity: <Row extends Goods>(
    header: string,
    of: (row: Row) => Decimal | null | undefined,
    visibleFrom?: Column<Row>['visibleFrom'],
  ): Column<Row> => ({
    ...{ header, align: 'right', visibleFrom, isNumber: true },
    cell: row => {
      const quantity = of(row)
      return quantity == null ? '–' : <Quantity of={quantity} goods={row} />
    },
    says: row => of(row) ?? null,
    goods: row => row,
  }),
  number: shownBy<Decimal | null | undefined>(value => (value == null ? '–' : quantityText(value)), saysNumber),
  lines: <Row,>(
    header: string,
    of: (row: Row) => readonly Line[],
    { visibleFrom, below }: LinesLook<Row> = {},
  ): Column<Row> => ({
    ...{ header, visibleFrom },
    cell: row => (
      <>
        <Lines of={of(row)} />
        {below?.(row)}
      </>
    ),
    says: row => linesText(of(row)),
  }),
  money: shownBy<readonly [Decimal | null, string]>(
    ([value, currency]) => (value === null ? '–' : moneyText(value, currency)),
    {
      ...saysNumber,
      says: ([value]) => value,
      beside: { header: of => `${of}, currency`, says: ([, currency]) => currency },
    },
  ),
  sku: shownBy<string | null>(
    value => <span className={(value?.length ?? 0) > WHOLE_MAX ? 'address' : 'whole'}>{value ?? '–'}</span>,
    saysItself,
  ),
  cost: shownBy<Decimal | null>(value => <Cost of={value} />, saysNumber),
  amount: shownBy<Decimal | null>(value => <Amount of={value} />, saysNumber),
  day: shownBy<string | null>(value => <span className="whole">{dayText(value)}</span>, {
    says: value => value && dayOf(value),
  }),
  instant: shownBy<string | null>(value => <Instant at={value} />, saysItself),
  status: shownBy<string>(value => <Status code={value} />, saysItself),
  /** A variant. It links to its stock if its ids are known. */
  what: shownBy<Parameters<typeof What>[0]>(one => <What {...one} />, {
    says: ({ title }) => title,
    beside: { header: () => 'SKU', says: ({ sku }) => sku },
  }),
  /** A batch, with a link to its trace. */
  batch: shownBy<{ readonly batch_id: string | null; readonly batch_number: string | null }>(
    ({ batch_id, batch_number }) => <BatchLink id={batch_id} number={batch_number} />,
    { says: ({ batch_number }) => batch_number },
  ),
  place: shownBy<string | null>(value => <PlaceTitle id={value} />, { says: (id, placeTitle) => placeTitle(id) }),
}

/** Longer names may be broken. */
const WHOLE_MAX = 20

/** The number of a document. Its link covers the whole row. */
export const numberColumn = <One extends object, Has extends Filters>(
  noun: Noun<One, Has>,
  header = 'Number',
): Column<One> => ({
  header,
  cell: one => (
    <DocumentLink
      kind={noun.kind}
      id={idOf(noun, one)}
      className={nameOf(noun, one).length > WHOLE_MAX ? 'row-link wraps' : 'row-link'}
    >
      {nameOf(noun, one)}
    </DocumentLink>
  ),
  says: one => nameOf(noun, one),
})

type Priced = {
  readonly price: Decimal
  readonly discount_percent: Decimal
  readonly tax_rate: Decimal
  readonly line_amount: Decimal
  readonly currency: string
}

export const amountColumns: Columns<Priced> = [
  column.money('Price', ({ price, currency }) => [price, currency], 'sm'),
  column.figure('Discount', ({ discount_percent: off }) => (isZero(off) ? null : `${quantityText(off)} %`), 'md'),
  column.figure('Tax', ({ tax_rate }) => `${quantityText(tax_rate)} %`, 'md'),
  column.money('Amount', ({ line_amount, currency }) => [line_amount, currency], 'sm'),
]

/** Below 0 more is promised than is in stock. The sign, the weight and the words say so besides the colour. */
const Availability = ({ of, goods }: { readonly of: Decimal; readonly goods: Goods }) =>
  of.startsWith('-') ? (
    <Text span size="sm" fw={700} c="var(--mantine-color-error)" title="More is promised than there is">
      <Quantity of={of} goods={goods} />
    </Text>
  ) : (
    <Quantity of={of} goods={goods} />
  )

type Level = 'quantity' | `${'quarantine' | 'expired' | 'reserved' | 'expected' | 'available'}_quantity`

/** Of a kit all but what is available is null. */
type Levels = Readonly<Record<Level, Decimal | null>>

/** For rows that may have no levels. */
export const levelColumns: Columns<Goods & { readonly levels: Levels | null }> = [
  column.quantity('On hand', ({ levels }) => levels?.quantity),
  column.quantity('Quarantine', ({ levels }) => levels?.quarantine_quantity, 'lg'),
  column.quantity('Expired', ({ levels }) => levels?.expired_quantity, 'lg'),
  column.quantity('Reserved', ({ levels }) => levels?.reserved_quantity, 'sm'),
  column.quantity('Expected', ({ levels }) => levels?.expected_quantity, 'sm'),
  column.figure('Available', row => {
    const of = row.levels?.available_quantity ?? null
    return of && <Availability of={of} goods={row} />
  }),
]
