/** The common checks of purchase and sales orders: their totals and delivery status follow from their lines and charges. */
import { type Fragment, sql } from '../../platform/postgres/postgres.ts'
import type { Check } from './check.ts'

type Orders = {
  /** `purchase` of `purchase_orders`, `purchase_order_items` and `purchase_order_id`. */
  readonly area: 'purchase' | 'sales'
  /** `tenant_id, id, amount, tax` of further parts of the totals of the order `id`, beside its lines. */
  readonly charges?: Fragment
  /** The delivery status that follows from the lines, as an aggregate over them. */
  readonly deliveryStatus: Fragment
}

export function orderChecks({ area, charges, deliveryStatus }: Orders): readonly Check[] {
  const orders = sql.identifier([`${area}_orders`])
  const lines = sql.identifier([`${area}_order_items`])
  const orderId = sql.identifier([`${area}_order_id`])
  return [
    {
      name: `${area} order totals = sums of the lines${charges ? ' and charges' : ''}`,
      faultRows: sql.fragment`
        select o.tenant_id, ${area}::text || ' order ' || o.number as subject,
          format('%s + %s', trim_scale(l.amount), trim_scale(l.tax)) as expected,
          format('%s + %s', trim_scale(o.total_amount), trim_scale(o.tax_amount)) as found
        from ${orders} o
        left join (
          select tenant_id, id, sum(amount) as amount, sum(tax) as tax
          from (
            select tenant_id, ${orderId} as id, line_amount as amount, line_tax_amount as tax from ${lines}
            ${charges ? sql.fragment`union all ${charges}` : sql.fragment``}
          ) parts group by 1, 2
        ) l using (tenant_id, id)
        where (o.total_amount, o.tax_amount) is distinct from (l.amount, l.tax)`,
    },
    {
      name: `${area} delivery_status follows the lines`,
      faultRows: sql.fragment`
        select tenant_id, ${area}::text || ' order ' || o.number as subject, l.status as expected, o.delivery_status as found
        from ${orders} o
        left join (
          select tenant_id, ${orderId} as id, ${deliveryStatus} as status from ${lines} group by 1, 2
        ) l using (tenant_id, id)
        where o.delivery_status is distinct from l.status`,
    },
  ]
}
