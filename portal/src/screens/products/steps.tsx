/** The steps of products and their variants. Each changes the product, and depends on its ETag. */
import { type Sending, Step } from '../../patterns/action-form.tsx'
import { changesOf, RecordFields, rulesOf, sentOf, valuesOf } from '../../patterns/record-fields.tsx'
import { ArchiveStep, RecordSteps } from '../../patterns/record-steps.tsx'
import type { Product as Item } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { fieldsFor, productFields, productScopes, variantFields } from './fields.ts'
import { products } from './nouns.ts'

type Variant = Item['variants'][number]
type Of = { readonly product: Item }

const ARCHIVED = 'New orders cannot name it any more, and its SKU becomes free. Open orders go on.'

export const ProductSteps = ({ product }: Of) => (
  <RecordSteps
    of={products}
    record={product}
    fields={fieldsFor(product.type, productFields)}
    scope={productScopes.update}
    endpoint={useApi().products}
    archives={`All of its variants are archived with it. ${ARCHIVED}`}
  />
)

/** These forms send a single entry. */
const fieldOf = (refused: string) => refused.replace(/^variants\.0\./, '')

/** The props of steps that change a variant of the product. */
function useVariantStep({ product }: Of) {
  const api = useApi()
  const { id } = product
  return {
    common: { record: product, reread: () => api.products.get(id), scope: productScopes.update },
    update: (entry: NonNullable<Parameters<typeof api.products.update>[1]['variants']>[number], sending: Sending) =>
      api.products.update(id, { variants: [entry] }, sending),
  }
}

export function AddVariant({ product }: Of) {
  const { common, update } = useVariantStep({ product })
  const fields = fieldsFor(product.type, variantFields)
  return (
    <Step
      {...common}
      label="Add a variant"
      title={`Add a variant to ${product.title}`}
      submitLabel="Add"
      size="lg"
      button={{ size: 'compact-sm' }}
      initial={() => valuesOf(fields)}
      validate={rulesOf(fields)}
      fieldOf={fieldOf}
      fields={form => <RecordFields form={form} fields={fields} />}
      send={(values, sending) => update(sentOf(fields, values), sending)}
      done={() => 'The variant is added'}
    />
  )
}

export function VariantSteps({ product, variant }: Of & { readonly variant: Variant }) {
  const { common, update } = useVariantStep({ product })
  const { id, title, archived } = variant
  const fields = fieldsFor(product.type, variantFields)
  return (
    <>
      <Step
        {...common}
        label="Edit"
        title={`Edit ${title}`}
        submitLabel="Save"
        size="lg"
        initial={() => valuesOf(fields, variant)}
        validate={rulesOf(fields)}
        fieldOf={fieldOf}
        fields={form => <RecordFields form={form} fields={fields} />}
        send={(now, sending, before) => update({ id, ...changesOf(fields, before, now) }, sending)}
        done={() => `${title} is saved`}
      />
      <ArchiveStep
        {...common}
        title={title}
        isArchived={archived}
        explains={ARCHIVED}
        update={(changes, sending) => update({ id, ...changes }, sending)}
      />
    </>
  )
}
