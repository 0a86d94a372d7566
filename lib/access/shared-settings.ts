/**
 * Settings that all processes must share, noted in the main cell's database. A process with another value would look for commands in other
 * queues than the rest. lib/webhooks/service-key.ts compares the key that encrypts webhook secrets.
 */
import * as v from 'valibot'
import type { Config } from '../platform/config.ts'
import { ConfigError } from '../platform/config-error.ts'
import { inTime } from '../platform/postgres/in-time.ts'
import { type Connection, jsonParameter, type Pool, rows, statement } from '../platform/postgres/postgres.ts'
import { readRedisAddress } from '../platform/redis/address.ts'

export type SharedSetting = { readonly name: string; readonly value: string }
/** A setting whose value in this process differs from the service's. */
export type Difference = SharedSetting & { readonly noted: string }

type Settings = Pick<Config, 'queueShards' | 'redisUrl'>

/** The kind of Redis that REDIS_URL leads to. The address itself may differ between machines. */
const kindOfRedis = (redisUrl: string): string =>
  readRedisAddress(redisUrl)?.kind === 'cluster' ? 'a cluster' : 'one server'

const sharedSettings = ({ queueShards, redisUrl }: Settings): readonly SharedSetting[] => [
  { name: 'QUEUE_SHARDS', value: String(queueShards) },
  ...(redisUrl === undefined ? [] : [{ name: 'REDIS_URL', value: kindOfRedis(redisUrl) }]),
]

/** The settings that differ from the noted values. Nothing is noted. */
export async function differencesIn(main: Connection, settings: Settings): Promise<readonly Difference[]> {
  const noted = await main.any(rows(v.object({ name: v.string(), value: v.string() }))`
    select name, value from service_settings`)
  return sharedSettings(settings).flatMap(({ name, value }) => {
    const other = noted.find(each => each.name === name)?.value ?? value
    return other === value ? [] : [{ name, value, noted: other }]
  })
}

export const wordsOf = ({ name, value, noted }: Difference): string =>
  `${name} is ${value} here and ${noted} in the service`

export const HOW_TO_CHANGE =
  'give all processes the same; to change it stop all of them, run bin/millrace settings forget, and start them with the new value'

/**
 * Compares the settings of a starting process with the noted ones. The first process notes its own. Nothing is compared if PostgreSQL does
 * not answer. @throws ConfigError with a line for each setting that differs
 */
export async function joinSettings(
  main: Pool,
  settings: Settings,
  onUncompared: (error: unknown) => void,
): Promise<void> {
  const differences = await inTime(async () => {
    await main.query(statement`
      insert into service_settings (name, value)
      select name, value from jsonb_to_recordset(${jsonParameter(sharedSettings(settings))}::jsonb) as s (name text, value text)
      on conflict (name) do nothing`)
    return differencesIn(main, settings)
  }, onUncompared)
  if (differences === undefined || differences.length === 0) return
  throw new ConfigError(...differences.map(each => `${wordsOf(each)}: ${HOW_TO_CHANGE}`))
}

/** Deletes the noted settings, so that the next process to start notes its own. @returns how many were noted */
export async function forgetSettings(main: Pool): Promise<number> {
  const { rowCount } = await main.query(statement`delete from service_settings`)
  return rowCount ?? 0
}
