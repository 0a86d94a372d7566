/** Owns making the data folder, and whether this version reads what it holds: in one clear line when it cannot be. */
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { SetupError } from './setup-error.ts'

/** The form of what the folder holds. A release that cannot read it any more has another one. */
const FORMAT = '1'

/**
 * Makes the folder and what leads to it, one by one: a recursive mkdir never returns where the system keeps saying that
 * there is no such thing (below /proc). @throws SetupError
 */
export async function makeDataFolder(folder: string): Promise<void> {
  const missing: string[] = []
  for (let at = folder; !(await isThere(at, folder)); at = dirname(at)) missing.push(at)
  for (const path of missing.reverse()) {
    await mkdir(path).catch(error => {
      if (error.code !== 'EEXIST') throw unusable(folder, error.code)
    })
  }
}

/**
 * Refuses a folder whose data another form has, and leaves it as it is; an empty one is marked as of this form. Folders of
 * pre-releases have no mark.
 * @throws SetupError
 */
export async function claimDataFolder(folder: string): Promise<void> {
  const path = join(folder, 'format')
  const format = await readFile(path, 'utf8').catch(() => null)
  if (format?.trim() === FORMAT) return
  if (format !== null) throw unreadable(folder, 'another version')
  const isFilled = await stat(join(folder, 'postgres')).then(
    () => true,
    () => false,
  )
  if (isFilled) throw unreadable(folder, 'a pre-release')
  await writeFile(path, `${FORMAT}\n`)
}

const unreadable = (folder: string, whose: string) =>
  new SetupError(
    `MILLRACE_DATA ${folder} holds data of ${whose} of Millrace, which this version does not read: name another folder, or move it away`,
  )

async function isThere(path: string, folder: string): Promise<boolean> {
  try {
    if ((await stat(path)).isDirectory()) return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return false
    throw unusable(folder, code)
  }
  throw unusable(folder, `${path} is a file`)
}

const unusable = (folder: string, reason: string | undefined) =>
  new SetupError(`MILLRACE_DATA ${folder} cannot be made: ${reason}`)
