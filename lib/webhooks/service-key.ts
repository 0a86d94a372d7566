/**
 * The mark of the key that encrypts the service's webhook secrets, in the main cell's database. A process with another key could not
 * decrypt the secrets of the others, nor they its own. The key itself is not stored.
 */
import * as v from 'valibot'
import { ConfigError } from '../platform/config-error.ts'
import { inTime } from '../platform/postgres/in-time.ts'
import { type Connection, type Pool, rows, statement } from '../platform/postgres/postgres.ts'
import type { SecretBox } from '../platform/secret-box.ts'

/** The mark of the service's key. Null if no process has named one yet. */
export async function serviceKeyOf(main: Connection): Promise<string | null> {
  const named = await main.maybeOne(rows(v.object({ mark: v.string() }))`select mark from service_key`)
  return named?.mark ?? null
}

/** Makes the newest key of the box the service's key. */
export async function nameServiceKey(main: Pool, box: SecretBox): Promise<void> {
  await main.query(statement`
    insert into service_key (mark) select ${box.marks()[0] ?? ''}
    on conflict (is_only) do update set mark = excluded.mark, named_at = excluded.named_at
    where service_key.mark <> excluded.mark`)
}

/**
 * Compares the keys of a starting process with the service's key. The first process names the service's key: of two keys the earlier one,
 * because processes with only that key may still start. Nothing is compared if PostgreSQL does not answer. @throws ConfigError when the
 * service's key is not among them
 */
export async function joinService(main: Pool, box: SecretBox, onUncompared: (error: unknown) => void): Promise<void> {
  const mark = await inTime(() => namedOrOwn(main, box), onUncompared)
  if (typeof mark !== 'string' || box.marks().includes(mark)) return
  throw new ConfigError(
    "WEBHOOK_SECRET_KEY is not the service's key: give all processes the same one; to change it give them the new and the old one with a comma, then run bin/millrace webhook reseal (with --give-up-lost where the old one is lost)",
  )
}

async function namedOrOwn(main: Pool, box: SecretBox): Promise<string | null> {
  const named = await serviceKeyOf(main)
  if (named !== null) return named
  await main.query(statement`
    insert into service_key (mark) select ${box.marks().at(-1) ?? ''} on conflict (is_only) do nothing`)
  return serviceKeyOf(main)
}
