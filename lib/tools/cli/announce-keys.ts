/** Tells the running servers of changed keys, for the commands that change them or what they may do. */

import type { KeyChange } from '../../access/key-changes.ts'
import { publishKeyChange } from '../../access/key-changes.ts'
import type { World } from './command.ts'

/** At once, where Redis is there. Without it the change holds all the same, when the servers' memory runs out. */
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
