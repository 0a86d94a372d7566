/** Checks kits: what their components are found by is kept by triggers, and what is shipped of a component left with shipments. */
import { sql } from '../../platform/postgres/postgres.ts'
import type { Check } from './check.ts'

export const kitChecks: readonly Check[] = [
  {
    name: 'kits in which a variant stands = components of kits',
    faultRows: sql.fragment`
      select tenant_id, format('variant %s in the kit %s', item_variant_id, kit_variant_id) as subject,
        case when v.is_there then 'a component' else 'none' end as expected,
        case when k.is_there then 'a component' else 'none' end as found
      from (
        select distinct tenant_id, (e.part ->> 'item_variant_id')::bigint as item_variant_id, id as kit_variant_id, true as is_there
        from item_variants cross join lateral jsonb_array_elements(components) e (part)
      ) v
      full join (select *, true as is_there from kit_components) k using (tenant_id, item_variant_id, kit_variant_id)
      where v.is_there is distinct from k.is_there`,
  },
  {
    name: 'lines in which a component is found = components of lines of kits',
    faultRows: sql.fragment`
      select tenant_id, format('variant %s in the line %s of the %s %s', item_variant_id, line_id, lower(kind), document_id) as subject,
        case when v.is_there then 'a component' else 'none' end as expected,
        case when k.is_there then 'a component' else 'none' end as found
      from (
        select distinct tenant_id, (e.part ->> 'item_variant_id')::bigint as item_variant_id, kind, document_id, line_id, true as is_there
        from (
          select tenant_id, 'ORDER' as kind, sales_order_id as document_id, id as line_id, components
          from sales_order_items where is_open and quantity > shipped_quantity
          union all
          select tenant_id, 'HOLD', reservation_id, id, components from reservation_items where is_open
          union all
          select tenant_id, 'SHIPMENT', sales_shipment_id, id, components from sales_shipment_items
        ) lines
        cross join lateral jsonb_array_elements(components) e (part)
      ) v
      full join (select *, true as is_there from kit_lines) k using (tenant_id, item_variant_id, kind, document_id, line_id)
      where v.is_there is distinct from k.is_there`,
  },
  {
    name: 'lines in which a batch is found = batches of components of shipments',
    faultRows: sql.fragment`
      select tenant_id, format('batch %s in the line %s of the shipment %s', batch_id, line_id, document_id) as subject,
        case when v.is_there then 'a batch' else 'none' end as expected,
        case when k.is_there then 'a batch' else 'none' end as found
      from (
        select distinct tenant_id, (e.part ->> 'batch_id')::bigint as batch_id, sales_shipment_id as document_id, id as line_id, true as is_there
        from sales_shipment_items cross join lateral jsonb_array_elements(components) e (part)
        where e.part ->> 'batch_id' is not null
      ) v
      full join (select *, true as is_there from kit_batches) k using (tenant_id, batch_id, document_id, line_id)
      where v.is_there is distinct from k.is_there`,
  },
  {
    name: 'shipped quantity and value of components = sums of the shipments',
    faultRows: sql.fragment`
      select l.tenant_id, format('component %s of the line %s of sales order %s', l.part ->> 'item_variant_id', l.id, l.sales_order_id) as subject,
        format('%s worth %s', trim_scale(coalesce(s.quantity, 0)), trim_scale(coalesce(s.value, 0))) as expected,
        format('%s worth %s', trim_scale((l.part ->> 'shipped_quantity')::numeric), trim_scale((l.part ->> 'shipped_value')::numeric)) as found
      from (
        select tenant_id, sales_order_id, id, e.part
        from sales_order_items cross join lateral jsonb_array_elements(components) e (part)
      ) l
      left join (
        select i.tenant_id, i.sales_order_id, i.sales_order_item_id as id, e.part ->> 'item_variant_id' as variant,
          sum((e.part ->> 'quantity')::numeric) as quantity, sum((e.part ->> 'value')::numeric) as value
        from sales_shipment_items i
        join sales_shipments d on d.tenant_id = i.tenant_id and d.id = i.sales_shipment_id
        cross join lateral jsonb_array_elements(i.components) e (part)
        where not d.reversed group by 1, 2, 3, 4
      ) s on s.tenant_id = l.tenant_id and s.sales_order_id = l.sales_order_id and s.id = l.id and s.variant = l.part ->> 'item_variant_id'
      where ((l.part ->> 'shipped_quantity')::numeric, (l.part ->> 'shipped_value')::numeric)
        <> (coalesce(s.quantity, 0), coalesce(s.value, 0))`,
  },
]
