/**
 * How much material and time a quantity of a recipe's output needs: exact, and rounded once. Pure (docs/rules/manufacturing.md, "Recipes").
 */
import {
  divideRounded,
  HUNDRED_PERCENT,
  MICRO_PLACES,
  type Micro,
  type Percent,
  powerOfTen,
} from '../../../platform/decimal.ts'

/** A material, or the hours of an operation, in a recipe: `quantity` for `output` units, and `scrap` percent more. */
export type Share = { readonly quantity: Micro; readonly scrap: Percent; readonly output: Micro }

/** `round(quantity * (100 + scrap) * units / (100 * output), 6)`. The need may be 0. */
export const needOf = ({ quantity, scrap, output }: Share, units: Micro): Micro =>
  divideRounded(quantity * (HUNDRED_PERCENT + scrap) * units, HUNDRED_PERCENT * output)

/** The need of one unit, as documents show it. */
export const perUnit = (share: Share): Micro => needOf(share, powerOfTen(MICRO_PLACES))
