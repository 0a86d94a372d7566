/** Encrypts small secrets before they are stored: AES-256-GCM under a key of the settings. */
import { createCipheriv, createDecipheriv, createHash, randomBytes, randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { ConfigError } from './config-error.ts'
import { readSecretKeys } from './settings.ts'

const VERSION = 1
const IV_BYTES = 12
const TAG_BYTES = 16
const KEY_MARK_BYTES = 4
const HEAD_BYTES = 1 + KEY_MARK_BYTES + IV_BYTES + TAG_BYTES

export type SecretBox = {
  /** Encrypts; `owner` names the row, and the text opens for the same owner only. */
  seal(secret: Buffer, owner: string): Buffer
  /** @throws when the key is another one, or the bytes were changed or belong to another owner. */
  open(sealed: Buffer, owner: string): Buffer
  /** Tells its keys apart without telling of them: what another box must name for `sealFor`. */
  marks(): readonly string[]
  /** Encrypts for a box with these marks under a key that both hold; undefined when there is none. */
  sealFor(marks: readonly string[], secret: Buffer, owner: string): Buffer | undefined
}

/** A box over these keys of 32 bytes: the first one seals, all of them open (so that the key can be changed). */
export function secretBox(keys: readonly Buffer[]): SecretBox {
  const [first] = keys
  if (!first) throw new RangeError('a secret box needs a key')
  const byMark = new Map(keys.map(key => [markOf(key).toString('hex'), key]))
  return {
    seal: (secret, owner) => sealUnder(first, secret, owner),
    sealFor: (marks, secret, owner) => {
      const key = marks.map(mark => byMark.get(mark)).find(found => found !== undefined)
      return key && sealUnder(key, secret, owner)
    },
    marks: () => [...byMark.keys()],
    open: (sealed, owner) => {
      const mark = sealed.subarray(1, 1 + KEY_MARK_BYTES).toString('hex')
      const key = byMark.get(mark)
      if (sealed[0] !== VERSION || !key)
        throw new Error('a stored secret was encrypted with a key that WEBHOOK_SECRET_KEY does not hold')
      const iv = sealed.subarray(1 + KEY_MARK_BYTES, 1 + KEY_MARK_BYTES + IV_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', key, iv)
        .setAAD(Buffer.from(owner))
        .setAuthTag(sealed.subarray(HEAD_BYTES - TAG_BYTES, HEAD_BYTES))
      return Buffer.concat([decipher.update(sealed.subarray(HEAD_BYTES)), decipher.final()])
    },
  }
}

function sealUnder(key: Buffer, secret: Buffer, owner: string): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(owner))
  const text = Buffer.concat([cipher.update(secret), cipher.final()])
  return Buffer.concat([Buffer.of(VERSION), markOf(key), iv, cipher.getAuthTag(), text])
}

/** Tells keys apart without telling of them. */
const markOf = (key: Buffer): Buffer =>
  createHash('sha256').update('millrace key mark').update(key).digest().subarray(0, KEY_MARK_BYTES)

/**
 * The box of a process: WEBHOOK_SECRET_KEY, else a key of the data folder, which the first process that needs it makes
 * (mode 0600). Read on first use, so that a process without secrets needs no folder.
 */
export function configuredSecretBox(config: Pick<Config, 'webhookSecretKeys' | 'dataFolder'>): SecretBox {
  let box: SecretBox | undefined
  const get = () => {
    box ??= secretBox(config.webhookSecretKeys ?? keysOfFolder(config.dataFolder))
    return box
  }
  return {
    seal: (secret, owner) => get().seal(secret, owner),
    open: (sealed, owner) => get().open(sealed, owner),
    marks: () => get().marks(),
    sealFor: (marks, secret, owner) => get().sealFor(marks, secret, owner),
  }
}

/**
 * The box of a command: it never makes a key, which would open nothing.
 * @throws ConfigError when there is none.
 */
export function keptSecretBox({
  webhookSecretKeys,
  dataFolder,
}: Pick<Config, 'webhookSecretKeys' | 'dataFolder'>): SecretBox {
  const path = keyPath(dataFolder)
  const kept = webhookSecretKeys ?? readKeys(path, readFileIfThere(path))
  if (!kept) throw new ConfigError(`WEBHOOK_SECRET_KEY is not set, and ${path} is not there`)
  return secretBox(kept)
}

const keyPath = (folder: string): string => join(folder, 'webhook-secret.key')

function keysOfFolder(folder: string): readonly Buffer[] {
  const path = keyPath(folder)
  const kept = readFileIfThere(path)
  if (kept === undefined) makeKeyFile(folder, path)
  return readKeys(path, kept ?? readFileSync(path, 'utf8'))
}

function readKeys(path: string, text: string): readonly Buffer[]
function readKeys(path: string, text: string | undefined): readonly Buffer[] | undefined
function readKeys(path: string, text: string | undefined): readonly Buffer[] | undefined {
  const keys = text === undefined ? undefined : readSecretKeys(text.trim())
  if (text !== undefined && !keys) throw new ConfigError(`${path} holds no key (32 bytes in base64 or hex)`)
  return keys
}

/**
 * Several processes may start at once: each writes a draft of its own, and the first link wins. A process id would not make
 * it its own: every container begins with 1. On the disk before anything is sealed with it, since nothing else opens that.
 */
function makeKeyFile(folder: string, path: string): void {
  mkdirSync(folder, { recursive: true })
  const draft = `${path}.${randomUUID()}.draft`
  writeFileSync(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx', flush: true })
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

function readFileIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
