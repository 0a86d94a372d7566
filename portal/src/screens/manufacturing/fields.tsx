/** The fields that forms of new and of open manufacturing orders share. */
import { SimpleGrid } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import { today } from '../../days.ts'
import { DateWarnings, isBefore } from '../../patterns/date-warnings.tsx'
import { field } from '../../patterns/fields.tsx'
import { DecimalInput } from '../../patterns/inputs.tsx'
import { PlaceSelect } from '../../patterns/places.tsx'
import { RecordFields, type ValuesOf } from '../../patterns/record-fields.tsx'

const dates = {
  planned_start_date: field.day('Starts'),
  production_date: field.day('Due'),
  shipping_date: field.day('To be shipped'),
  priority: field.priority('Priority'),
}

const output = {
  output_batch_number: field.text('Output batch', { maxLength: 64 }),
  output_manufacture_date: field.day('Output made'),
  output_expiry_date: field.day('Output expires'),
}

const noted = { external_ref: field.text('Reference'), notes: field.longText('Notes') }

export const plannedFields = { ...dates, ...output, ...noted }

export type Planned = ValuesOf<typeof plannedFields> & { quantity: string; manufacturing_location_id: string | null }

type Props<Values extends Planned> = {
  readonly form: UseFormReturnType<Values>
  /** Whether its quantity and place are asked for; an order that is there has a place. */
  readonly hasGoods: boolean
  readonly needsPlace?: boolean
  readonly hasDates: boolean
  readonly hasOutput: boolean
  readonly lines?: ReactNode
}

export function PlannedFields<Values extends Planned>({ form: given, ...shown }: Props<Values>) {
  // The library cannot follow paths of values that are not known.
  const form = given as unknown as UseFormReturnType<Planned>
  const { planned_start_date: start, production_date: due, shipping_date: shipped, ...values } = form.values
  const { output_manufacture_date: made, output_expiry_date: expires } = values
  const isChanged = start !== form.getInitialValues().planned_start_date
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {shown.hasGoods && (
          <>
            <DecimalInput label="Quantity" withAsterisk {...form.getInputProps('quantity')} />
            <PlaceSelect
              label="Made at"
              required={shown.needsPlace ?? false}
              of="manufacturing_allowed"
              {...form.getInputProps('manufacturing_location_id')}
            />
          </>
        )}
        {shown.hasDates && <RecordFields form={form} fields={dates} isStacked />}
        {shown.hasOutput && <RecordFields form={form} fields={output} isStacked />}
      </SimpleGrid>
      <DateWarnings
        of={[
          [isChanged && isBefore(start, today()), 'it starts before today'],
          [isBefore(due, start), 'it is due before it starts'],
          [isBefore(shipped, due || start), 'it is shipped before it is made'],
          [isBefore(expires, made), 'the output expires before it is made'],
          [isBefore(expires, shipped || due || start), 'the output expires before the order is done'],
        ]}
      />
      {shown.lines}
      <RecordFields form={form} fields={noted} isStacked />
    </>
  )
}
