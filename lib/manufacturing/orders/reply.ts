/**
 * What the documents of a manufacturing order and of its tasks hold (interface "Manufacturing order", contract 2), for OpenAPI
 * and for tests of real answers. The SQL that renders them is in `document.ts`; the two must name the same fields.
 */
import * as v from 'valibot'
import { shape } from '../../api/fields.ts'
import {
  choice,
  day,
  decimal,
  explained,
  idText,
  instant,
  orNull,
  plainText,
  truth,
  wholeNumber,
} from '../../api/reply-fields.ts'
import { orderStatuses, orderTypes } from './order.ts'

const OrderItem = shape({
  id: idText(),
  item_id: idText(),
  item_variant_id: idText(),
  sku: orNull(plainText()),
  title: plainText(),
  quantity: explained(decimal(), 'total need'),
  actual_quantity: explained(decimal(), 'written off so far'),
})

const ActualCost = shape({
  currency: plainText(),
  materials_cost: explained(decimal(4), 'at the moving average of the moment of the start'),
  operations_cost: explained(decimal(4), 'by planned durations, or by actual ones as far as they are reported'),
  total_cost: explained(decimal(4), 'materials + operations = posted + work in progress'),
  posted_cost: explained(decimal(4), 'gone with the output, or expensed at the end without stock to carry it'),
  wip_cost: explained(decimal(4), 'work in progress; 0 when DONE'),
  unit_cost: orNull(explained(decimal(4), 'posted cost per released unit; null before output')),
  is_final: explained(truth(), 'true when DONE: nothing more will be posted'),
})

export const ManufacturingOrder = shape({
  id: idText(),
  number: plainText(),
  type: choice(orderTypes),
  status: choice(orderStatuses),
  block_reason: orNull(plainText()),
  priority: wholeNumber(),
  quantity: explained(decimal(), 'planned'),
  actual_quantity: explained(decimal(), 'good output: released and not quarantined'),
  released_quantity: explained(decimal(), 'all output received into stock so far'),
  created_date: instant(),
  planned_start_date: orNull(instant()),
  started_at: orNull(instant()),
  completed_at: orNull(explained(instant(), 'of the last completion; null until DONE')),
  production_date: orNull(instant()),
  shipping_date: orNull(instant()),
  output_batch_number: orNull(explained(plainText(), 'of the last output, or as planned')),
  output_manufacture_date: orNull(day()),
  output_expiry_date: orNull(day()),
  manufacturing_location_id: idText(),
  sales_order_id: orNull(idText()),
  recipe_id: orNull(idText()),
  notes: orNull(plainText()),
  external_ref: orNull(plainText()),
  created_at: instant(),
  updated_at: instant(),
  actual_cost: ActualCost,
  item_variant: shape({
    id: idText(),
    item_id: idText(),
    item_title: plainText(),
    sku: orNull(plainText()),
    title: plainText(),
  }),
  items: explained(v.array(OrderItem), 'in the order sent, or of the recipe; sku and title as of the order'),
})

export const taskStatuses = ['NOT_STARTED', 'IN_PROGRESS', 'BLOCKED', 'DONE'] as const

export const ProductionTask = shape({
  id: idText(),
  manufacturing_order_id: idText(),
  operation_id: idText(),
  operation_title: plainText(),
  position: wholeNumber(),
  status: explained(choice(taskStatuses), "follows the order's"),
  planned_duration: explained(decimal(), 'hours'),
  actual_duration: orNull(explained(decimal(), 'hours; null until reported')),
  cost_per_hour: decimal(),
  planned_cost: decimal(4),
  actual_cost: orNull(explained(decimal(4), 'of the actual duration; null until reported')),
  unit_id: orNull(idText()),
  unit_name: orNull(plainText()),
  notes: orNull(plainText()),
  started_at: orNull(instant()),
  completed_at: orNull(instant()),
})
