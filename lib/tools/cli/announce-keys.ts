/** Publishes changed keys to the running servers, for commands that change keys or their rights. */

import type { KeyChange } from '../../access/key-changes.ts'
import { publishKeyChange } from '../../access/key-changes.ts'
import type { World } from './command.ts'

/** Immediate with Redis. Without Redis the change holds as soon as the servers' caches expire. */
export async function announceKeys(changes: readonly KeyChange[], world: World): Promise<void> {
  try {
    const redis = await world.redis()
    if (redis === null) throw new Error('REDIS_URL is not set')
    await Promise.all(changes.map(change => publishKeyChange(redis, change)))
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/ Refer to .*/, '') : String(error)
    world.warn(`Redis was not told (${reason.replace(/\.$/, '')}); servers notice within 5 seconds`)
  }
}
