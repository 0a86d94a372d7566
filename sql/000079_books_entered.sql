-- no transaction
-- It locks no table. A million movements take some minutes. What it leaves, and what the release before posts
-- from now on, housekeeping enters (workers/housekeeping/books-before.ts).
select enter_movements(tenant_id, 2147483647) from tenants;
select book_documents(tenant_id) from tenants;
