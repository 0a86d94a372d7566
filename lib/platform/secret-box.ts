/** Encrypts small secrets before they are stored: AES-256-GCM with a key of the settings. */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { ConfigError } from './config-error.ts'
import { readSecretKeys } from './settings.ts'

const VERSION = 1
const IV_BYTES = 12
const TAG_BYTES = 16
const KEY_MARK_BYTES = 4
const HEAD_BYTES = 1 + KEY_MARK_BYTES + IV_BYTES + TAG_BYTES

/** A sealed secret cannot be opened. This is the service's fault, never the tenant's. */
export class UnopenedSecret extends Error {
  override name = 'UnopenedSecret'
}

export type SecretBox = {
  /** Encrypts. `owner` names the row; the result can be decrypted for the same owner only. */
  seal(secret: Buffer, owner: string): Buffer
  /** Decrypts. @throws UnopenedSecret for another key, changed bytes, or another owner */
  open(sealed: Buffer, owner: string): Buffer
  /** Marks of its keys, which do not reveal the keys. Another box uses them in `sealFor`. */
  marks(): readonly string[]
  /** Encrypts for a box with these marks, with a key that both boxes have. Undefined when they share none. */
  sealFor(marks: readonly string[], secret: Buffer, owner: string): Buffer | undefined
}

/** A box with these keys of 32 bytes. The first one encrypts, all of them decrypt, so that the key can be changed. */
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
        throw new UnopenedSecret('a stored secret was encrypted with a key that WEBHOOK_SECRET_KEY does not hold')
      const iv = sealed.subarray(1 + KEY_MARK_BYTES, 1 + KEY_MARK_BYTES + IV_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', key, iv)
        .setAAD(Buffer.from(owner))
        .setAuthTag(sealed.subarray(HEAD_BYTES - TAG_BYTES, HEAD_BYTES))
      try {
        return Buffer.concat([decipher.update(sealed.subarray(HEAD_BYTES)), decipher.final()])
      } catch (cause) {
        throw new UnopenedSecret('a stored secret was changed, or belongs to another owner', { cause })
      }
    },
  }
}

function sealUnder(key: Buffer, secret: Buffer, owner: string): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(owner))
  const text = Buffer.concat([cipher.update(secret), cipher.final()])
  return Buffer.concat([Buffer.of(VERSION), markOf(key), iv, cipher.getAuthTag(), text])
}

/** A mark that identifies a key and does not reveal it. */
const markOf = (key: Buffer): Buffer =>
  createHash('sha256').update('millrace key mark').update(key).digest().subarray(0, KEY_MARK_BYTES)

type Keys = Pick<Config, 'webhookSecretKeys' | 'dataFolder'>

/**
 * The box of a process. It makes no key: other processes could not decrypt with it. (`npm start` makes one for all processes that it
 * starts.) @throws ConfigError without WEBHOOK_SECRET_KEY
 */
export function configuredSecretBox({ webhookSecretKeys, dataFolder }: Keys): SecretBox {
  if (webhookSecretKeys !== undefined) return secretBox(webhookSecretKeys)
  throw new ConfigError(missingKey(dataFolder))
}

/** The message also names the key in the data folder, which `npm start` uses where the setting is missing. */
export function missingKey(dataFolder: string): string {
  const path = keyPath(dataFolder)
  const made = existsSync(path) ? `; secrets that are there already may need the key in ${path}` : ''
  return `WEBHOOK_SECRET_KEY is not set: give all processes the same 32 bytes (openssl rand -base64 32)${made}`
}

/**
 * The box of a command: WEBHOOK_SECRET_KEY, else the key that `npm start` made in the data folder.
 * @throws ConfigError when there is none
 */
export function keptSecretBox({ webhookSecretKeys, dataFolder }: Keys): SecretBox {
  const path = keyPath(dataFolder)
  if (webhookSecretKeys !== undefined) return secretBox(webhookSecretKeys)
  if (!existsSync(path)) throw new ConfigError(`WEBHOOK_SECRET_KEY is not set, and ${path} is not there`)
  return secretBox(keysIn(path, readFileSync(path, 'utf8')))
}

/** The file with the key that `npm start` made. */
export const keyPath = (dataFolder: string): string => join(dataFolder, 'webhook-secret.key')

/** The keys in the text of a file. @throws ConfigError */
export function keysIn(path: string, text: string): readonly Buffer[] {
  const keys = readSecretKeys(text.trim())
  if (!keys) throw new ConfigError(`${path} holds no key (32 bytes in base64 or hex)`)
  return keys
}
