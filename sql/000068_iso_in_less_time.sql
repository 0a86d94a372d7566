-- As before, but 0.55 us instead of 0.95 (`to_char`): a page has hundreds of them. With one microsecond more, what is whole milliseconds
-- is spelled with all of its digits.
create or replace function iso(at timestamptz) returns text language sql stable parallel safe
  return substr(
    to_json(date_bin('1 millisecond', at, 'epoch') at time zone 'UTC' + interval '1 microsecond')::text, 2, 23
  ) || 'Z';
