/** The accounts of the books, and which of them movements of stock move (docs/rules/books.md). Pure. */

export const accounts = {
  INVENTORY: 'the value of the stock',
  GOODS_RECEIVED_NOT_INVOICED: 'what suppliers brought, until their invoice is booked',
  WORK_IN_PROGRESS: 'the cost of manufacturing orders that is not posted yet',
  PRODUCTION_COSTS_ABSORBED: 'operations of manufacturing orders',
  COST_OF_GOODS_SOLD: 'what left to customers, less what came back',
  STOCK_ADJUSTMENT: 'corrections, counts and write-downs',
  LANDED_COST_CLEARING: 'freight, duty and the like, until their invoice is booked',
  LANDED_COST_EXPENSED: 'the part of landed costs whose goods are gone',
  PRODUCTION_EXPENSED: 'the cost of manufacturing orders that no stock took',
  VALUATION_DIFFERENCE: 'what reversals moved otherwise than their documents',
} as const
export type Account = keyof typeof accounts

/** The order in which balances show the accounts. */
export const accountNames = Object.keys(accounts) as readonly Account[]

/** The bit of an account in `entry_accounts`. */
export const bitOf = (account: Account): number => 1 << accountNames.indexOf(account)

/** The other side of a movement's value, by the type of its source. A transfer has none: it moves value from INVENTORY to INVENTORY. */
export const otherSides: Readonly<Partial<Record<string, Account>>> = {
  PURCHASE_RECEIPT: 'GOODS_RECEIVED_NOT_INVOICED',
  STOCK_ADJUSTMENT: 'STOCK_ADJUSTMENT',
  MANUFACTURING_ORDER: 'WORK_IN_PROGRESS',
  SALES_SHIPMENT: 'COST_OF_GOODS_SOLD',
  SALES_RETURN: 'COST_OF_GOODS_SOLD',
  LANDED_COST: 'LANDED_COST_CLEARING',
}

const sources = [...Object.keys(otherSides), 'STOCK_TRANSFER', 'PRODUCT']

/** The source types whose entries may have this account. Empty: few entries of any source type have the account. */
export const sourcesOf = (account: Account): readonly string[] =>
  account === 'INVENTORY' ? sources : sources.filter(source => otherSides[source] === account)
