/** Owns how amounts of documents are kept: in ten-thousandths of a currency unit. What lines come to: amounts-rules.ts. */
import {
  COST_PLACES,
  MICRO_PLACES,
  type Micro,
  PERCENT_PLACES,
  type Percent,
  parseScaled,
  powerOfTen,
} from '../../platform/decimal.ts'

/** Ten-thousandths of a document's currency: every minor unit is a whole number of them. */
export type Amount = bigint

export const AMOUNT_PLACES = COST_PLACES

export const parsePercent = (text: string): Percent => parseScaled(text, PERCENT_PLACES)

const AMOUNT = powerOfTen(MICRO_PLACES - AMOUNT_PLACES)
/** An amount as a price, which has more decimals, and such a price as the amount. */
export const asPrice = (amount: Amount): Micro => amount * AMOUNT
export const asAmount = (price: Micro): Amount => price / AMOUNT
