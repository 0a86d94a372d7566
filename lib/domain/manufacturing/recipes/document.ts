/** What a recipe is: the materials and operations that make one unit of a variant. */
import { document, fieldOf, fieldOfOptional, lineOf, lines, type RecordOf } from '../../../kit/documents/document.ts'
import { choice, instant, key, price, quantity, reference, text, whole } from '../../../kit/fields/kinds.ts'
import { Operation } from '../operations/noun.ts'
import { Item, Variant } from '../products.ts'

export const orderTypes = { MAKE_TO_STOCK: 'for the stock', MAKE_TO_ORDER: 'for a sales order' } as const

const Material = lineOf({
  table: 'recipe_materials',
  parent: 'recipe_id',
  fields: {
    id: key(),
    item_id: fieldOf('item_variant_id', Variant, 'item_id'),
    item_variant_id: reference(Variant),
    sku: fieldOf('item_variant_id', Variant, 'sku'),
    title: fieldOf('item_variant_id', Variant, 'title'),
    quantity: quantity().words('per unit of output'),
    notes: text().orNull(),
  },
})

const RecipeOperation = lineOf({
  table: 'recipe_operations',
  parent: 'recipe_id',
  fields: {
    id: key(),
    operation_id: reference(Operation),
    operation_title: fieldOf('operation_id', Operation, 'title'),
    operation_type: choice(orderTypes).words('the type of order that it is for; null serves both').orNull(),
    position: whole(),
    duration: quantity().words('hours per unit of output'),
    cost_per_hour: price().words('as of the writing of the recipe'),
    notes: text().orNull(),
  },
})

export const Recipe = document({
  kind: 'recipe',
  noun: 'recipe',
  table: 'recipes',
  fields: {
    id: key(),
    item_id: reference(Item),
    item_variant_id: reference(Variant)
      .words('null: for every variant of the item that has no recipe of its own')
      .orNull(),
    item_title: fieldOf('item_id', Item, 'title'),
    item_variant_title: fieldOfOptional('item_variant_id', Variant, 'title'),
    sku: fieldOfOptional('item_variant_id', Variant, 'sku'),
    external_ref: text().orNull(),
    created_at: instant(),
    updated_at: instant(),
    materials: lines(Material, 'in the order sent'),
    operations: lines(RecipeOperation, 'in the order sent; tasks go by position'),
  },
  unique: ['external_ref'],
})

export type Recipe = RecordOf<typeof Recipe>
export type Material = RecordOf<typeof Material>
export type RecipeOperation = RecordOf<typeof RecipeOperation>
export type OrderType = keyof typeof orderTypes
