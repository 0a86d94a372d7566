/** Looks at the keys that seal webhook secrets. It seals nothing. */

import { ConfigError } from '../../platform/config-error.ts'
import type { Pool } from '../../platform/postgres/postgres.ts'
import type { SecretBox } from '../../platform/secret-box.ts'
import { countSealed } from '../../webhooks/reseal.ts'
import { serviceKeyOf } from '../../webhooks/service-key.ts'
import { type Finding, fault, fine, warning } from './finding.ts'

/** @param openBox throws ConfigError where there is no key here */
export async function checkSecrets(pool: Pool, openBox: () => SecretBox): Promise<Finding> {
  const check = 'webhook secrets'
  const box = boxOrFault(openBox)
  const { newest, earlier, unknown } = await countSealed(pool, box instanceof ConfigError ? [] : box.marks())
  const all = newest + earlier + unknown
  if (all > 0 && box instanceof ConfigError)
    return warning(check, `${all}, not examined: ${box.message}`, 'set the WEBHOOK_SECRET_KEY that all processes have')
  if (unknown > 0)
    return fault(
      check,
      `${unknown} of ${all} are sealed with a key that is not here`,
      'add the key that sealed them to WEBHOOK_SECRET_KEY, everywhere: these subscriptions cannot be sent to',
    )
  const mark = await serviceKeyOf(pool)
  if (mark !== null && !(box instanceof ConfigError) && !box.marks().includes(mark))
    return fault(
      check,
      "the key here is not the service's",
      'set the WEBHOOK_SECRET_KEY that the running processes have: none with this key starts',
    )
  if (earlier > 0)
    return warning(
      check,
      `${earlier} of ${all} are sealed with an earlier key`,
      'run bin/millrace webhook reseal, then take the earlier keys out of WEBHOOK_SECRET_KEY',
    )
  return fine(check, all === 0 ? 'there are none' : `all ${all} are sealed with the newest key`)
}

function boxOrFault(openBox: () => SecretBox): SecretBox | ConfigError {
  try {
    return openBox()
  } catch (error) {
    if (error instanceof ConfigError) return error
    throw error
  }
}
