/** The form for a new product with its variants. */
import { Button, Fieldset, Group } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { PlusIcon } from '@radix-ui/react-icons'
import { useNavigate } from '@tanstack/react-router'
import { Step } from '../../patterns/action-form.tsx'
import { AddLine } from '../../patterns/add-line.tsx'
import { RecordFields, rulesOf, sentOf, valuesOf } from '../../patterns/record-fields.tsx'
import type { Product } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { fieldsFor, newProductFields, productScopes, variantFields } from './fields.ts'

/** The most variants in one request. */
const VARIANTS_MAX = 100

const newVariant = () => ({ key: String(Math.random()), ...valuesOf(variantFields) })

/** @param stays the new product's page is not opened. */
export function NewProduct({ stays = false }: { readonly stays?: boolean }) {
  const { products } = useApi()
  const navigate = useNavigate()
  return (
    <Step
      label="New product"
      submitLabel="Create"
      size="xl"
      button={{ variant: 'filled', leftSection: <PlusIcon aria-hidden /> }}
      scope={productScopes.create}
      explains="What is bought, made or sold. Stock, orders and recipes name its variants; it has at least one."
      initial={() => ({ ...valuesOf(newProductFields), variants: [newVariant()] })}
      validate={{ ...rulesOf(newProductFields), variants: { ...rulesOf(variantFields), components: ruleOfKits } }}
      fields={form => (
        <>
          <Kind form={form} />
          <RecordFields form={form} fields={fieldsFor(form.values.type, newProductFields)} />
          {form.values.variants.map(({ key }, index) => (
            <Fieldset key={key} legend={`Variant ${index + 1}`}>
              <RecordFields form={form} fields={fieldsFor(form.values.type, variantFields)} at={`variants.${index}.`} />
              {form.values.variants.length > 1 && (
                <Button
                  variant="subtle"
                  size="xs"
                  onClick={() => form.removeListItem('variants', index)}
                >{`Remove variant ${index + 1}`}</Button>
              )}
            </Fieldset>
          ))}
          <Group>
            <AddLine
              disabled={form.values.variants.length >= VARIANTS_MAX}
              onAdd={() => form.insertListItem('variants', newVariant())}
            >
              Add a variant
            </AddLine>
          </Group>
        </>
      )}
      send={({ variants, ...values }, sending) =>
        products.create(
          {
            ...sentOf(fieldsFor(values.type, newProductFields), values),
            variants: variants.map(variant => sentOf(fieldsFor(values.type, variantFields), variant)),
          },
          sending,
        )
      }
      done={({ title }) => `${title} is made`}
      onDone={({ id }) => !stays && navigate({ to: `/stock/${id}` as string })}
    />
  )
}

/** Only kits have components. */
const ruleOfKits = (components: Components, { type }: Made) =>
  type === 'KIT' ? (variantFields.components.rule?.(components) ?? null) : null

type Components = ReturnType<typeof variantFields.components.begin>
type Made = { type: Product['type']; is_producible: boolean }

/** The default for products is that they are made, for other types that they are not. */
function Kind<Values extends Made>({ form: given }: { readonly form: UseFormReturnType<Values> }) {
  // The library's types cannot follow paths of generic values.
  const form = given as unknown as UseFormReturnType<Made>
  form.watch('type', ({ value }) => form.setFieldValue('is_producible', value === 'PRODUCT'))
  return null
}
