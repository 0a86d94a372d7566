/** The commands that make and change recipes (docs/rules/manufacturing.md). */
import { isRefusal } from '../../../kit/api/errors.ts'
import { changes } from '../../../kit/documents/acts.ts'
import { given, made, updated } from '../../../kit/documents/command.ts'
import { creates } from '../../../kit/documents/creates.ts'
import { theRecord, theRecords } from '../../../kit/documents/needs.ts'
import { Item } from '../../catalogue/variant.ts'
import { Operation } from '../operations/noun.ts'
import { products } from '../products.ts'
import { contents } from './contents.ts'
import { holdNewest } from './newest.ts'
import { Recipe, type RecipeChange } from './noun.ts'
import { decideLines, decideSubject, refuseRecipeBody } from './rules.ts'

type Lines = Pick<RecipeChange, 'materials' | 'operations'>
const variantsOf = ({ materials = [] }: Lines): string[] => materials.map(line => line.item_variant_id)
const operationsOf = ({ operations = [] }: Lines): string[] => operations.map(line => line.operation_id)
const linesIn = ({ materials = [], operations = [] }: Lines): number => materials.length + operations.length

/** Refuses `validation_failed` as `refuseRecipeBody`, `decideSubject` and `decideLines` do. */
export const createRecipe = creates(Recipe, {
  description:
    'For one variant (`item_variant_id`) or for every variant of an item that has none of its own (`item_id`); exactly one of ' +
    'the two. Quantities and durations (hours) are for `output_quantity` of the output. From now on it is the newest, which orders take. ' +
    "An operation's line without `cost_per_hour` or `position` takes the operation's, as of now. `operation_type` null serves " +
    'both types of order, else only its own. Services cannot be made or used. A variant that would contain itself at any ' +
    'depth, over the newest recipe of every variant, is 400.',
  example: {
    item_variant_id: '1042',
    output_quantity: 10,
    materials: [{ item_variant_id: '1043', quantity: 2.5, scrap_percent: 2, notes: 'Roasted this week' }],
    operations: [
      { operation_id: '1051', position: 10, duration: 0.1 },
      { operation_id: '1051', position: 20, duration: 0.2, cost_per_hour: 42 },
    ],
  },
  form: refuseRecipeBody,
  ids: body => 1 + linesIn(body),
  needs: body => ({
    item: theRecord(Item, body.item_id),
    products: products([...variantsOf(body), ...(body.item_variant_id === null ? [] : [body.item_variant_id])]),
    operations: theRecords(Operation, operationsOf(body)),
    contents: contents({
      materials: variantsOf(body),
      subject: refuseRecipeBody(body) ? null : { item_id: body.item_id ?? '', item_variant_id: body.item_variant_id },
    }),
  }),
  decide: (body, facts, { now, work }) => {
    const item = decideSubject(body, facts)
    if (isRefusal(item)) return item
    const id = work.newId()
    const subject = { item_id: item.id, item_variant_id: body.item_variant_id }
    const takeId = () => work.newId()
    const lines = decideLines({ ...facts, takeId }, { id: null, ...subject, materials: [], operations: [] }, body)
    if (isRefusal(lines)) return lines
    const { output_quantity, external_ref, metadata } = body
    const stamps = { created_at: now, updated_at: now }
    const recipe = work.make(Recipe, { id, ...subject, output_quantity, external_ref, metadata, ...stamps, ...lines })
    holdNewest(work, recipe)
    return made(work, Recipe, recipe)
  },
})

/** Refuses as `decideLines` does. A body that changes nothing writes nothing and has no event. */
export const changeRecipe = changes(Recipe, {
  description:
    '`materials` and `operations` are replaced as a whole where they are given, and their lines get new ids. Orders that were ' +
    'made from the recipe stay as they are.',
  example: { operations: [{ operation_id: '1051', operation_type: 'MAKE_TO_ORDER', duration: 0.03 }] },
  ids: linesIn,
  needs: body => ({ products: products(variantsOf(body)), operations: theRecords(Operation, operationsOf(body)) }),
  more: ({ record, body }) => ({ contents: contents({ materials: variantsOf(body), subject: record }) }),
  decide: ({ record: before, body }, facts, { work }) => {
    const lines = decideLines({ ...facts, takeId: () => work.newId() }, before, body)
    if (isRefusal(lines)) return lines
    return updated(work, Recipe, { before, next: { ...before, ...given(body), ...lines } })
  },
})
