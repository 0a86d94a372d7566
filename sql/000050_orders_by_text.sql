-- `q` finds orders and returns by parts of their number and external_ref (docs/rules/requests.md, "Lists"), as sql/000026_lists.sql finds
-- partners and products. The index of partners finds the title of the partner.

-- The pairs as before, in less than half the time: every order that is written pays for them.
create or replace function search_grams(of_tenant bigint, searched text) returns text[] language plpgsql immutable parallel safe as $$
declare
  grams text[] := '{}';
  prefix text := of_tenant::text || ':';
  pair text;
begin
  for i in 1 .. coalesce(length(searched), 0) - 1 loop
    pair := substr(searched, i, 2);
    -- No word has a space in it.
    if left(pair, 1) collate "C" > ' ' and right(pair, 1) collate "C" > ' ' then
      grams := grams || (prefix || pair);
    end if;
  end loop;
  return grams;
end $$;

create function order_text(number text, external_ref text) returns text language sql immutable parallel safe
  return search_text(number || coalesce(chr(10) || external_ref, ''));

-- Each write of an order adds to its index. What waits to be merged into the index stays small, so that no write merges thousands of rows.
create index sales_orders_by_text on sales_orders using gin (search_grams(tenant_id, order_text(number, external_ref)))
  with (gin_pending_list_limit = 256);
create index sales_returns_by_text on sales_returns using gin (search_grams(tenant_id, order_text(number, external_ref)))
  with (gin_pending_list_limit = 256);
create index purchase_orders_by_text on purchase_orders using gin (search_grams(tenant_id, order_text(number, external_ref)))
  with (gin_pending_list_limit = 256);
create index manufacturing_orders_by_text on manufacturing_orders
  using gin (search_grams(tenant_id, order_text(number, external_ref)))
  with (gin_pending_list_limit = 256);
