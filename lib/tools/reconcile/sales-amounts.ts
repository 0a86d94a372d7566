/**
 * What `reconcile` proves about the amounts of sales orders: each line and charge costs what its order's rules say, counted anew in SQL
 * (docs/rules/sales.md, "Amounts"). It takes nothing from the rules.
 */
import { type Fragment, sql } from '../../platform/postgres/postgres.ts'
import type { Check } from './check.ts'

/** Of lines (kind 0), then charges (kind 1): what they cost in the price mode of their order (`price`), and their taxes. */
const entries: Fragment = sql.fragment`
  select e.*, o.prices_include_tax, o.tax_rounding, o.tax_rounding_mode, o.digits,
    case when o.prices_include_tax then e.amount + e.tax else e.amount end as price
  from (
    select tenant_id, sales_order_id, 0 as kind, id, line_amount as amount, line_tax_amount as tax, tax_rate, taxes,
      quantity * price * (100 - discount_percent) / 100 - discount_amount as exact_price
    from sales_order_items
    union all
    select tenant_id, sales_order_id, 1, id, amount, tax_amount, tax_rate, taxes, null from sales_order_charges
  ) e
  join (
    select tenant_id, id as sales_order_id, prices_include_tax, tax_rounding, tax_rounding_mode,
      case
        when currency in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'VND', 'VUV', 'XAF', 'XOF', 'XPF')
          then 0
        when currency in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') then 3
        else 2
      end as digits
    from sales_orders
  ) o using (tenant_id, sales_order_id)`

/** The tax on or in a price, rounded in the mode of its order. */
const taxOf = (price: Fragment, rate: Fragment): Fragment => {
  const exact = sql.fragment`(${price} * ${rate} / (case when prices_include_tax then 100 + ${rate} else 100 end))`
  return sql.fragment`(case tax_rounding_mode
    when 'DOWN' then trunc(${exact}, digits)
    when 'UP' then sign(${exact}) * ceil(abs(${exact}) * 10::numeric ^ digits) / 10::numeric ^ digits
    else round(${exact}, digits)
  end)`
}

const subject = sql.fragment`
  format('%s %s of sales order %s', case kind when 0 then 'line' else 'charge' end, id, sales_order_id) as subject`

export const salesAmountChecks: readonly Check[] = [
  {
    name: 'sales lines cost quantity * price less discounts, in the price mode of their order',
    faultRows: sql.fragment`
      select tenant_id, ${subject}, trim_scale(greatest(round(exact_price, digits), 0)) as expected, trim_scale(price) as found
      from (${entries}) e
      where kind = 0 and price <> greatest(round(exact_price, digits), 0)`,
  },
  {
    name: 'taxes of sales lines and charges = those that were given, else by their rates',
    faultRows: sql.fragment`
      select tenant_id, ${subject}, trim_scale(counted) as expected, trim_scale(tax) as found
      from (
        select e.*,
          case
            when tax_rounding = 'ORDER' then ${taxOf(sql.fragment`reached`, sql.fragment`tax_rate`)}
              - ${taxOf(sql.fragment`(reached - price)`, sql.fragment`tax_rate`)}
            when taxes @> '[{"given": true}]' then given
            when taxes = '[]' or prices_include_tax then ${taxOf(sql.fragment`price`, sql.fragment`tax_rate`)}
            else (
              select sum(${taxOf(sql.fragment`price`, sql.fragment`(t ->> 'rate')::numeric`)})
              from jsonb_array_elements(taxes) t
            )
          end as counted
        from (
          select e.*,
            (select coalesce(sum((t ->> 'amount')::numeric), 0) from jsonb_array_elements(taxes) t) as given,
            sum(price) over (partition by tenant_id, sales_order_id, tax_rate order by kind, id) as reached
          from (${entries}) e
        ) e
      ) e
      where tax <> counted or (taxes <> '[]' and tax <> given)`,
  },
]
