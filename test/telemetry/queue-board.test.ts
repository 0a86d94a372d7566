/** The queue board: which waiting queues an operator sees, and what neither the operator nor a foreign host may see. */

import type { Loose } from '../support/command-context.ts'
import { eventually } from '../support/eventually.ts'
import { serviceOfFile } from '../support/of-file.ts'
import { column } from '../support/records.ts'
import { startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

test('the board shows every shard, and the queues of tenants whose commands wait, without what is in them', async t => {
  const services = await testServices()
  const env = { QUEUE_SHARDS: '3', COMMAND_DEADLINE_MS: '60000' }
  const service = await startService(services, { env, workers: 0 })
  const board = async (path: string) => (await fetch(`${service.adminUrl}/queues/api/queues${path}`)).json() as Loose
  const shown = async (query = '') => (await board(query)).queues
  const names = async () => (await shown()).map(({ name }: Loose) => name)
  const shared = ['ready', 's1ready', 's2ready', 'webhooks']
  t.deepEqual(await names(), shared)

  const [busy, calm, idle] = [await service.tenant(), await service.tenant(), await service.tenant()]
  const answers = [busy, busy, calm].map(client => client.post('/storage-places', { title: 'Private place' }))
  await eventually(async () => (await names()).length === shared.length + 2)
  const nameOf = ({ tenantId }: { tenantId: string }) => `t${tenantId}`
  t.false((await names()).includes(nameOf(idle)))
  await eventually(async () => {
    const queues = await shown()
    const waiting = (client: { tenantId: string }) =>
      queues.find(({ name }: Loose) => name === nameOf(client))?.counts.waiting
    return waiting(busy) === 2 && waiting(calm) === 1
  })

  const [queue] = (await shown(`?activeQueue=${nameOf(busy)}&page=1`)).filter(
    ({ name }: Loose) => name === nameOf(busy),
  )
  t.like(queue, { displayName: `tenant ${busy.tenantId}`, readOnlyMode: true, hasWorkers: null })
  t.is(queue.jobs.length, 2)
  const [job] = queue.jobs
  t.is(job.name, 'createStoragePlace')
  t.deepEqual(Object.keys(job.data), ['endpoint', 'request_id', 'key_id', 'accepted_at'])
  t.is(job.data.key_id, busy.keyId)
  for (const path of ['', '/flow', '/logs']) {
    const answer = await fetch(`${service.adminUrl}/queues/api/queues/${nameOf(busy)}/${job.id}${path}`)
    t.is(answer.status, 200, path)
    t.notRegex(await answer.text(), /Private/, path)
  }
  const emptying = await fetch(`${service.adminUrl}/queues/api/queues/${nameOf(busy)}/empty`, { method: 'PUT' })
  t.true(emptying.status >= 400)

  const worker = await startService(services, { env })
  t.deepEqual(column(await Promise.all(answers), 'status'), [201, 201, 201])
  await eventually(async () => (await names()).length === shared.length)
  await worker.close()
  await service.close()
  await services.close()
})

test('the page loads nothing from a foreign host, and its policy would not let it', async t => {
  const service = await serviceOfFile()
  for (const path of ['/queues', '/queues/', '/queues/queue/ready']) {
    const page = await fetch(`${service.adminUrl}${path}`)
    t.is(page.status, 200)
    const html = await page.text()
    t.regex(html, /<script defer src="static\//)
    t.deepEqual(html.match(/(?:src|href)="(?:https?:)?\/\/[^"]*"/g), null)
    const policy = page.headers.get('content-security-policy') ?? ''
    t.regex(policy, /^default-src 'none'; /)
    t.notRegex(policy, /https?:|\*/)
    // The board serves all files of its page itself.
    for (const [, file] of html.matchAll(/(?:src|href)="(static\/[^"]+)"/g))
      t.is((await fetch(`${service.adminUrl}/queues/${file}`)).status, 200, file)
  }
})
