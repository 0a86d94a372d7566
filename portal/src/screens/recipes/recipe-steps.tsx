/** The steps of recipes: create and change, with the costs of the typed lines. */
import { Checkbox } from '@mantine/core'
import { PlusIcon } from '@radix-ui/react-icons'
import { useNavigate } from '@tanstack/react-router'
import { Step } from '../../patterns/action-form.tsx'
import { changedFields } from '../../patterns/changes.tsx'
import { field } from '../../patterns/fields.tsx'
import { type Choice, decimalRules, VariantPicker } from '../../patterns/inputs.tsx'
import { changesOf, RecordFields, rulesOf, sentOf, valuesOf } from '../../patterns/record-fields.tsx'
import { useStepsOf } from '../../patterns/record-steps.tsx'
import type { Recipe } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { lineRules, linesOf, newLines, sentMaterials, sentOperations } from './lines.ts'
import { recipes, recipeTitle } from './nouns.ts'
import { RecipeLines } from './recipe-lines.tsx'

const output = { output_quantity: field.figure('How many it makes', { rule: decimalRules.positive, begins: '1' }) }
const fields = { external_ref: field.text('Reference'), metadata: field.metadata() }

/** A refusal has the field of the variant's id. */
const fieldOf = (refused: string) => refused.replace(/\.item_variant_id$/, '.variant')

/** @param makes the variant that is chosen first. */
export function NewRecipe({ makes = null }: { readonly makes?: Choice | null }) {
  const api = useApi()
  const navigate = useNavigate()
  return (
    <Step
      label="New recipe"
      submitLabel="Create"
      size="xl"
      button={{ variant: 'filled', leftSection: <PlusIcon aria-hidden />, ...(makes ? { size: 'compact-sm' } : {}) }}
      scope="write:manufacturing.recipe.create"
      explains="What so many take. Orders take the newest recipe of their variant, else that of its product."
      initial={() => ({ makes, isForAll: false, ...newLines(), ...valuesOf(output), ...valuesOf(fields) })}
      validate={{ makes: value => (value === null ? 'choose what is made' : null), ...rulesOf(output), ...lineRules }}
      fieldOf={refused => (/^item(_variant)?_id$/.test(refused) ? 'makes' : fieldOf(refused))}
      fields={form => (
        <>
          <VariantPicker label="Makes" required of="is_producible" {...form.getInputProps('makes')} />
          <Checkbox
            label="It is for every variant of the product that has no recipe of its own"
            {...form.getInputProps('isForAll', { type: 'checkbox' })}
          />
          <RecordFields form={form} fields={output} />
          <RecipeLines form={form} />
          <RecordFields form={form} fields={fields} />
        </>
      )}
      send={async ({ makes: variant, isForAll, ...values }, sending) => {
        const item_variant_id = variant?.id ?? ''
        const product = isForAll && (await api.products.list({ item_variant_id, limit: 1 })).data[0]
        const recipe = {
          ...(product ? { item_id: product.id } : { item_variant_id }),
          ...{ ...sentOf(output, values), ...sentOf(fields, values) },
          materials: sentMaterials(values.materials),
          operations: sentOperations(values.operations),
        }
        return api.recipes.create(recipe, sending)
      }}
      done={made => `The recipe of ${recipeTitle(made)} is made`}
      onDone={({ id }) => navigate({ to: `/recipes/${id}` as string })}
    />
  )
}

export function EditRecipe({ recipe }: { readonly recipe: Recipe }) {
  const api = useApi()
  const title = recipeTitle(recipe)
  const step = useStepsOf(recipes, recipe, 'write:manufacturing.recipe.update')
  return (
    <Step
      {...step('Edit', 'saved')}
      title={`Edit the recipe of ${title}`}
      submitLabel="Save"
      size="xl"
      explains="Orders that were made from it stay as they are."
      initial={() => ({ ...linesOf(recipe), ...valuesOf(output, recipe), ...valuesOf(fields, recipe) })}
      validate={{ ...rulesOf(output), ...lineRules }}
      fieldOf={fieldOf}
      fields={form => (
        <>
          <RecordFields form={form} fields={output} />
          <RecipeLines form={form} />
          <RecordFields form={form} fields={fields} />
        </>
      )}
      send={(now, sending, before) => {
        const changes = { ...changesOf(output, before, now), ...changesOf(fields, before, now) }
        const lines = changedFields(before, now, { materials: sentMaterials, operations: sentOperations })
        return api.recipes.update(recipe.id, { ...changes, ...lines }, sending)
      }}
      done={() => `The recipe of ${title} is saved`}
    />
  )
}
