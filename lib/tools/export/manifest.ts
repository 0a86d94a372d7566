/** The manifest of an export: its tenant, and for each complete file its rows, SHA-256 and snapshot. It reads no database. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { Refused } from '../refused.ts'

export const MANIFEST = 'manifest.json'

const Manifest = v.object({
  format: v.literal('millrace-export-1'),
  version: v.string(),
  tenant_id: v.string(),
  tenant: v.record(v.string(), v.nullable(v.string())),
  /** Whether all files are there. */
  complete: v.boolean(),
  /** The times of the snapshots of the files. One, unless the export broke off. */
  snapshots: v.array(v.string()),
  files: v.record(
    v.string(),
    v.object({ rows: v.number(), bytes: v.number(), sha256: v.string(), snapshot_at: v.string() }),
  ),
})
export type Manifest = v.InferOutput<typeof Manifest>

/** The manifest of the folder; null: it has none. @throws Refused */
export async function readManifest(folder: string): Promise<Manifest | null> {
  let text: string
  try {
    text = await readFile(join(folder, MANIFEST), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  try {
    return v.parse(Manifest, JSON.parse(text))
  } catch {
    throw new Refused(`${join(folder, MANIFEST)} is no manifest of an export`)
  }
}

/** Written whole or not at all. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const path = join(folder, MANIFEST)
  await writeFile(`${path}.part`, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true })
  await rename(`${path}.part`, path)
}

export type FileFault = { readonly file: string; readonly fault: string }

/** What is wrong with a file of the manifest; null: nothing. */
export async function faultOf(folder: string, manifest: Manifest, file: string): Promise<FileFault | null> {
  const noted = manifest.files[file]
  if (noted === undefined) return { file, fault: 'is not in the manifest' }
  const hash = createHash('sha256')
  let bytes = 0
  try {
    for await (const piece of createReadStream(join(folder, file)) as AsyncIterable<Buffer>) {
      hash.update(piece)
      bytes += piece.length
    }
  } catch (error) {
    return { file, fault: `cannot be read (${(error as NodeJS.ErrnoException).code})` }
  }
  if (bytes !== noted.bytes) return { file, fault: `has ${bytes} bytes, not ${noted.bytes}` }
  return hash.digest('hex') === noted.sha256 ? null : { file, fault: 'has another SHA-256' }
}
