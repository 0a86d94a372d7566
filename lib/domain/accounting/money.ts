/** How amounts of documents are kept: in ten-thousandths of a currency unit. amounts-rules.ts calculates the amounts of lines. */
import {
  COST_PLACES,
  MICRO_PLACES,
  type Micro,
  PERCENT_PLACES,
  type Percent,
  parseScaled,
  powerOfTen,
} from '../../platform/decimal.ts'

/** Ten-thousandths of a unit of the document's currency. Every minor unit is a whole number of them. */
export type Amount = bigint

export const AMOUNT_PLACES = COST_PLACES

export const parsePercent = (text: string): Percent => parseScaled(text, PERCENT_PLACES)

const AMOUNT = powerOfTen(MICRO_PLACES - AMOUNT_PLACES)
/** Converts between amounts (4 decimals) and prices (6 decimals). */
export const asPrice = (amount: Amount): Micro => amount * AMOUNT
export const asAmount = (price: Micro): Amount => price / AMOUNT
