/** What so many of a recipe's output need: exact, and rounded once. Pure (docs/rules/manufacturing.md, "Recipes"). */
import {
  divideRounded,
  HUNDRED_PERCENT,
  MICRO_PLACES,
  type Micro,
  type Percent,
  powerOfTen,
} from '../../../platform/decimal.ts'

/** A material, or the hours of an operation, as a recipe has it: so much for `output` units, and `scrap` percent more. */
export type Share = { readonly quantity: Micro; readonly scrap: Percent; readonly output: Micro }

/** `round(quantity * (100 + scrap) * units / (100 * output), 6)`. It may be 0. */
export const needOf = ({ quantity, scrap, output }: Share, units: Micro): Micro =>
  divideRounded(quantity * (HUNDRED_PERCENT + scrap) * units, HUNDRED_PERCENT * output)

/** The need of one unit, to be shown. */
export const perUnit = (share: Share): Micro => needOf(share, powerOfTen(MICRO_PLACES))
