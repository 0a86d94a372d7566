/** The settings of webhooks and mails: wrong ones are one clear line, and a missing key is made once for all processes. */
import { mkdtemp, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { loadConfig } from '../../lib/config.ts'
import { ConfigError } from '../../lib/config-error.ts'
import { configuredSecretBox } from '../../lib/secret-box.ts'

const KEY = Buffer.alloc(32, 9)

test('wrong settings are one clear line that names them', t => {
  for (const [name, value] of [
    ['WEBHOOK_ALLOWED_NETWORKS', '10.0.0.0/8,lan'],
    ['WEBHOOK_SECRET_KEY', 'short'],
    ['WEBHOOK_SECRET_KEY', `${KEY.toString('base64')},short`],
    ['SMTP_URL', 'http://mail.example'],
    ['MAIL_FROM', 'nobody'],
  ] as const) {
    const error = t.throws(() => loadConfig({ [name]: value }), { instanceOf: ConfigError })
    t.regex(error.message, new RegExp(`^${name} must `))
    t.false(error.message.includes('\n'))
  }
})

test('a key is 32 bytes in base64 or hex, several while it changes', t => {
  const other = Buffer.alloc(32, 8)
  t.is(loadConfig({}).webhookSecretKeys, undefined)
  t.deepEqual(loadConfig({ WEBHOOK_SECRET_KEY: KEY.toString('hex') }).webhookSecretKeys, [KEY])
  const both = `${other.toString('base64')}, ${KEY.toString('base64')}`
  t.deepEqual(loadConfig({ WEBHOOK_SECRET_KEY: both }).webhookSecretKeys, [other, KEY])
  t.is(loadConfig({ WEBHOOK_ALLOWED_NETWORKS: ' loopback , 10.1.2.3,' }).webhookAllowedNetworks.length, 3)
})

test('without a key the first process that needs one makes it in the data folder, private, and all use it', async t => {
  const dataFolder = join(await mkdtemp(join(tmpdir(), 'millrace-key-')), 'data')
  const config = { webhookSecretKeys: undefined, dataFolder }
  const [first, second] = [configuredSecretBox(config), configuredSecretBox(config)]
  await t.throwsAsync(stat(dataFolder), undefined, 'nothing is made before it is needed')
  const sealed = first.seal(Buffer.from('secret'), 'a')
  t.is(second.open(sealed, 'a').toString(), 'secret')
  const path = join(dataFolder, 'webhook-secret.key')
  t.is((await stat(path)).mode & 0o777, 0o600)
  const kept = (await readFile(path, 'utf8')).trim()
  t.is(
    configuredSecretBox({ ...config, webhookSecretKeys: [Buffer.from(kept, 'base64')] })
      .open(sealed, 'a')
      .toString(),
    'secret',
  )
})
