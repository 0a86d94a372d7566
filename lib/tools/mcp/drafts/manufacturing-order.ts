/** `draft_manufacturing_order`. */

import * as v from 'valibot'
import type { CreateManufacturingOrderBody } from '../../../../client/src/index.ts'
import { ManufacturingOrder } from '../../../domain/manufacturing/orders/noun.ts'
import { optionalInputs, requiredInput } from '../inputs.ts'
import { findPlace, findVariant, placeField, titleOf, variantFields } from '../look-up.ts'
import { draftOf, picked, propertiesOf, textOrNull } from '../outputs.ts'
import { tool } from '../tool.ts'
import { allowed, draft, quoted } from './draft.ts'

const MATERIALS_SHOWN_MAX = 20

export const manufacturingOrder = tool({
  name: 'draft_manufacturing_order',
  title: 'Draft a manufacturing order',
  about:
    'Drafts an order to make a product by its recipe, and shows whether its materials are there and what is missing.',
  scopes: ['read:catalog', 'read:stock', 'write:manufacturing.order.create'],
  input: v.strictObject({
    ...variantFields,
    ...requiredInput(ManufacturingOrder.fields, 'quantity'),
    storage_place: placeField,
    ...optionalInputs(ManufacturingOrder.fields, [
      'planned_start_date',
      'production_date',
      'output_batch_number',
      'notes',
    ]),
  }),
  output: draftOf({
    sku: textOrNull,
    title: { type: 'string' },
    storage_place: { type: 'string' },
    ...propertiesOf('Requirements', ['is_coverable', 'max_quantity']),
    materials: {
      type: 'array',
      items: picked('RequirementsRow', [
        'level',
        'sku',
        'title',
        'gross_quantity',
        'available_quantity',
        'net_quantity',
        'action',
      ]),
    },
    materials_left_out: { type: 'integer' },
  }),
  run: async ({ product, item_variant_id, quantity, storage_place, ...rest }, context) => {
    const { millrace, signal } = context
    await allowed('create_manufacturing_order', context)
    const { product: made, variant } = await findVariant({ product, item_variant_id }, context)
    const place = await findPlace(storage_place, 'manufacturing_allowed', context)
    const needs = await millrace.requirements(
      { item_variant_id: variant.id, quantity, storage_place_id: place.id },
      { signal },
    )
    const materials = needs.rows.map(
      ({ level, sku, title, gross_quantity, available_quantity, net_quantity, action }) => ({
        level,
        sku,
        title,
        gross_quantity,
        available_quantity,
        net_quantity,
        action,
      }),
    )
    const body = { item_variant_id: variant.id, quantity, manufacturing_location_id: place.id, ...rest }
    const title = titleOf(made, variant)
    const missing = needs.is_coverable ? 'all materials are there' : `materials are there for ${needs.max_quantity}`
    return draft(
      {
        action: 'create_manufacturing_order',
        summary: `Manufacturing order: ${quantity} x ${quoted(title)} (${variant.sku ?? variant.id}) at ${quoted(place.title)}; ${missing}`,
        body: body satisfies CreateManufacturingOrderBody,
        shown: {
          sku: variant.sku,
          title,
          storage_place: place.title,
          is_coverable: needs.is_coverable,
          max_quantity: needs.max_quantity,
          materials: materials.slice(0, MATERIALS_SHOWN_MAX),
          materials_left_out: Math.max(0, materials.length - MATERIALS_SHOWN_MAX),
        },
      },
      context,
    )
  },
})
