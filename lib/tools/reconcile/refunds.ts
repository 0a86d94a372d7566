/**
 * What `reconcile` proves about returns: their amounts add up, and nothing comes back or is refunded beyond what was sold. It reads the tables
 * alone and takes nothing from the rules.
 */
import { type Fragment, sql } from '../../platform/postgres/postgres.ts'
import type { Check } from './check.ts'

/** What returns that are not cancelled hold of each order line. */
const heldOfLines: Fragment = sql.fragment`
  select i.tenant_id, i.sales_order_id, i.sales_order_item_id as id, sum(i.quantity) as quantity,
    sum(i.refund_amount) as amount, sum(i.refund_tax_amount) as tax,
    bool_and((i.refund_amount, i.refund_tax_amount) is not distinct from (i.usual_amount, i.usual_tax_amount)) as is_usual,
    max(r.created_at) as last_at
  from sales_return_items i
  join sales_returns r on r.tenant_id = i.tenant_id and r.id = i.sales_return_id
  where r.status <> 'CANCELLED' group by 1, 2, 3`

/** What returns that are not cancelled refund of each charge. */
const heldOfCharges: Fragment = sql.fragment`
  select i.tenant_id, r.sales_order_id, i.sales_order_charge_id as id, sum(i.amount) as amount, sum(i.tax_amount) as tax
  from sales_return_charges i
  join sales_returns r on r.tenant_id = i.tenant_id and r.id = i.sales_return_id
  where r.status <> 'CANCELLED' group by 1, 2, 3`

export const refundChecks: readonly Check[] = [
  {
    name: 'returns hold no more than is shipped',
    faultRows: sql.fragment`
      select l.tenant_id, format('line %s of sales order %s', l.id, l.sales_order_id) as subject,
        trim_scale(l.shipped_quantity) as expected, trim_scale(r.quantity) as found
      from sales_order_items l
      join (
        select i.tenant_id, i.sales_order_id, i.sales_order_item_id as id, sum(i.quantity) as quantity
        from sales_return_items i
        join sales_returns r on r.tenant_id = i.tenant_id and r.id = i.sales_return_id
        where r.status <> 'CANCELLED' group by 1, 2, 3
      ) r using (tenant_id, sales_order_id, id)
      where r.quantity > l.shipped_quantity`,
  },
  {
    name: 'return refunds = sums of lines and charges',
    faultRows: sql.fragment`
      select r.tenant_id, format('sales return %s', r.number) as subject,
        format('%s + %s', trim_scale(coalesce(p.amount, 0)), trim_scale(coalesce(p.tax, 0))) as expected,
        format('%s + %s', trim_scale(r.refund_amount), trim_scale(r.refund_tax_amount)) as found
      from sales_returns r
      left join (
        select tenant_id, id, sum(amount) as amount, sum(tax) as tax
        from (
          select tenant_id, sales_return_id as id, refund_amount as amount, refund_tax_amount as tax from sales_return_items
          union all select tenant_id, sales_return_id, amount, tax_amount from sales_return_charges
        ) parts group by 1, 2
      ) p using (tenant_id, id)
      where (r.refund_amount, r.refund_tax_amount) <> (coalesce(p.amount, 0), coalesce(p.tax, 0))
        or r.refund_amount + r.refund_tax_amount < 0`,
  },
  {
    name: 'refunded taxes = sums of their parts',
    faultRows: sql.fragment`
      select tenant_id, format('line or charge %s of a return', id) as subject, tax as expected, parts as found
      from (
        select tenant_id, id, refund_tax_amount as tax, taxes from sales_return_items
        union all select tenant_id, id, tax_amount, taxes from sales_return_charges
      ) l
      cross join lateral (
        select sum((each ->> 'amount')::numeric) as parts from jsonb_array_elements(l.taxes) each
      ) t
      where l.taxes <> '[]' and t.parts <> l.tax`,
  },
  {
    name: 'refunds of a line are at most what it cost',
    faultRows: sql.fragment`
      select h.tenant_id, format('line %s of sales order %s', h.id, h.sales_order_id) as subject,
        format('%s + %s', trim_scale(l.line_amount), trim_scale(l.line_tax_amount)) as expected,
        format('%s + %s', trim_scale(h.amount), trim_scale(h.tax)) as found
      from (${heldOfLines}) h
      left join sales_order_items l using (tenant_id, sales_order_id, id)
      join sales_orders o on o.tenant_id = h.tenant_id and o.id = h.sales_order_id
      where l.id is null or (
        least(h.amount, h.tax) < 0
        or case
          -- A tax that is rounded with those of others may have moved since.
          when o.tax_rounding = 'ORDER' and o.prices_include_tax then h.amount + h.tax > l.line_amount + l.line_tax_amount
          when o.tax_rounding = 'ORDER' then h.amount > l.line_amount
          else h.amount > l.line_amount or h.tax > l.line_tax_amount
        end
      )`,
  },
  {
    name: 'all pieces of a line refund what it cost',
    faultRows: sql.fragment`
      select h.tenant_id, format('line %s of sales order %s', h.id, h.sales_order_id) as subject,
        format('%s + %s', trim_scale(l.line_amount), trim_scale(l.line_tax_amount)) as expected,
        format('%s + %s', trim_scale(h.amount), trim_scale(h.tax)) as found
      from (${heldOfLines}) h
      join sales_order_items l using (tenant_id, sales_order_id, id)
      join sales_orders o on o.tenant_id = h.tenant_id and o.id = h.sales_order_id
      -- An order that changed after its last return may cost another amount.
      where h.quantity = l.quantity and h.is_usual and o.updated_at < h.last_at
        and (h.amount, h.tax) <> (l.line_amount, l.line_tax_amount)`,
  },
  {
    name: 'refunds of a charge are at most the charge',
    faultRows: sql.fragment`
      select h.tenant_id, format('charge %s of sales order %s', h.id, h.sales_order_id) as subject,
        format('%s + %s', trim_scale(c.amount), trim_scale(c.tax_amount)) as expected,
        format('%s + %s', trim_scale(h.amount), trim_scale(h.tax)) as found
      from (${heldOfCharges}) h
      left join sales_order_charges c using (tenant_id, sales_order_id, id)
      join sales_orders o on o.tenant_id = h.tenant_id and o.id = h.sales_order_id
      where c.id is null or case
        when o.tax_rounding = 'LINE' then
          abs(h.amount) > abs(c.amount) or abs(h.tax) > abs(c.tax_amount) or h.amount * c.amount < 0 or h.tax * c.tax_amount < 0
        when o.prices_include_tax then abs(h.amount + h.tax) > abs(c.amount + c.tax_amount)
        else abs(h.amount) > abs(c.amount)
      end`,
  },
  {
    name: 'refunds of an order are at most what it came to',
    faultRows: sql.fragment`
      select o.tenant_id, format('sales order %s', o.number) as subject,
        trim_scale(o.total_amount + o.tax_amount)::text as expected, trim_scale(h.amount)::text as found
      from sales_orders o
      join (
        select tenant_id, sales_order_id as id, sum(amount + tax) as amount
        from (
          select tenant_id, sales_order_id, amount, tax from (${heldOfLines}) l
          union all select tenant_id, sales_order_id, amount, tax from (${heldOfCharges}) c
        ) parts group by 1, 2
      ) h using (tenant_id, id)
      where h.amount > o.total_amount + o.tax_amount and (
        o.tax_rounding = 'LINE' or exists (
          select from sales_order_charges c where c.tenant_id = o.tenant_id and c.sales_order_id = o.id and c.amount < 0
        )
      )`,
  },
]
