/**
 * The settings of webhooks and mails: a wrong one gives one clear line, and `npm start` makes a missing key once for all processes that it
 * starts.
 */
import { mkdtemp, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../../lib/platform/config.ts'
import { ConfigError } from '../../lib/platform/config-error.ts'
import { configuredSecretBox, keptSecretBox } from '../../lib/platform/secret-box.ts'
import { readSecretKeys } from '../../lib/platform/settings.ts'
import { webhookKeyIn } from '../../lib/tools/embedded/secret-file.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

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

test('npm start makes a key on first use, private, and keeps it', async t => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'millrace-key-'))
  const key = await webhookKeyIn(dataFolder)
  t.is(readSecretKeys(key)?.length, 1)
  const path = join(dataFolder, 'webhook-secret.key')
  t.is((await stat(path)).mode & 0o777, 0o600)
  t.is(await webhookKeyIn(dataFolder), key)
  const sealed = configuredSecretBox({ webhookSecretKeys: readSecretKeys(key), dataFolder }).seal(KEY, 'a')
  t.deepEqual(keptSecretBox({ webhookSecretKeys: undefined, dataFolder }).open(sealed, 'a'), KEY)
  await writeFile(path, 'no key')
  await t.throwsAsync(webhookKeyIn(dataFolder), {
    instanceOf: ConfigError,
    message: /webhook-secret\.key holds no key/,
  })
})

test('a process takes no key but that of its setting, and tells of one in the data folder', async t => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'millrace-key-'))
  const config = { webhookSecretKeys: undefined, dataFolder }
  t.throws(() => configuredSecretBox(config), {
    instanceOf: ConfigError,
    message: /^WEBHOOK_SECRET_KEY is not set: [^;]*$/,
  })
  await webhookKeyIn(dataFolder)
  t.throws(() => configuredSecretBox(config), {
    message: /; secrets that are there already may need the key in \S+\/webhook-secret\.key$/,
  })
})
