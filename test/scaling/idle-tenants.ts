/**
 * Fills a database with tenants that were active once and not since: each with a key, a product with stock, a subscription whose deliveries
 * all succeeded, and a log of commands. Each takes about 2 KB, and few statements write all of them.
 */
import type { Client } from 'pg'

/** The ids of the idle tenants are greater than this one. The tokens of their keys are not stored anywhere. */
export const IDLE_BASE = 1_000_000_000

/**
 * Every second tenant has a subscription, and one of five hundred has a second generation with a delivery that was dropped ten days ago.
 */
export async function fillIdle(client: Client, tenants: number): Promise<void> {
  const each = `from generate_series(${IDLE_BASE + 1}, ${IDLE_BASE + tenants}) as t`
  const eachOf = (rows: number) => `${each} cross join generate_series(1, ${rows}) as n`
  const id = (kind: number) => `(t::bigint * 100 + ${kind})`
  const past = `now() - interval '10 days'`
  const statements = [
    `insert into tenants (tenant_id, name, owner_email, plan, created_at) select t, 'Idle ' || t, 'owner@test.example', 'pro', ${past} ${each}`,
    `insert into tenant_streams (tenant_id, event_sequence, last_command_at, has_webhooks) select t, 3, ${past}, t % 2 = 0 ${each}`,
    `insert into api_keys (tenant_id, id, quota_group, name, user_name, token_hash, scopes, created_at)
     select t, ${id(1)}, ${id(1)}, 'K', 'owner', sha256(t::text::bytea), '{read:stock,write:catalog.product.create}', ${past} ${each}`,
    `insert into commands (tenant_id, idempotency_key, fingerprint, endpoint, status, body, key_id, request_id, created_at)
     select t, 'key-' || n, sha256(convert_to('c' || t || '-' || n, 'UTF8')), 'createProduct', 201, repeat('x', 200), ${id(1)}, 'req_' || t || n, ${past} ${eachOf(3)}`,
    `insert into events (tenant_id, sequence, type, body, created_at)
     select t, n, 'product.created', repeat('x', 200), ${past} ${eachOf(3)}`,
    `insert into webhook_relays (tenant_id, relayed_sequence) select t, 3 ${each} where t % 2 = 0`,
    `insert into webhook_subscriptions (tenant_id, id, url, events, enabled, status, from_sequence, good_since, created_at, generation)
     select t, ${id(2)}, 'https://example.com/hook', '{*}', true, 'active', 0, ${past}, ${past}, case when t % 500 = 0 then 2 else 1 end ${each} where t % 2 = 0`,
    `insert into webhook_deliveries (tenant_id, id, subscription_id, generation, event_id, event_type, sequence, status, attempts, created_at, completed_at)
     select t, ${id(10)} + n, ${id(2)}, 1, 'evt_' || t || n, 'product.created', n, 'succeeded', 1, ${past}, ${past} ${eachOf(3)} where t % 2 = 0`,
    `insert into webhook_deliveries (tenant_id, id, subscription_id, generation, event_id, event_type, sequence, status, attempts, created_at, next_attempt_at)
     select t, ${id(20)}, ${id(2)}, 1, 'evt_' || t || '0', 'product.created', 0, 'pending', 1, ${past}, ${past} ${each} where t % 500 = 0`,
    'analyze',
  ]
  for (const statement of statements) await client.query(statement)
}
