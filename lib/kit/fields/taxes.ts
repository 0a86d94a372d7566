/** The taxes of a line or charge as a field: `[{ title, rate, amount }]` in their order, in one jsonb column with decimals as texts. */
import * as v from 'valibot'
import { COST_PLACES } from '../../platform/decimal.ts'
import * as leaf from '../api/fields.ts'
import * as reply from '../api/reply-fields.ts'
import { joined, quoteText, type Sql } from '../documents/sql.ts'
import { type Column, field } from './field.ts'

/** `rate` in percent and `amount` in currency units as plain decimal texts, as queues and the column carry them. */
export type Tax = {
  readonly title: string
  readonly rate: string
  /** Null in a body whose amount the service calculates; never null in a record. */
  readonly amount: string | null
  /** In a record: whether the caller sent the amount. */
  readonly given?: boolean
}

export const TAXES_MAX = 10

export const isGiven = ({ given, amount }: Tax): boolean => given ?? amount !== null

const isSame = (one: Tax, other: Tax): boolean =>
  one.title === other.title &&
  one.rate === other.rate &&
  isGiven(one) === isGiven(other) &&
  (!isGiven(one) || one.amount === other.amount)

const shown = v.array(
  leaf.shape({
    title: reply.explained(reply.plainText(), 'what it is called'),
    rate: reply.explained(reply.decimal(4), 'percent'),
    amount: reply.explained(reply.decimal(COST_PLACES), "in the currency's minor unit"),
  }),
)

const sent = leaf.list(
  leaf.shape({
    title: reply.explained(leaf.text(), 'what it is called'),
    rate: reply.explained(leaf.taxRate(), 'percent'),
    amount: leaf.nullable(
      reply.explained(
        leaf.signedPrice(),
        'the tax as the shop computed it, in the minor unit of the currency; given for all taxes of the entry or for none',
      ),
    ),
  }),
  { min: 1, max: TAXES_MAX },
)

const member = (name: string, value: Sql): Sql => joined([quoteText(`"${name}":`), value])

const taxColumn: Column<readonly Tax[]> = {
  is: 'column',
  type: 'jsonb',
  nullable: false,
  reply: shown,
  read: given => JSON.parse(given) as Tax[],
  write: value => value,
  json: value =>
    `[${value.map(({ title, rate, amount }) => `{"title":${JSON.stringify(title)},"rate":${rate},"amount":${amount}}`).join(',')}]`,
  same: (one, other) =>
    one.length === other.length && one.every((tax, at) => other[at] !== undefined && isSame(tax, other[at])),
  select: column => `${column}::text`,
  render: column => [
    `case when ${column} = '[]' then '[]' else (select '[' || string_agg(${joined([
      quoteText('{'),
      member('title', `(tax -> 'title')::text`),
      quoteText(','),
      member('rate', `(tax ->> 'rate')`),
      quoteText(','),
      member('amount', `(tax ->> 'amount')`),
      quoteText('}'),
    ])}, ',' order by place) || ']' from jsonb_array_elements(${column}) with ordinality taxes (tax, place)) end`,
  ],
}

/** Up to 10 taxes, each with title and rate. A body may send their amounts. */
export const taxes = () => field(taxColumn, sent)
