/** The document of stock entries. */
import { shape } from '../../api/fields.ts'
import { day, decimal, explained, idText, instant, named, orNull, plainText } from '../../api/reply-fields.ts'

export const StockEntry = named(
  'StockEntry',
  shape({
    id: idText(),
    item_id: idText(),
    item_variant_id: idText(),
    sku: orNull(plainText()),
    title: plainText(),
    storage_place_id: orNull(idText()),
    batch_id: orNull(idText()),
    batch_number: orNull(plainText()),
    manufacture_date: orNull(day()),
    expiry_date: orNull(day()),
    unit_name: plainText(),
    quantity: explained(decimal(), 'physical stock, quarantined or not'),
    quarantine_quantity: explained(decimal(), 'of the quantity'),
    reserved_quantity: explained(decimal(), 'on the row without a batch, for all batches'),
    expected_quantity: explained(decimal(), 'on the row without a batch, for all batches'),
    available_quantity: explained(decimal(), 'quantity - quarantine - reserved of this row; may be negative'),
    average_cost: orNull(
      explained(decimal(4), 'of the variant at the place, over all its batches; null without stock'),
    ),
    stock_value: explained(decimal(4), "this row's share of the stock value of the variant at the place"),
    updated_at: explained(instant(), "when this row's quantities, average cost or share of the value last changed"),
  }),
)
