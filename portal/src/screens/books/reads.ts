/** The data of the books' screens: balances of a month and of the last year, and the figures that accounts must equal. */
import { queryOptions } from '@tanstack/react-query'
import { type Decimal, type ExactApi, minus, sum } from '../../exact.ts'
import type { AccountBalances, JournalEntry } from '../../records.ts'
import type { Reader } from '../../session.tsx'
import { daysOf, monthLater, thisMonth } from './months.ts'

type Options = { readonly signal: AbortSignal }
type Days = ReturnType<typeof daysOf>
type Row = AccountBalances['rows'][number]

export const balancesQuery = (api: ExactApi, days: Days) =>
  queryOptions({
    queryKey: ['account-balances', days.from] as readonly unknown[],
    queryFn: ({ signal }) => api.accountBalances.get(days, { signal }),
  })

/** Whether anything was booked up to then. The row VALUATION_DIFFERENCE is always there. */
export const hasEntries = ({ rows }: AccountBalances): boolean =>
  rows.some(({ account }) => account !== 'VALUATION_DIFFERENCE')

/** 0 for an account without a row. */
function ofAccount({ rows }: AccountBalances, name: Row['account'], value: (row: Row) => Decimal): Decimal {
  const row = rows.find(({ account }) => account === name)
  return row === undefined ? '0' : value(row)
}

const closing = (row: Row): Decimal => row.closing

const YEAR_MONTHS = 12

/** For each of the last twelve months the cost of goods sold, and the values of stock and work in progress at its end. */
export const yearQuery = (api: ExactApi) =>
  queryOptions({
    queryKey: ['books-of-year', thisMonth()] as readonly unknown[],
    // These are twelve requests, so they are not repeated for every movement.
    staleTime: 300_000,
    queryFn: async ({ signal }) => {
      const months = Array.from({ length: YEAR_MONTHS }, (_, index) => monthLater(thisMonth(), index + 1 - YEAR_MONTHS))
      const found = await Promise.all(
        months.map(async month => ({ month, balances: await api.accountBalances.get(daysOf(month), { signal }) })),
      )
      if (!found.some(({ balances }) => hasEntries(balances))) return []
      return found.map(({ month, balances }) => ({
        at: month,
        values: [
          ofAccount(balances, 'COST_OF_GOODS_SOLD', ({ debit, credit }) => minus(debit, credit)),
          ofAccount(balances, 'INVENTORY', closing),
          ofAccount(balances, 'WORK_IN_PROGRESS', closing),
        ],
      }))
    },
  })

/** A balance, and the figure that it must equal; null: the figure was not added up. */
export type Tie = {
  readonly what: 'stock' | 'orders' | 'accounts'
  readonly books: Decimal
  readonly there: Decimal | null
}

const [PAGE_ROWS, ATTEMPTS] = [200, 3]
/** More open orders than this are not added up. */
export const ORDERS_MAX = 1_000

/**
 * The balances and figures as of the last entry, as far as the key may see them. None without entries, and none while entries come in too
 * fast.
 */
export const tiesQuery = ({ api, can }: Reader) =>
  queryOptions({
    queryKey: ['books-tie'] as readonly unknown[],
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      let last = await lastEntry(api, { signal })
      for (let attempt = 1; last !== null && attempt <= ATTEMPTS; attempt++) {
        const ties = await tiesAsOf({ api, can }, last.created_at, { signal })
        const after = await lastEntry(api, { signal })
        // Orders show their cost as of now, so nothing may be booked in between.
        if (after?.id === last.id) return { last, ties }
        last = after
      }
      return { last, ties: [] }
    },
  })

async function lastEntry(api: ExactApi, options: Options): Promise<JournalEntry | null> {
  const { data } = await api.journalEntries.list({ order: 'desc', limit: 1 }, options)
  return data[0] ?? null
}

async function tiesAsOf({ api, can }: Reader, moment: string, options: Options): Promise<readonly Tie[]> {
  const [balances, stock, orders] = await Promise.all([
    api.accountBalances.get({ posted_through: moment }, options),
    can('read:stock') ? api.stockValuation.totals({ as_of: moment }, options) : undefined,
    can('read:manufacturing') ? costOfOrders(api, options) : undefined,
  ])
  const ties = [
    { what: 'stock', books: ofAccount(balances, 'INVENTORY', closing), there: stock?.stock_value },
    { what: 'orders', books: ofAccount(balances, 'WORK_IN_PROGRESS', closing), there: orders },
    { what: 'accounts', books: sum(balances.rows.map(closing)), there: '0' },
  ] as const
  return ties.flatMap(({ there, ...tie }) => (there === undefined ? [] : [{ ...tie, there }]))
}

/** The cost of open manufacturing orders that is not in the stock yet; null if there are too many orders. */
async function costOfOrders(api: ExactApi, options: Options): Promise<Decimal | null> {
  const open = { status: ['IN_PROGRESS', 'PARTIALLY_DONE', 'BLOCKED'], limit: PAGE_ROWS } as const
  const costs: Decimal[] = []
  for await (const { data } of api.manufacturingOrders.list(open, options).pages()) {
    costs.push(...data.map(({ actual_cost }) => actual_cost.wip_cost))
    if (costs.length > ORDERS_MAX) return null
  }
  return sum(costs)
}
