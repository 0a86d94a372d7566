/**
 * Encrypts stored webhook secrets again with the newest key, in steps, while everything runs. Counts which keys they are encrypted with.
 * Ended secrets are left out, because they are no longer used.
 */
import * as v from 'valibot'
import { jsonParameter, type Pool, rows, sql } from '../platform/postgres/postgres.ts'
import type { SecretBox } from '../platform/secret-box.ts'
import { secretOwner } from './signature.ts'

const STEP_SECRETS = 200

/** Whether secret `w` still signs. */
const isValid = sql.fragment`(w.expires_at is null or w.expires_at > now())`
/** The mark of the key within a sealed secret. */
const mark = sql.fragment`encode(substr(w.sealed, 2, 4), 'hex')`

/** How many secrets are encrypted with which keys. */
type SealedSecrets = {
  readonly newest: number
  /** With one of the earlier keys. */
  readonly earlier: number
  /** With an unknown key: their subscriptions cannot be sent. */
  readonly unknown: number
}

/** @param marks the marks of the known keys, the newest first */
export async function countSealed(pool: Pool, marks: readonly string[]): Promise<SealedSecrets> {
  const found = await pool.any(rows(v.object({ mark: v.string(), count: v.number() }))`
    select ${mark} as mark, count(*)::int as count from webhook_secrets w where ${isValid} group by 1`)
  const [newest, ...earlier] = marks
  const sum = (is: (mark: string) => boolean) =>
    found.reduce((sum, { mark, count }) => (is(mark) ? sum + count : sum), 0)
  return {
    newest: sum(mark => mark === newest),
    earlier: sum(mark => earlier.includes(mark)),
    unknown: sum(mark => !marks.includes(mark)),
  }
}

const SecretRow = v.object({ tenantId: v.string(), subscriptionId: v.string(), id: v.string(), sealed: v.string() })
type Secret = v.InferOutput<typeof SecretRow>

/**
 * Encrypts everything that the box can decrypt with its newest key. Returns how many secrets it changed. Other secrets stay. After an
 * interruption the next run continues. Several runs at once share the work.
 */
export async function reseal(pool: Pool, box: SecretBox, onStep: (resealed: number) => void): Promise<number> {
  let resealed = 0
  for (let after: Secret | undefined; ; ) {
    const page: readonly Secret[] = await earlierSecrets(pool, box, after)
    resealed += await replaceAll(pool, page, box)
    onStep(resealed)
    if (page.length < STEP_SECRETS) return resealed
    after = page.at(-1)
  }
}

async function earlierSecrets(pool: Pool, box: SecretBox, after: Secret | undefined): Promise<readonly Secret[]> {
  return pool.any(rows(SecretRow)`
    select w.tenant_id::text as "tenantId", w.subscription_id::text as "subscriptionId", w.id::text as id,
      encode(w.sealed, 'hex') as sealed
    from webhook_secrets w
    where (w.tenant_id, w.subscription_id, w.id) >
        (${after?.tenantId ?? '0'}::bigint, ${after?.subscriptionId ?? '0'}::bigint, ${after?.id ?? '0'}::bigint)
      and ${isValid} and ${mark} = any (${sql.array(box.marks().slice(1), 'text')})
    order by w.tenant_id, w.subscription_id, w.id
    limit ${STEP_SECRETS}`)
}

/** One statement per step. A secret that another process changed or removed meanwhile is left alone. */
async function replaceAll(pool: Pool, secrets: readonly Secret[], box: SecretBox): Promise<number> {
  const changes = secrets.map(({ tenantId, subscriptionId, id, sealed }) => {
    const owner = secretOwner(tenantId, subscriptionId)
    const anew = box.seal(box.open(Buffer.from(sealed, 'hex'), owner), owner).toString('hex')
    return { tenant_id: tenantId, subscription_id: subscriptionId, id, sealed, anew }
  })
  const { count } = await pool.one(rows(v.object({ count: v.number() }))`
    with changed as (
      update webhook_secrets w set sealed = decode(c.anew, 'hex')
      from jsonb_to_recordset(${jsonParameter(changes)}::jsonb)
        as c(tenant_id bigint, subscription_id bigint, id bigint, sealed text, anew text)
      where w.tenant_id = c.tenant_id and w.subscription_id = c.subscription_id and w.id = c.id
        and w.sealed = decode(c.sealed, 'hex')
      returning 1
    )
    select count(*)::int as count from changed`)
  return count
}
