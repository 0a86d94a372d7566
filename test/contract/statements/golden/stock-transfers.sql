-- Written by `npm run statements`. `$` is the next parameter.

-- createStockTransfer 2
insert into "stock_transfers" ("tenant_id", "id", "number", "from_storage_place_id", "to_storage_place_id", "date", "notes",
 "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "created_at", "updated_at", "reversed", "reversed_at",
 "reversal_reason", "reversed_by_user_name")
select *
from unnest($::bigint[], $::bigint[], $::text[], $::bigint[], $::bigint[], $::timestamptz[], $::text[], $::text[], $::jsonb[],
 $::text[], $::text[], $::timestamptz[], $::timestamptz[], $::boolean[], $::timestamptz[], $::text[], $::text[]) as r ("tenant_id",
 "id", "number", "from_storage_place_id", "to_storage_place_id", "date", "notes", "external_ref", "metadata", "created_by_user_name",
 "updated_by_user_name", "created_at", "updated_at", "reversed", "reversed_at", "reversal_reason", "reversed_by_user_name")

-- createStockTransfer 3
insert into "stock_transfer_items" ("tenant_id", "stock_transfer_id", "id", "item_variant_id", "sku", "title", "batch_id",
 "batch_number", "quantity", "value", "from_quarantine", "to_quarantine")
select *
from unnest($::bigint[], $::bigint[], $::bigint[], $::bigint[], $::text[], $::text[], $::bigint[], $::text[], $::numeric[],
 $::numeric[], $::boolean[], $::boolean[]) as r ("tenant_id", "stock_transfer_id", "id", "item_variant_id", "sku", "title",
 "batch_id", "batch_number", "quantity", "value", "from_quarantine", "to_quarantine")

-- listStockTransfers 1
select "d"."id"::text as id, ('{"id":"' || "d"."id"::text || '","number":' || to_json("d"."number")::text ||
 ',"from_storage_place_id":' || coalesce(('"' || "d"."from_storage_place_id"::text || '"'), 'null') ||
 ',"to_storage_place_id":' || coalesce(('"' || "d"."to_storage_place_id"::text || '"'), 'null') ||
 ',"date":"' || iso("d"."date") || '","notes":' || coalesce((to_json("d"."notes")::text), 'null') ||
 ',"external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
 ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
 ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
 ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
 ',"created_at":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '","reversed_at":' || coalesce(('"' || iso("d"."reversed_at") || '"'), 'null') ||
 ',"reversal_reason":' || coalesce((to_json("d"."reversal_reason")::text), 'null') ||
 ',"reversed_by_user_name":' || coalesce((to_json("d"."reversed_by_user_name")::text), 'null') ||
 ',"items":' || ('[' || coalesce((
    select string_agg(('{"id":"' || "line"."id"::text || '","item_variant_id":"' || "line"."item_variant_id"::text || '","sku":' || coalesce((to_json("line"."sku")::text), 'null') ||
      ',"title":' || to_json("line"."title")::text ||
      ',"batch_id":' || coalesce(('"' || "line"."batch_id"::text || '"'), 'null') ||
      ',"batch_number":' || coalesce((to_json("line"."batch_number")::text), 'null') ||
      ',"quantity":' || trim_scale("line"."quantity")::text ||
      ',"value":' || trim_scale("line"."value")::text || '}'), ','
     order by "line".id)
    from "stock_transfer_items" "line"
    where "line".tenant_id = "d"."tenant_id"
    and "line"."stock_transfer_id" = "d"."id"), '') || ']') || '}')::text as document
from (
 select r.id
 from (select * from "stock_transfers" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc offset 0) r
 where true
 order by "r"."id" asc
 limit $) page
cross join lateral (select * from "stock_transfers" where tenant_id = $::bigint and id = page.id limit 1) "d"
order by "d"."id" asc

-- reverseStockTransfer 1
select q.tenant_id, "r"."id"::text as "id", "r"."number"::text as "number", "r"."from_storage_place_id"::text as "from_storage_place_id",
"r"."to_storage_place_id"::text as "to_storage_place_id", iso("r"."date") as "date", "r"."notes"::text as "notes", "r"."external_ref"::text as "external_ref",
"r"."metadata"::text as "metadata", "r"."created_by_user_name"::text as "created_by_user_name", "r"."updated_by_user_name"::text as "updated_by_user_name",
iso("r"."created_at") as "created_at", iso("r"."updated_at") as "updated_at", "r"."reversed"::text as "reversed", iso("r"."reversed_at") as "reversed_at",
"r"."reversal_reason"::text as "reversal_reason", "r"."reversed_by_user_name"::text as "reversed_by_user_name"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "stock_transfers" where tenant_id = q.tenant_id and "id" = q.value limit 1) r

-- reverseStockTransfer 2
select q.tenant_id, q.value as parent, "r"."id"::text as "id", "r"."item_variant_id"::text as "item_variant_id", "r"."sku"::text as "sku",
"r"."title"::text as "title", "r"."batch_id"::text as "batch_id", "r"."batch_number"::text as "batch_number", "r"."quantity"::text as "quantity",
"r"."value"::text as "value", "r"."from_quarantine"::text as "from_quarantine", "r"."to_quarantine"::text as "to_quarantine"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "stock_transfer_items" where tenant_id = q.tenant_id and "stock_transfer_id" = q.value offset 0) r
order by r.id
