/** The steps of recipes: one is made and changed, and costed while it is typed. */
import { Checkbox } from '@mantine/core'
import { PlusIcon } from '@radix-ui/react-icons'
import { useNavigate } from '@tanstack/react-router'
import { Step } from '../../patterns/action-form.tsx'
import { field } from '../../patterns/fields.tsx'
import { type Choice, decimalRules, VariantPicker } from '../../patterns/inputs.tsx'
import { changesOf, RecordFields, rulesOf, sentOf, valuesOf } from '../../patterns/record-fields.tsx'
import type { Recipe } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { lineRules, linesOf, newLines, sentMaterials, sentOperations } from './lines.ts'
import { RecipeLines } from './recipe-lines.tsx'
import { recipeTitle } from './title.ts'

const output = { output_quantity: field.figure('How many it makes', { rule: decimalRules.positive, begins: '1' }) }
const fields = { external_ref: field.text('Reference'), metadata: field.metadata() }

/** A refusal names a variant by its id. */
const fieldOf = (refused: string) => refused.replace(/\.item_variant_id$/, '.variant')

/** @param makes the variant that is chosen first. */
export function NewRecipe({ makes = null }: { readonly makes?: Choice | null }) {
  const { recipes, products } = useApi()
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
      validate={{
        makes: value => (value === null ? 'choose what is made' : null),
        ...rulesOf(output),
        ...lineRules,
      }}
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
        const product = isForAll && (await products.list({ item_variant_id, limit: 1 })).data[0]
        return recipes.create(
          {
            ...(product ? { item_id: product.id } : { item_variant_id }),
            ...sentOf(output, values),
            ...sentOf(fields, values),
            materials: sentMaterials(values.materials),
            operations: sentOperations(values.operations),
          },
          sending,
        )
      }}
      done={made => `The recipe of ${recipeTitle(made)} is made`}
      onDone={({ id }) => navigate({ to: `/recipes/${id}` as string })}
    />
  )
}

export function EditRecipe({ recipe }: { readonly recipe: Recipe }) {
  const { recipes } = useApi()
  const { id } = recipe
  const title = recipeTitle(recipe)
  return (
    <Step
      record={recipe}
      reread={() => recipes.get(id)}
      label="Edit"
      title={`Edit the recipe of ${title}`}
      submitLabel="Save"
      size="xl"
      scope="write:manufacturing.recipe.update"
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
      send={(now, sending, before) =>
        recipes.update(
          id,
          {
            ...changesOf(output, before, now),
            ...changesOf(fields, before, now),
            ...(isSame(now.materials, before.materials) ? {} : { materials: sentMaterials(now.materials) }),
            ...(isSame(now.operations, before.operations) ? {} : { operations: sentOperations(now.operations) }),
          },
          sending,
        )
      }
      done={() => `The recipe of ${title} is saved`}
    />
  )
}

const isSame = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other)
