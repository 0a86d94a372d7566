/** Owns making the data folder, in one clear line when it cannot be. */
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { SetupError } from './setup-error.ts'

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
