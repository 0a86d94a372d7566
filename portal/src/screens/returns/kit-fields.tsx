/** Parts of a returned kit that are missing: how much of each component came back, in the form of a return. */
import { Checkbox, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { typed } from '../../exact.ts'
import { quantityText } from '../../format.tsx'
import { DecimalInput } from '../../patterns/inputs.tsx'
import type { ReturnLine } from './refundable.ts'
import { comesBack } from './returned-kit.ts'

type Props<Has extends { items: ReturnLine[] }> = { readonly form: UseFormReturnType<Has>; readonly index: number }

export function KitFields<Has extends { items: ReturnLine[] }>({ form, index }: Props<Has>) {
  const { kit, title = '', quantity = '', stays } = form.values.items[index] ?? {}
  if (kit === undefined || stays) return null
  const at = `items.${index}.kit`
  return (
    <>
      <Checkbox
        size="xs"
        mt={4}
        label="Parts are missing"
        aria-label={`Parts of ${title} are missing`}
        {...form.getInputProps(`${at}.isShort` as never, { type: 'checkbox' })}
      />
      {kit.isShort && (
        <>
          <Text size="xs" c="dimmed">
            How many came back of each; leave empty what is all there.
          </Text>
          {kit.parts.map((part, nth) => (
            <DecimalInput
              key={part.item_variant_id}
              size="xs"
              maw={180}
              label={part.title}
              aria-label={`${part.title} that came back`}
              placeholder={`all ${quantityText(comesBack(kit, part, typed(quantity) ?? '0'))}`}
              {...form.getInputProps(`${at}.parts.${nth}.back` as never)}
            />
          ))}
        </>
      )}
    </>
  )
}
