/** The form that changes what is noted on a sales return; what comes back stays as it was created. */
import { field } from '../../patterns/fields.tsx'
import { EditRecord } from '../../patterns/record-steps.tsx'
import type { SalesReturn } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { salesReturns } from './nouns.ts'

const fields = { external_ref: field.text('Reference'), notes: field.longText('Notes') }

export function EditSalesReturn({ one }: { readonly one: SalesReturn }) {
  const api = useApi()
  return (
    <EditRecord
      of={salesReturns}
      record={one}
      values={one.sales_return}
      fields={fields}
      scope="write:sales.return.create"
      size="md"
      isStacked
      explains="What comes back stays as it was created: to change it, cancel the return and create another one."
      update={(changes, sending) => api.salesReturns.update(one.sales_return.id, changes, sending)}
    />
  )
}
