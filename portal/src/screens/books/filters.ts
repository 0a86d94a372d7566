/** The filters of the entries of the books. */
import { filter } from '../../filters.ts'

export const entryFilters = {
  day_from: filter.day('From day'),
  day_to: filter.day('To day'),
  account: filter.code('Account', [
    'INVENTORY',
    'GOODS_RECEIVED_NOT_INVOICED',
    'WORK_IN_PROGRESS',
    'PRODUCTION_COSTS_ABSORBED',
    'COST_OF_GOODS_SOLD',
    'STOCK_ADJUSTMENT',
    'LANDED_COST_CLEARING',
    'LANDED_COST_EXPENSED',
    'PRODUCTION_EXPENSED',
    'VALUATION_DIFFERENCE',
  ]),
}
