/** Housekeeping on databases that have been used for months: with statistics, and with old rows of every kind. */

import { Client } from 'pg'
import { connectionString, withOptions } from '../../lib/platform/postgres/address.ts'
import { createPool } from '../../lib/platform/postgres/postgres.ts'
import { choresOfWebhook, choresOfWorker } from '../../workers/housekeeping/chores.ts'
import { runChore } from '../../workers/housekeeping/housekeeping.ts'
import { testServices } from '../support/services.ts'
import { apart } from '../support/suite.ts'

const test = apart(import.meta)

/** How many rows each chore removes or changes: one of each kind, and of partitions as many as 40 days have. */
const done: Readonly<Record<string, number>> = {
  security_network_keys: 1,
  commands_periods: 1,
  refused_commands: 1,
  refused_requests: 1,
  refused_requests_periods: 1,
  spent_documents: 1,
  // The partitions of seven weeks in two tables, and the row of a writer.
  security: 15,
  security_hours: 1,
  key_changes: 1,
  api_keys: 1,
  past_stock_balances: 1,
  book_turnovers: 0,
  events_periods: 1,
  webhook_deliveries: 1,
  webhook_backlog: 1,
  webhook_deleted_deliveries: 1,
  webhook_subscriptions: 1,
  mails: 1,
}

/** One old row of each kind, and the partitions of the last twelve weeks. */
const whatIsOld = `
  set session_replication_role = replica; -- no triggers, no references: each chore needs its own rows alone
  do $$
  declare
    kept text;
    ends timestamptz;
  begin
    foreach kept in array array['commands', 'events'] loop
      ends := period_end(to_regclass(kept || '_before'));
      execute format('alter table %I detach partition %I', kept, kept || '_before');
      perform make_period(kept, kept || '_20200101');
      execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', kept, kept || '_20200101', '2020-01-11 00:00+00');
      execute format('alter table %I attach partition %I for values from (%L) to (%L)', kept, kept || '_before', '2020-01-11 00:00+00', ends);
    end loop;
  end $$;
  select make_period('refused_requests', 'refused_requests_2020010100');
  drop table refused_requests_before;
  alter table refused_requests attach partition refused_requests_2020010100 for values from (minvalue) to ('2020-01-01 06:00+00');
  insert into tenants (tenant_id, name, owner_email) values (7, 'T', 'o');
  insert into tenant_streams (tenant_id) values (7);
  insert into security_network_keys (day, key) values (current_date - 30, '\\x00');
  insert into commands (tenant_id, idempotency_key, fingerprint, endpoint, status, key_id, request_id, created_at)
  values (7, 'k', '\\x00', 'createProduct', 201, 1, 'r', now() - interval '31 days');
  insert into events (tenant_id, sequence, type, body, created_at)
  values (7, 1, 'product.created', '{}', now() - interval '31 days');
  insert into refused_commands (tenant_id, claim_id, refusal, idempotency_key, created_at) values (7, 'c', '{}', 'k', now() - interval '2 hours');
  insert into refused_requests (tenant_id, id, request_id, key_id, idempotency_key, status, error, message)
  select 7, n, 'r', 1, 'k', 404, 'not_found', 'gone' from generate_series(1, 100001) n;
  insert into spent_documents (tenant_id, quota_group, quota_day, documents) values (7, 1, current_date - 4, 1);
  select make_security_partitions(current_date - 84, 17), make_security_partitions(current_date - 150, 7);
  insert into security_writers (writer, last_batch, written_at) values ('w', 1, now() - interval '2 days');
  insert into security_recent (tenant_id, hour, batch, place, second, key_id, metric, method, route, count)
  values (7, extract(epoch from now())::bigint / 3600 - 48, 1, 1, 0, 1, 0, 'GET', '/stock', 1);
  insert into api_keys (tenant_id, name, user_name, token_hash, scopes, quota_group, created_at, expires_at)
  values (7, 'K', 'owner', sha256('7'), '{}', 1, now() - interval '200 days', now() - interval '100 days');
  insert into key_changes (tenant_id, changed_at) values (7, now() - interval '2 days');
  insert into stock_movements (tenant_id, stock_level_id, item_variant_id, kind, quantity, quarantine_quantity, value,
    quantity_after, source_type, source_id, document_date, day, entry_id, created_at)
  values (7, 1, 1, 'ADJUSTMENT', 1, 0, 0, 1, 'STOCK_ADJUSTMENT', 1, now(), now(), 1, now());
  insert into webhook_subscriptions (tenant_id, id, url, events, enabled, status, from_sequence, generation, good_since, created_at, deleted_at)
  values (7, 7, 'https://a', '{*}', true, 'active', 0, 2, now(), now(), null),
    (7, 8, 'https://b', '{*}', true, 'active', 0, 1, now(), now(), now() - interval '1 day');
  insert into webhook_deliveries (tenant_id, subscription_id, generation, event_id, event_type, body, status, next_attempt_at, created_at, completed_at)
  values (7, 7, 2, 'e1', 'product.created', '{}', 'succeeded', null, now() - interval '31 days', now()),
    (7, 7, 1, 'e2', 'product.created', '{}', 'pending', now() - interval '15 days', now() - interval '16 days', null),
    (7, 8, 1, 'e3', 'product.created', '{}', 'succeeded', null, now(), now());
  insert into mails (tenant_id, cause, kind, recipient, facts, created_at)
  values (7, 'c', 'webhook_disabled', 'o', '{}', now() - interval '31 days');
  reset session_replication_role`

/**
 * The statements must be right with every join and look-up: the plan that PostgreSQL's statistics select here may be another one in another
 * database.
 */
const plans: Readonly<Record<string, readonly string[]>> = {
  'as its statistics say': [],
  'by hashes': ['enable_nestloop=off', 'enable_mergejoin=off'],
  'by merges': ['enable_nestloop=off', 'enable_hashjoin=off'],
  'without indexes': ['enable_indexscan=off', 'enable_bitmapscan=off', 'enable_indexonlyscan=off'],
}

for (const [name, settings] of Object.entries(plans))
  test(`every chore removes what is old in a database of many months, planned ${name}`, async t => {
    const { databaseUrl, close } = await testServices()
    const client = new Client({ connectionString: connectionString(databaseUrl) })
    const timeouts = { statementTimeoutMs: 20_000, idleInTransactionTimeoutMs: 20_000 }
    const pool = await createPool(withOptions(databaseUrl, ...settings), { ...timeouts, size: 1 })
    t.teardown(async () => {
      await Promise.all([client.end(), pool.end()])
      await close()
    })
    await client.connect()
    await client.query(whatIsOld)
    await client.query('analyze')
    const found: Record<string, number | string> = {}
    for (const chore of [...choresOfWorker, ...choresOfWebhook])
      found[chore.name] = await runChore(pool, chore).catch((error: Error) => String(error.cause ?? error))
    t.deepEqual(found, done)
  })
