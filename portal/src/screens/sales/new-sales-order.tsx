/** The way to the page on which a sales order is entered. */
import { FormLink } from '../../patterns/form-page.tsx'

export const NEW_ORDER = '/sales-orders/new'

/** @param holdId the order takes what this hold keeps. */
export const NewSalesOrder = ({ holdId }: { readonly holdId?: string }) => (
  <FormLink
    to={NEW_ORDER}
    label={holdId === undefined ? 'New sales order' : 'Make an order'}
    search={holdId === undefined ? undefined : { reservation_id: holdId }}
    scope="write:sales.order.create"
  />
)
