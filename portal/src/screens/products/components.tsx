/** What a kit is made of, as a field of its variant's form: other variants, and how many of each are in one kit. */
import { Fieldset, Group, Text } from '@mantine/core'
import { type Decimal, forTyping, sentTyped } from '../../exact.ts'
import { AddLine, RemoveLine } from '../../patterns/add-line.tsx'
import { type Choice, DecimalInput, decimalRules, VariantPicker } from '../../patterns/inputs.tsx'
import type { Field, InputsOf } from '../../patterns/record-fields.tsx'
import { Small } from '../../patterns/small.tsx'
import type { Product } from '../../records.ts'

/** The most components of one kit. */
const COMPONENTS_MAX = 50

type Typed = { readonly key: string; readonly variant: Choice | null; readonly quantity: string }
type Sent = { readonly item_variant_id: string; readonly quantity: number }

const newTyped = (): Typed => ({ key: String(Math.random()), variant: null, quantity: '1' })

const typedOf = ({ item_variant_id: id, title, sku, quantity }: Product['variants'][number]['components'][number]) => ({
  key: id,
  variant: { id, label: title, hint: sku },
  quantity: forTyping(quantity as Decimal),
})

export const componentsField: Field<readonly Typed[], readonly Sent[]> = {
  begin: (of: Product['variants'][number]['components'] | undefined) => (of ?? []).map(typedOf),
  rule: refused,
  sent: parts =>
    parts.map(({ variant, quantity }) => ({ item_variant_id: variant?.id ?? '', quantity: sentTyped(quantity) })),
  input: (inputs, path) => <Components inputs={inputs} path={path} {...inputs(path)} />,
}

function refused(parts: readonly Typed[]): string | null {
  if (parts.length === 0) return 'say what one kit is made of'
  if (parts.some(({ variant }) => variant === null)) return 'choose a product in each line'
  const wrong = parts.find(({ quantity }) => decimalRules.positive(quantity) !== null)
  if (wrong) return `${wrong.variant?.label}: ${decimalRules.positive(wrong.quantity)}`
  const twice = parts.find(({ variant }, at) => parts.findIndex(one => one.variant?.id === variant?.id) !== at)
  return twice ? `${twice.variant?.label} is there twice` : null
}

type Props = {
  readonly inputs: InputsOf
  readonly path: string
  readonly value?: readonly Typed[]
  readonly onChange?: (parts: readonly Typed[]) => void
  readonly error?: unknown
  /** The path of the field in a form, where its refusal is shown. */
  readonly 'data-path'?: string
}

function Components({ inputs, path, value = [], onChange = () => {}, error, 'data-path': at }: Props) {
  return (
    <Fieldset legend="Components" style={{ gridColumn: '1 / -1' }} data-path={at} tabIndex={-1}>
      <Small mb="xs">What leaves the stock with one kit. The kit itself is in no stock.</Small>
      {value.map(({ key, variant }, index) => (
        <Group key={key} gap="xs" mb="xs" align="flex-end" wrap="nowrap">
          <div style={{ flex: 1 }}>
            <VariantPicker
              label={`Component ${index + 1}`}
              of="is_part"
              required
              {...(inputs(`${path}.${index}.item_variant_id`) as object)}
              value={variant}
              onChange={chosen => onChange(value.map(part => (part.key === key ? { ...part, variant: chosen } : part)))}
            />
          </div>
          <DecimalInput
            label="In one kit"
            aria-label={`In one kit, component ${index + 1}`}
            w={90}
            withAsterisk
            {...inputs(`${path}.${index}.quantity`)}
          />
          <RemoveLine
            what={`component ${index + 1}`}
            onRemove={() => onChange(value.filter(part => part.key !== key))}
          />
        </Group>
      ))}
      {typeof error === 'string' && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {error}
        </Text>
      )}
      <AddLine disabled={value.length >= COMPONENTS_MAX} onAdd={() => onChange([...value, newTyped()])}>
        Add a component
      </AddLine>
    </Fieldset>
  )
}
