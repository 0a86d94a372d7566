/**
 * Owns the files of earlier versions, taken from the history of this clone, and databases at their migrations. It must not know what is
 * tried with them.
 */
import { execFile, execFileSync } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { migrate } from '../../lib/platform/postgres/migrate.ts'
import { temporaryFolder } from '../support/servers.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** What came after version 1.0; the commit before its first is 1.0 where no tag says so. */
const SINCE_1_0 = 'lib/documents/unit-of-work.ts'

/** What git says, line by line; nothing where this folder is no clone, or one without that history. */
function git(...args: string[]): string[] {
  try {
    const text = execFileSync('git', ['-C', ROOT, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return text.split('\n').filter(line => line !== '')
  } catch {
    return []
  }
}

/** The commits before this one that changed what runs, the newest first. */
export const earlierCommits = (max: number): string[] =>
  git('log', '--format=%H', `-n${max}`, 'HEAD~1', '--', 'workers', 'server', 'lib', 'sql')

/** The commit of version 1.0; undefined in a clone without it. */
export function version1(): string | undefined {
  const [tagged] = git('rev-parse', '--verify', '--quiet', 'v1.0.0^{commit}')
  if (tagged) return tagged
  return commitBefore(SINCE_1_0)
}

/** The commit of the release before this version: by its tag, else the one that gave it its number; undefined in a clone without it. */
export function releaseBefore(version: string): string | undefined {
  const [major = '', minor = ''] = version.split('.')
  const before = `${major}.${Number(minor) - 1}.0`
  const [tagged] = git('rev-parse', '--verify', '--quiet', `v${before}^{commit}`)
  return tagged ?? git('log', '--format=%H', `-S"version": "${before}"`, '--', 'package.json').at(-1)
}

/** The commit before a file was added; undefined in a clone without it. */
export function commitBefore(file: string): string | undefined {
  const first = git('log', '--format=%H', '--diff-filter=A', '--', file).at(-1)
  return first && git('rev-parse', '--verify', '--quiet', `${first}^^{commit}`)[0]
}

/** The files of a commit, with our packages. @throws where this clone does not hold it. */
export async function filesOf(commit: string): Promise<string> {
  const folder = await temporaryFolder()
  await run('sh', ['-c', 'git -C "$1" archive "$2" | tar -x -C "$3"', 'sh', ROOT, commit, folder])
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** A further database on the server, at the migrations of these files. */
export async function databaseOf(
  root: string,
  serverUrl: string,
): Promise<{ databaseUrl: string; drop(): Promise<void> }> {
  const url = new URL(serverUrl)
  url.pathname = `/test_version_${process.pid}`
  const admin = async (text: string) => {
    const client = new Client({ connectionString: serverUrl })
    await client.connect()
    await client.query(text)
    await client.end()
  }
  const name = url.pathname.slice(1)
  await admin(`create database ${name}`)
  await migrate(url.href, { folder: join(root, 'sql') })
  return { databaseUrl: url.href, drop: () => admin(`drop database ${name} with (force)`) }
}
