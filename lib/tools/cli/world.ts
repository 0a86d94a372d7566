/**
 * Finds and opens what a command needs: the services of the settings, else those that `npm start` runs here (run.json). Everything is
 * opened on first use, and closed at the end.
 */
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import * as v from 'valibot'
import { MAIN } from '../../platform/cells.ts'
import { loadConfig } from '../../platform/config.ts'
import { createPool, type Pool } from '../../platform/postgres/postgres.ts'
import { closeRedis, connectRedis, type Redis } from '../../platform/redis/redis.ts'
import { isLocked } from '../embedded/data-lock.ts'
import { runFilePath } from '../embedded/run-file.ts'
import { Refused, type World } from './command.ts'
import type { ProgressLine } from './progress.ts'

const STATEMENT_TIMEOUT_MS = 60_000

const RunFile = v.object({ base_url: v.string(), database_url: v.string(), redis_url: v.string() })

export type Surroundings = {
  readonly env: NodeJS.ProcessEnv
  /** The program's own folder. The embedded services keep their data in its `.millrace`. */
  readonly root: string
  readonly warn: (text: string) => void
  readonly print: World['print']
  readonly progress: ProgressLine
}

export type OpenWorld = { readonly world: World; readonly close: () => Promise<void> }

/** @throws ConfigError for a wrong setting */
export function openWorld({ env, root, warn, print, progress }: Surroundings): OpenWorld {
  const config = loadConfig(env)
  const dataFolder = env['MILLRACE_DATA'] ? resolve(env['MILLRACE_DATA']) : join(root, '.millrace')
  const runFile = once(() => readRunFile(dataFolder))
  const here = async () => {
    if ((await runFile()) !== undefined) return 'running'
    return isLocked(dataFolder) ? 'starting' : 'nothing'
  }
  const databaseUrl = async () => {
    const url = config.databaseUrl ?? (await runFile())?.database_url
    if (url !== undefined) return url
    throw new Refused(
      `no database: set DATABASE_URL, or start the service with npm start (${(await here()) === 'starting' ? 'one is just starting' : 'nothing runs'} in ${dataFolder})`,
    )
  }
  const closers: (() => Promise<void>)[] = []
  const openPool = async (url: string): Promise<Pool> => {
    const opened = await createPool(url, {
      name: 'millrace command line',
      size: 1,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      idleInTransactionTimeoutMs: STATEMENT_TIMEOUT_MS,
    })
    closers.push(() => opened.end())
    return opened
  }
  const pool = once(async () => openPool(await databaseUrl()))
  const cells = once(async () => [
    { name: MAIN, databaseUrl: await databaseUrl(), pool },
    ...config.cells.map(cell => ({ ...cell, pool: once(() => openPool(cell.databaseUrl)) })),
  ])
  const redis = once(async (): Promise<Redis | null> => {
    // With a database in the settings, a service that happens to run here is not used.
    const url = config.redisUrl ?? (config.databaseUrl === undefined ? (await runFile())?.redis_url : undefined)
    if (url === undefined) return null
    const opened = connectRedis(url, 'producer', 'millrace command line')
    closers.push(() => closeRedis(opened))
    return opened
  })
  return {
    world: {
      config,
      dataFolder,
      databaseUrl,
      pool,
      cells,
      redis,
      here,
      baseUrl: async () => (await runFile())?.base_url ?? null,
      caller: { url: env['MILLRACE_URL'] || undefined, token: env['MILLRACE_TOKEN'] || undefined },
      now: new Date(),
      warn,
      print,
      progress,
    },
    close: async () => {
      await Promise.all(closers.map(close => close()))
    },
  }
}

/** What runs, or undefined when nothing does. A killed run leaves its file, but not its lock. */
async function readRunFile(dataFolder: string): Promise<v.InferOutput<typeof RunFile> | undefined> {
  if (isLocked(dataFolder) === false) return undefined
  const path = runFilePath(dataFolder)
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Refused(`${path} cannot be read: ${(error as Error).message}`)
  }
  try {
    return v.parse(RunFile, JSON.parse(text))
  } catch {
    throw new Refused(`${path} is damaged: start the service again, or set DATABASE_URL and REDIS_URL`)
  }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
