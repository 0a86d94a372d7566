/** The lines of a recipe in a form: materials and work, with what they cost as they are typed. */
import { Fieldset, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import { type Decimal, forTyping, times, typed } from '../../exact.ts'
import { AddLine, RemoveLine } from '../../patterns/add-line.tsx'
import { Amount } from '../../patterns/columns.tsx'
import { DecimalInput, VariantPicker } from '../../patterns/inputs.tsx'
import { joinedTexts } from '../../patterns/titles.ts'
import { useUnits } from '../../patterns/units.tsx'
import { type Needs, OneCosts, useMaterialCosts, withScrap } from './costs.tsx'
import { type Lines, materialLine, type WorkLine, workLine } from './lines.ts'
import { NewOperation, useOperations } from './operation-steps.tsx'

export function RecipeLines<Values extends Lines>({ form: given }: { readonly form: UseFormReturnType<Values> }) {
  // The library's types cannot follow paths of generic values.
  const form = given as unknown as UseFormReturnType<Lines>
  const { materials, operations } = form.values
  const known = useOperations()
  const ids = materials.flatMap(({ variant }) => (variant ? [variant.id] : []))
  const [costs, unitOf] = [useMaterialCosts(ids), useUnits(ids)]
  const hourCost = ({ operation_id, cost_per_hour }: WorkLine): Decimal =>
    typed(cost_per_hour) ?? known.find(({ id }) => id === operation_id)?.cost_per_hour ?? '0'
  const needs: Needs = {
    output: typed(form.values.output_quantity) ?? '1',
    materials: materials.flatMap(({ variant, quantity, scrap }) =>
      variant ? [{ item_variant_id: variant.id, quantity: planned(quantity, scrap) ?? '0' }] : [],
    ),
    operations: operations.map(line => ({ duration: typed(line.duration) ?? '0', cost_per_hour: hourCost(line) })),
  }
  return (
    <>
      <Fieldset legend="Materials">
        <Stack gap="xs">
          {materials.map(({ key, variant, quantity, scrap }, index) => (
            <Line
              key={key}
              label={`material ${index + 1}`}
              cost={costed(planned(quantity, scrap), variant && costs.get(variant.id))}
              onRemove={materials.length === 1 ? undefined : () => form.removeListItem('materials', index)}
            >
              <div style={{ flex: '1 1 200px' }}>
                <VariantPicker
                  label="Material"
                  required
                  of="is_part"
                  {...form.getInputProps(`materials.${index}.variant`)}
                />
              </div>
              <DecimalInput
                label={joinedTexts('Quantity', variant && unitOf(variant.id))}
                w={100}
                {...form.getInputProps(`materials.${index}.quantity`)}
              />
              <DecimalInput label="Scrap %" w={80} {...form.getInputProps(`materials.${index}.scrap`)} />
              <TextInput label="Note" w={130} maxLength={10_000} {...form.getInputProps(`materials.${index}.notes`)} />
            </Line>
          ))}
          <Group>
            <AddLine onAdd={() => form.insertListItem('materials', materialLine())}>Add a material</AddLine>
          </Group>
        </Stack>
      </Fieldset>
      <Fieldset legend="Work">
        <Stack gap="xs">
          {operations.map((line, index) => (
            <Line
              key={line.key}
              label={`work ${index + 1}`}
              cost={costed(typed(line.duration), hourCost(line))}
              onRemove={() => form.removeListItem('operations', index)}
            >
              <Select
                label="Operation"
                withAsterisk
                searchable
                style={{ flex: '1 1 160px' }}
                data={known.map(({ id, title }) => ({ value: id, label: title }))}
                allowDeselect={false}
                {...form.getInputProps(`operations.${index}.operation_id`)}
              />
              <DecimalInput label="Hours" w={80} {...form.getInputProps(`operations.${index}.duration`)} />
              <DecimalInput
                label="Per hour"
                placeholder={forTyping(hourCost(line))}
                w={90}
                {...form.getInputProps(`operations.${index}.cost_per_hour`)}
              />
              <Select
                label="For orders"
                w={130}
                data={Object.entries(types).map(([value, label]) => ({ value, label }))}
                allowDeselect={false}
                {...form.getInputProps(`operations.${index}.operation_type`)}
              />
            </Line>
          ))}
          <Group>
            <AddLine onAdd={() => form.insertListItem('operations', workLine(null))}>Add work</AddLine>
            <NewOperation onMade={({ id }) => form.insertListItem('operations', workLine(id))} />
          </Group>
        </Stack>
      </Fieldset>
      <Stack gap={2} className="numbers" role="status">
        <OneCosts needs={needs} costs={costs} />
      </Stack>
    </>
  )
}

const types = { BOTH: 'Any', MAKE_TO_STOCK: 'For the stock', MAKE_TO_ORDER: 'For a sale' }

/** Null: the cost is unknown. */
const costed = (quantity: Decimal | null, each: Decimal | null | undefined): Decimal | null =>
  quantity === null || !each ? null : times(quantity, each)

/** A typed quantity with its scrap. */
function planned(quantity: string, scrap: string): Decimal | null {
  const value = typed(quantity)
  return value === null ? null : withScrap(value, typed(scrap) ?? '0')
}

type LineProps = {
  readonly label: string
  readonly cost: Decimal | null
  readonly onRemove: (() => void) | undefined
  readonly children: ReactNode
}

const Line = ({ label, cost, onRemove, children }: LineProps) => (
  <Group gap="xs" align="flex-end">
    {children}
    <Text size="sm" pb={8} className="numbers" miw={70} ta="right">
      <Amount of={cost} />
    </Text>
    <RemoveLine what={label} disabled={onRemove === undefined} onRemove={() => onRemove?.()} />
  </Group>
)
