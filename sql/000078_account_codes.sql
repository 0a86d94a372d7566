-- An accountant's own codes and names of the accounts of the books: one row of a tenant that has any.
create table account_codes (
  tenant_id bigint primary key,
  -- {"INVENTORY": {"code": "1140", "name": "Goods"}}
  accounts jsonb not null,
  -- [{"category": "Wood", "account": "INVENTORY", "code": "1141"}], in the order sent
  categories jsonb not null
);
