/** Mails to tenants' owners: one for each key and day, through a real mail server, tried again, or as files without one. */
import { mkdtemp, readdir, readFile, stat } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { SMTPServer } from 'smtp-server'
import * as v from 'valibot'
import { queueMails } from '../../lib/platform/mail/outbox.ts'
import { type MailTransport, mailTransport } from '../../lib/platform/mail/transport.ts'
import { type Pool, rows, statement } from '../../lib/platform/postgres/postgres.ts'
import { createLog } from '../../lib/platform/telemetry/log.ts'
import { sendDueMails } from '../../workers/webhooks/mail-sender.ts'
import { eventually } from '../support/eventually.ts'
import { serviceOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta, { isSerial: true })

const service = await serviceOfFile()
const log = createLog({ level: 'silent', processName: 'test' })

type Taken = { readonly from: string; readonly to: string[]; readonly text: string; readonly user: string | undefined }

/**
 * A real SMTP server on this machine. `refuse` makes it refuse the next mails, `refuseRecipients` their recipients, and `holdUntil` makes
 * it answer later.
 */
async function mailServer() {
  const taken: Taken[] = []
  let isRefusing = false
  let isRefusingRecipients = false
  let isFree: Promise<void> = Promise.resolve()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      password === 'secret' ? done(null, { user: username }) : done(new Error('no')),
    onRcptTo: ({ address }, _session, done) =>
      isRefusingRecipients
        ? done(Object.assign(new Error(`<${address}>: no such mailbox`), { responseCode: 550 }))
        : done(),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', chunk => chunks.push(chunk))
      stream.on('end', () => {
        if (isRefusing) return done(Object.assign(new Error('try later'), { responseCode: 451 }))
        const { mailFrom, rcptTo } = session.envelope
        taken.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString(),
          user: session.user,
        })
        void isFree.then(() => done())
      })
    },
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    taken,
    url: `smtp://127.0.0.1:${port}`,
    port,
    refuse: (given: boolean) => {
      isRefusing = given
    },
    holdUntil: (free: Promise<void>) => {
      isFree = free
    },
    refuseRecipients: () => {
      isRefusingRecipients = true
    },
    close: () => new Promise<void>(resolve => server.close(resolve)),
  }
}

const mailsOf = (pool: Pool, tenantId: string) =>
  pool.any(
    rows(
      v.object({ cause: v.string(), recipient: v.string(), attempts: v.number(), sent: v.boolean() }),
    )`select cause, recipient, attempts, sent_at is not null as sent from mails where tenant_id = ${tenantId} order by id`,
  )

/** Sends all due mails of the database. Each test reads only those of its tenant. */
async function send(transport: MailTransport): Promise<void> {
  await sendDueMails({ pool: service.pool, log, transport })
}

test('the request beyond the daily quota tells the owner, once per key and day', async t => {
  const client = await service.tenant({ key: { name: 'Shop North', dailyDocuments: 2 } })
  for (let n = 0; n < 2; n++) t.is((await client.post('/products', { title: `Product ${n}` })).status, 201)
  t.deepEqual(await mailsOf(service.pool, client.tenantId), [], 'the last document of the quota tells nobody')
  const refused = await Promise.all(Array.from({ length: 20 }, () => client.post('/products', { title: 'Over' })))
  for (const { status } of refused) t.is(status, 429)
  const [mail, ...others] = await eventually(async () => {
    const found = await mailsOf(service.pool, client.tenantId)
    return found.length > 0 && found
  })
  t.deepEqual(others, [])
  t.is(mail?.recipient, 'owner@test.example')
  const other = await service.key(client.tenantId, { name: 'Other', dailyDocuments: 0 })
  t.is((await other.client.post('/products', { title: 'Over' })).status, 429)
  await eventually(async () => (await mailsOf(service.pool, client.tenantId)).length === 2)
  const server = await mailServer()
  const transport = mailTransport({ smtpUrl: server.url, mailFrom: 'Millrace <noreply@mill.example>', dataFolder: '' })
  await send(transport)
  t.is(server.taken.length, 2)
  const [first] = server.taken
  t.is(first?.from, 'noreply@mill.example')
  t.deepEqual(first?.to, ['owner@test.example'])
  t.regex(first?.text ?? '', /^Subject: API key Shop North: daily document quota is spent\r$/m)
  t.regex(first?.text ?? '', /^has created 2 documents on \d{4}-\d\d-\d\d \(UTC\)/m)
  t.regex(first?.text ?? '', /^Auto-Submitted: auto-generated\r$/m)
  t.is((await client.post('/products', { title: 'Over' })).status, 429)
  await send(transport)
  t.is(server.taken.length, 2)
  transport.close()
  await server.close()
})

test('a mail that the server does not take is tried again later, with the same Message-ID', async t => {
  const client = await service.tenant()
  const facts = { subscription_id: '7', url: 'https://example.com/x', reason: 'HTTP 500', last_delivery_at: null }
  const cause = 'webhook:7:2'
  for (let n = 0; n < 2; n++)
    await queueMails(service.pool, [{ tenantId: client.tenantId, cause, kind: 'webhook_disabled', facts }])
  const server = await mailServer()
  const smtpUrl = `smtp://user:secret@127.0.0.1:${server.port}`
  const transport = mailTransport({ smtpUrl, mailFrom: 'a@b.example', dataFolder: '' })
  t.false(transport.target.includes('secret'))
  server.refuse(true)
  await send(transport)
  t.deepEqual(await mailsOf(service.pool, client.tenantId), [
    { cause, recipient: 'owner@test.example', attempts: 1, sent: false },
  ])
  server.refuse(false)
  await send(transport)
  t.is(server.taken.length, 0, 'not before its time')
  await service.pool.query(statement`update mails set next_attempt_at = now() where tenant_id = ${client.tenantId}`)
  await send(transport)
  t.is(server.taken.length, 1)
  t.is(server.taken[0]?.user, 'user')
  t.regex(server.taken[0]?.text ?? '', /^Message-ID: <\d+@millrace>\r$/m)
  t.regex(server.taken[0]?.text ?? '', /^Last failure: HTTP 500\r$/m)
  t.true((await mailsOf(service.pool, client.tenantId))[0]?.sent)
  transport.close()
  await server.close()
})

test('a mail server that repeats the owner’s address does not bring it into the log', async t => {
  const client = await service.tenant()
  const facts = { subscription_id: '9', url: 'https://example.com/z', reason: null, last_delivery_at: null }
  await queueMails(service.pool, [{ tenantId: client.tenantId, cause: 'webhook:9:2', kind: 'webhook_disabled', facts }])
  const server = await mailServer()
  server.refuseRecipients()
  const lines: string[] = []
  const transport = mailTransport({ smtpUrl: server.url, mailFrom: 'a@b.example', dataFolder: '' })
  // Not the form of errors in log.ts: this one keeps everything that an error contains.
  const kept = pino(
    { serializers: { err: error => ({ ...error, message: error.message, stack: error.stack }) } },
    { write: line => void lines.push(line) },
  )
  await sendDueMails({ pool: service.pool, log: kept, transport })
  const [line = '', ...others] = lines.filter(each => each.includes('mail not sent'))
  t.deepEqual(others, [])
  t.like(JSON.parse(line), { tenant_id: client.tenantId, code: 'EENVELOPE', response_code: 550 })
  t.false(lines.join('').includes('owner@'), lines.join(''))
  transport.close()
  await server.close()
})

test('a mail whose turn came late goes once, whoever else sent it while a slow server held up the first', async t => {
  const client = await service.tenant()
  const facts = { subscription_id: '5', url: 'https://example.com/s', reason: null, last_delivery_at: null }
  for (const cause of ['webhook:5:2', 'webhook:5:3'])
    await queueMails(service.pool, [{ tenantId: client.tenantId, cause, kind: 'webhook_disabled', facts }])
  const [slow, quick, held] = [await mailServer(), await mailServer(), Promise.withResolvers<void>()]
  const to = (server: { readonly url: string }) =>
    mailTransport({ smtpUrl: server.url, mailFrom: 'a@b.example', dataFolder: '' })
  const [first, second] = [to(slow), to(quick)]
  slow.holdUntil(held.promise)
  const sending = send(first)
  const idOf = (taken: Taken | undefined) => /^Message-ID: <(\d+)@/m.exec(taken?.text ?? '')?.[1] ?? ''
  const inHand = idOf(await eventually(() => slow.taken[0]))
  // As if the lease of whatever is not being sent had ended meanwhile.
  await service.pool.query(statement`
    update mails set next_attempt_at = now() where tenant_id = ${client.tenantId} and id <> ${inHand}::bigint`)
  await send(second)
  held.resolve()
  await sending
  t.deepEqual(slow.taken.map(idOf), [inHand])
  t.is(quick.taken.length, 1)
  t.not(idOf(quick.taken[0]), inHand)
  for (const transport of [first, second]) transport.close()
  await Promise.all([slow.close(), quick.close()])
})

test('without a mail server a mail is a private file in the data folder', async t => {
  const client = await service.tenant()
  const facts = { subscription_id: '8', url: 'https://example.com/y', reason: null, last_delivery_at: null }
  await queueMails(service.pool, [{ tenantId: client.tenantId, cause: 'webhook:8:2', kind: 'webhook_disabled', facts }])
  const folder = await mkdtemp(join(tmpdir(), 'millrace-mail-'))
  const transport = mailTransport({ smtpUrl: undefined, mailFrom: 'a@b.example', dataFolder: folder })
  t.is(transport.target, join(folder, 'mail'))
  await send(transport)
  const [name = '', ...others] = await readdir(join(folder, 'mail'))
  t.deepEqual(others, [])
  t.regex(name, /\.eml$/)
  t.is((await stat(join(folder, 'mail', name))).mode & 0o777, 0o600)
  const text = await readFile(join(folder, 'mail', name), 'utf8')
  t.regex(text, /^To: owner@test\.example$/m)
  t.regex(text, /^Subject: Webhook subscription 8 was disabled$/m)
})

test('a line break in a name makes no header', async t => {
  const client = await service.tenant({ key: { name: 'x\r\nBcc: victim@example.com', dailyDocuments: 0 } })
  t.is((await client.post('/products', { title: 'Over' })).status, 429)
  await eventually(async () => (await mailsOf(service.pool, client.tenantId)).length === 1)
  const server = await mailServer()
  const transport = mailTransport({ smtpUrl: server.url, mailFrom: 'a@b.example', dataFolder: '' })
  await send(transport)
  t.deepEqual(server.taken[0]?.to, ['owner@test.example'])
  t.notRegex(server.taken[0]?.text ?? '', /^Bcc:/m)
  transport.close()
  await server.close()
})
