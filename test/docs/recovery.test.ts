/** docs/recovery.md from the backup to the first answers of the restored service: its commands are run without changes. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { dumpedPostgres, whyNoDumps } from '../support/dumped-postgres.ts'
import { privateRedis, temporaryFolder } from '../support/servers.ts'
import { type Client, startService } from '../support/service.ts'
import { apart } from '../support/suite.ts'
import { blocksOf, outputsOf, pattern } from './worked-examples.ts'

const test = apart(import.meta)

const root = fileURLToPath(new URL('../..', import.meta.url))
const why = await whyNoDumps()
const testRecovery = why === null ? test : test.skip

/** The page's commands are marked `bash`, since the pages that readme.test.ts runs need a service that is not stopped. */
async function steps(): Promise<readonly string[]> {
  const page = await readFile(`${root}docs/recovery.md`, 'utf8')
  return page.replaceAll('```bash\n', '```sh\n').split(/^## (?=\d)/m)
}

testRecovery(
  `who follows the page has every write of the backup, each lost one once, and no id twice${why === null ? '' : ` (skipped: ${why})`}`,
  async t => {
    const [server, redis, folder] = await Promise.all([dumpedPostgres(), privateRedis(), temporaryFolder()])
    const settings = { DATABASE_URL: server.url, REDIS_URL: redis.url, WEBHOOK_SECRET_KEY: 'a'.repeat(64) }
    const follow = async (...numbers: readonly number[]) => {
      const found = await steps()
      const blocks = numbers.flatMap(number => blocksOf(found.find(text => text.startsWith(`${number}. `)) ?? ''))
      t.true(blocks.length > 0)
      const change = (script: string) => script.replaceAll('bin/millrace', `${root}bin/millrace`)
      const printed = await outputsOf(blocks, { folder, env: settings, change })
      for (const [n, block] of blocks.entries()) t.regex(printed[n] ?? '', pattern(block.printed), block.input)
    }
    const before = await startService({ databaseUrl: server.url, redisUrl: redis.url })
    const client = await before.tenant()
    const write = (of: Client, key: string) => of.post('/products', { title: key }, key)
    const kept = await write(client, 'kept')
    t.is(kept.status, 201)
    await follow(1, 2)
    const lost = await write(client, 'lost')
    t.is(lost.status, 201)
    await before.close()

    await follow(4, 5, 6, 7)
    const restoredUrl = server.url.replace(/\/[^/]*$/, '/millrace_restored')
    const after = await startService({ databaseUrl: restoredUrl, redisUrl: redis.url })
    const again = after.client(client.tenantId, { keyId: client.keyId, token: client.token })
    const replay = await write(again, 'kept')
    t.is(replay.text, kept.text)
    t.is((await again.get('/products')).body.data.length, 1)
    const anew = await write(again, 'lost')
    t.is(anew.status, 201)
    t.true(BigInt(anew.body.id) > BigInt(lost.body.id) + 1_000n, 'an id of the lost writes may come again')
    await after.close()
    await redis.close()
    await server.close()
  },
)
