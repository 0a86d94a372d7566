-- As 000002 made it, in compact JSON (json_object_agg sets spaces): the documents are compact, and so their old values.
create or replace function changed_fields(old json, new json) returns json language sql immutable parallel safe
  return (
    select ('{' || string_agg(to_json(o.key)::text || ':' || o.value::text, ',') || '}')::json
    from json_each(old) o
    where o.value::jsonb is distinct from (new -> o.key)::jsonb
  );
