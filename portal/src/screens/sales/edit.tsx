/** The forms that change a sales order: an open one's lines, charges, addresses and dates; what is noted on any. */

import { Text } from '@mantine/core'
import { moneyText } from '../../format.tsx'
import { Step } from '../../patterns/action-form.tsx'
import { field } from '../../patterns/fields.tsx'
import { EditRecord, useStepsOf } from '../../patterns/record-steps.tsx'
import type { SalesOrder } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { changesOf, fieldOf, rules, SalesOrderFields, typedOf } from './form.tsx'
import { salesOrders } from './nouns.ts'

export function EditSalesOrder({ order }: { readonly order: SalesOrder }) {
  const api = useApi()
  const { id } = order
  const step = useStepsOf(salesOrders, order, 'write:sales.order.update')
  return (
    <Step
      {...step('Edit', 'saved')}
      submitLabel="Save"
      size="xl"
      explains="What it reserves follows its lines. What is shipped stays as it was booked."
      initial={() => typedOf(order)}
      validate={rules}
      fieldOf={fieldOf}
      fields={form => <SalesOrderFields form={form} />}
      send={(now, sending, before) => api.salesOrders.update(id, changesOf(before, now), sending)}
      foretells={changed => <TotalForetold order={changed} />}
    />
  )
}

const noted = {
  external_ref: field.text('Reference'),
  notes: field.longText('Notes'),
  metadata: field.metadata(),
}

export function NoteOnSalesOrder({ order }: { readonly order: SalesOrder }) {
  const api = useApi()
  return (
    <EditRecord
      of={salesOrders}
      record={order}
      fields={noted}
      scope="write:sales.order.update"
      label="Note"
      size="md"
      isStacked
      explains="Notes, reference and metadata can be changed in every status, of a finished order too."
      update={async (changes, sending) =>
        Object.keys(changes).length === 0 ? order : api.salesOrders.annotate(order.id, changes, sending)
      }
    />
  )
}

const TotalForetold = ({ order }: { readonly order: SalesOrder }) => (
  <Text size="sm">
    The order comes to {moneyText(order.total_amount_with_tax, order.currency)} with tax, of it{' '}
    {moneyText(order.tax_amount, order.currency)} tax.
  </Text>
)
