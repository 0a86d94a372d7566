/** Owns small private files of the data folder: written whole or not at all, readable by their owner alone. */
import { randomBytes, randomUUID } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'

/**
 * Replaces a file atomically, with mode 0600: a reader sees the old or the new text, never a part. The draft is the writer's
 * own; process ids are not, in containers on one volume.
 */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}.draft`
  await writeFile(draft, text, { mode: 0o600, flag: 'wx' })
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

/** The password kept in a file; made at random (192 bits, URL-safe) and stored on first use. */
export async function passwordIn(path: string): Promise<string> {
  const kept = await readIfThere(path)
  if (kept !== null && kept.trim() !== '') return kept.trim()
  const password = randomBytes(24).toString('base64url')
  await writePrivateFile(path, `${password}\n`)
  return password
}
