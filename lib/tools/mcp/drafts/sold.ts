/** What lines of a drafted sales order have beside those of a purchase order: titles, discounts in money, taxes by name, charges. */
import * as v from 'valibot'
import { SalesOrder, SalesOrderItem } from '../../../domain/sales/orders/noun.ts'
import { TAXES_MAX } from '../../../kit/fields/taxes.ts'
import { optionalInputs } from '../inputs.ts'
import { field } from '../tool.ts'

const CHARGES_MAX = 20
const PLACES = /^-?\d{1,9}(\.\d{1,6})?$/

const taxesInput = v.optional(
  v.pipe(
    v.array(v.strictObject({ title: field.words('What it is called.'), rate: field.percent('Percent.') })),
    v.minLength(1),
    v.maxLength(TAXES_MAX),
    v.description('Several taxes by name, instead of `tax_rate`; not with tax_rounding ORDER.'),
  ),
)

/** Of a line. */
export const soldFields = {
  title: v.optional(
    field.words(
      'What a line without a product is for, such as a gift wrapping. Instead of product and item_variant_id.',
    ),
  ),
  ...optionalInputs(SalesOrderItem.fields, ['discount_amount', 'external_ref']),
  taxes: taxesInput,
}

export const chargesInput = v.optional(
  v.pipe(
    v.array(
      v.strictObject({
        title: field.words('What it is for, such as shipping.'),
        amount: v.pipe(
          v.number(),
          v.check(value => PLACES.test(String(value)), 'must have at most 6 decimals'),
          v.description('With or without tax, as the prices of the order; below 0 for a voucher.'),
        ),
        tax_rate: v.optional(field.percent('Percent; 0 unless given.'), 0),
      }),
    ),
    v.maxLength(CHARGES_MAX),
    v.description('What the order costs beside its goods.'),
  ),
  [],
)
export type ChargeInput = v.InferOutput<typeof chargesInput>[number]

/** Of the order. */
export const termsFields = {
  ...optionalInputs(SalesOrder.fields, ['prices_include_tax', 'external_ref', 'exchange_rate']),
  tax_rounding: v.optional(
    v.pipe(
      v.picklist(['LINE', 'ORDER']),
      v.description('Where taxes are rounded: on each line, or once for all lines and charges of one tax_rate.'),
    ),
    'LINE',
  ),
  tax_rounding_mode: v.optional(
    v.pipe(v.picklist(['HALF_UP', 'DOWN', 'UP']), v.description('How taxes are rounded.')),
    'HALF_UP',
  ),
}
