/** The receivers' guide: its JavaScript accepts what the service sends, and its text agrees with the rules. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../lib/tools/embedded/free-port.ts'
import { eventually } from '../support/eventually.ts'
import { ofTests } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'
import { delivery, makePlace, subscribe, webhookBench } from './bench.ts'

const test = testsOf(import.meta)

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const text = await readFile(`${ROOT}docs/webhooks.md`, 'utf8')
const service = ofTests(test, webhookBench)

test('the JavaScript receiver of the guide takes what is sent and refuses what is forged', async t => {
  const port = await freePort('127.0.0.1')
  const client = await service.tenant()
  const { id, secret } = await subscribe(client, `http://127.0.0.1:${port}/hooks/millrace`)
  const source = /```js\n([\s\S]*?)```/.exec(text)?.[1]?.replace('8080', String(port)) ?? ''
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  createInterface({ input: child.stdout }).on('line', line => lines.push(line))
  await eventually(
    async () => (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' })).status === 400,
  )
  await makePlace(client)
  const done = await delivery(client, id, ({ attempts }) => attempts > 0)
  t.is(done.status, 'succeeded')
  t.is(done.response_status, 204)
  t.deepEqual(lines, ['1 storage_place.created'])
  child.kill()
  await once(child, 'exit')
})

test('the guide verifies in four languages', t => {
  for (const language of ['js', 'python', 'go', 'ruby']) t.is(text.split(`\`\`\`${language}\n`).length, 3, language)
})
