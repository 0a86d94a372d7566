/** What a recipe is: the materials and operations that make a quantity of a variant (docs/rules/manufacturing.md). */

import { changes, fewIds, filtersOf, uniqueText } from '../../../kit/api/list-filters.ts'
import { fieldOf, fieldOfOptional, lineOf, lines, type RecordOf } from '../../../kit/documents/document.ts'
import { noun } from '../../../kit/documents/noun.ts'
import type { ChangeOf, CreatedLineOf, CreateOf } from '../../../kit/fields/bodies.ts'
import {
  choice,
  identifier,
  instant,
  key,
  longText,
  percent,
  price,
  quantity,
  reference,
  whole,
} from '../../../kit/fields/kinds.ts'
import { recordFields } from '../../../kit/fields/record-fields.ts'
import { variant } from '../../catalogue/by-sku.ts'
import { Item, Variant } from '../../catalogue/variant.ts'
import { Operation } from '../operations/noun.ts'

export const orderTypes = { MAKE_TO_STOCK: 'for the stock', MAKE_TO_ORDER: 'for a sales order' } as const

const SCRAP_PERCENT_MAX = 1000

const Material = lineOf({
  table: 'recipe_materials',
  parent: 'recipe_id',
  fields: {
    id: key(),
    item_id: fieldOf('item_variant_id', Variant, 'item_id'),
    item_variant_id: variant().writable(),
    sku: fieldOf('item_variant_id', Variant, 'sku'),
    title: fieldOf('item_variant_id', Variant, 'title'),
    quantity: quantity({ moreThan: '0' }).words('for `output_quantity` of the output').writable(),
    scrap_percent: percent(SCRAP_PERCENT_MAX)
      .words('what is lost on the way: so much more is planned, in percent')
      .default(0)
      .writable(),
    notes: longText().orNull().writable(),
  },
})

const RecipeOperation = lineOf({
  table: 'recipe_operations',
  parent: 'recipe_id',
  fields: {
    id: key(),
    operation_id: reference(Operation).writable(),
    operation_title: fieldOf('operation_id', Operation, 'title'),
    operation_type: choice(orderTypes).words('the type of order that it is for; null serves both').orNull().writable(),
    position: whole().decided().writable(),
    duration: quantity({ min: '0' }).words('hours for `output_quantity` of the output').writable(),
    cost_per_hour: price()
      .words('as of the writing of the recipe', "in the tenant's currency; by default the operation's")
      .decided()
      .writable(),
    notes: longText().orNull().writable(),
  },
})

/** The most materials of a recipe, and also the most operations. */
const LINES_MAX = 500

export const Recipe = noun({
  name: 'recipe',
  table: 'recipes',
  path: '/recipes',
  tag: ['Recipes', 'Bills of materials and work: what makes so many of a variant.'],
  events: { created: 'A recipe was created.', updated: 'A recipe was changed.' },
  scopes: {
    read: 'read:manufacturing',
    create: 'write:manufacturing.recipe.create',
    update: 'write:manufacturing.recipe.update',
  },
  fields: {
    id: key(),
    item_id: reference(Item),
    item_variant_id: reference(Variant)
      .words(
        'null: for every variant of the item that has no recipe of its own',
        'the variant that it makes; or a product, for every variant without a recipe of its own',
      )
      .orNull()
      .writable('create'),
    item_title: fieldOf('item_id', Item, 'title'),
    item_variant_title: fieldOfOptional('item_variant_id', Variant, 'title'),
    sku: fieldOfOptional('item_variant_id', Variant, 'sku'),
    output_quantity: quantity({ moreThan: '0' })
      .words('how many the materials and durations are for')
      .default(1)
      .writable(),
    external_ref: identifier().orNull().writable(),
    ...recordFields,
    created_at: instant(),
    updated_at: instant(),
    materials: lines(Material, 'in the order sent', 'what `output_quantity` of the output takes').writable({
      min: 0,
      max: LINES_MAX,
      by: 'whole',
    }),
    operations: lines(
      RecipeOperation,
      'in the order sent; tasks go by position',
      'the work that `output_quantity` of the output takes',
    ).writable({ min: 0, max: LINES_MAX, by: 'whole', absent: 'filled' }),
  },
  create: { item_id: reference().words('the product whose variants it makes; or a single variant').orNull() },
  unique: ['external_ref'],
  filters: filtersOf({ external_ref: uniqueText(), item_variant_id: fewIds(), item_id: fewIds(), ...changes }),
  listed:
    'Older recipes are listed too: of the recipes of a variant (or of an item) the one with the highest id counts. ' +
    "`item_id` finds the item's recipes and those of its variants, `item_variant_id` only the variant's own.",
})

export type Recipe = RecordOf<typeof Recipe>
export type Material = RecordOf<typeof Material>
export type RecipeOperation = RecordOf<typeof RecipeOperation>
export type OrderType = keyof typeof orderTypes

export type NewRecipe = CreateOf<typeof Recipe>
export type RecipeChange = ChangeOf<typeof Recipe>
export type NewMaterial = CreatedLineOf<typeof Material>
export type NewRecipeOperation = CreatedLineOf<typeof RecipeOperation>
