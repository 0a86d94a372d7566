/** The exchange rate of a sales order. It is stored for accounting; no amount depends on it. Pure. */
import { invalid, type Refusal } from '../../../kit/api/errors.ts'
import { type ExchangeRate, parseExchangeRate } from '../../../platform/decimal.ts'

const ONE = parseExchangeRate('1')

/**
 * The rate of an order in this currency; 1 for the tenant's own. Refuses `validation_failed` for any other rate of the tenant's own
 * currency.
 */
export function decideRate(
  { currency }: { readonly currency: string },
  given: ExchangeRate | null,
  tenantCurrency: string,
): ExchangeRate | null | Refusal {
  if (currency !== tenantCurrency) return given
  if (given !== null && given !== ONE)
    return invalid('exchange_rate', `must be 1 in the tenant's own currency, ${tenantCurrency}`)
  return ONE
}
