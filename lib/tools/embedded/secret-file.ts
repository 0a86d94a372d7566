/** Small private files of the data folder: written whole or not at all, readable only by their owner. */
import { randomBytes, randomUUID } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { keyPath, keysIn } from '../../platform/secret-box.ts'

/**
 * Replaces a file atomically, with mode 0600: a reader sees the old or the new text, never a part. The draft's name is random: process ids
 * are not unique in containers on one volume.
 */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}.draft`
  await writeFile(draft, text, { mode: 0o600, flag: 'wx', flush: true })
  await rename(draft, path)
}

/** The text of a file, or null when there is none. */
export async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** The password in a file. On first use it is made at random (192 bits, URL-safe) and stored. */
export async function passwordIn(path: string): Promise<string> {
  const kept = await readIfThere(path)
  if (kept !== null && kept.trim() !== '') return kept.trim()
  const password = randomBytes(24).toString('base64url')
  await writePrivateFile(path, `${password}\n`)
  return password
}

/**
 * The key of webhook secrets for all processes that `npm start` starts, in the form of WEBHOOK_SECRET_KEY. Made and stored on first use.
 * @throws ConfigError when the file contains anything else
 */
export async function webhookKeyIn(dataFolder: string): Promise<string> {
  const path = keyPath(dataFolder)
  const kept = await readIfThere(path)
  if (kept !== null) {
    keysIn(path, kept)
    return kept.trim()
  }
  const key = randomBytes(32).toString('base64')
  await writePrivateFile(path, `${key}\n`)
  return key
}
