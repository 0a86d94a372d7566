/** Makes the data folder, and checks whether this version can read its content. An error is one clear line. */
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { SetupError } from './setup-error.ts'

/** The format of the folder's content. A release that cannot read an older format has another number. */
const FORMAT = '1'

/**
 * Makes the folder and its parents one by one: a recursive mkdir never returns where the system keeps answering that there is no such
 * folder (below /proc). @throws SetupError
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
 * Refuses a folder with data of another format, and does not change it. An empty folder is marked with this format. Folders of pre-releases
 * have no mark.
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
