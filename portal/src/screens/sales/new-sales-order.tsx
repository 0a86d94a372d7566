/** The link to the page for a new sales order. */
import { FormLink } from '../../patterns/form-page.tsx'

export const NEW_ORDER = '/sales-orders/new'

/** @param holdId the order takes the goods of this hold. */
export const NewSalesOrder = ({ holdId }: { readonly holdId?: string }) => (
  <FormLink
    to={NEW_ORDER}
    label={holdId === undefined ? 'New sales order' : 'Make an order'}
    search={holdId === undefined ? undefined : { reservation_id: holdId }}
    scope="write:sales.order.create"
  />
)
