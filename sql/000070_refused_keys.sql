-- Under which key a refusal was told, for the hour for which it is kept: a copy of the key that was accepted before must not succeed any
-- more, whoever held it meanwhile. Null in rows of workers of before.
alter table refused_commands add column idempotency_key text;
create index refused_commands_by_key on refused_commands (tenant_id, idempotency_key, created_at) where idempotency_key is not null;
