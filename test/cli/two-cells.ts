/** A service of two cells, main and east, in one database. The test files of an area that need one share it. */

import { typedJson } from '../support/millrace.ts'
import { onceInProcess } from '../support/of-file.ts'
import { startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'

/** `env`: the settings of its processes. `eastUrl`: the database of the cell `east`. */
export const serviceOfTwoCells = onceInProcess(async () => {
  const { close, ...on } = await testServices()
  const east = new URL(on.databaseUrl)
  east.searchParams.set('schema', 'cell_east')
  const env = {
    DATABASE_URL: on.databaseUrl,
    REDIS_URL: on.redisUrl,
    CELL_EAST_URL: east.href,
    WEBHOOK_ALLOWED_NETWORKS: 'loopback',
    WEBHOOK_SECRET_KEY: 'a'.repeat(64),
  }
  await typedJson(['cell', 'add', 'east'], env)
  const service = await startService(on, { env })
  return {
    ...service,
    ...on,
    env,
    eastUrl: east.href,
    close: async () => {
      await service.close()
      await close()
    },
  }
})
