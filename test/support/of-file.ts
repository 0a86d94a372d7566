/**
 * Owns what test files run on. Most files of an area share a bench or a service, on a database of the process; each test takes tenants of
 * its own. A file that cannot share opens its own by `ofTests`.
 */
import { type Bench, commandBench } from './command-context.ts'
import { startService, type TestService } from './service.ts'
import { type TestServices, testServices } from './services.ts'
import { type Tests, whenProcessEnds } from './suite.ts'

export type OfFile<T> = T & Pick<TestServices, 'databaseUrl' | 'redisUrl' | 'faults'>

let services: Promise<TestServices> | undefined
let isClosedAtEnd = false
const opened = new Map<string, Promise<OfFile<{ close(): Promise<void> }>>>()

/**
 * To be called once per file, as the last that is awaited at its top: AVA starts a file when its first hook is declared. What a file opens
 * beside it must be closed by its tests: the services come down last.
 */
export const benchOfFile = (): Promise<OfFile<Bench>> => shared('bench', ({ databaseUrl }) => commandBench(databaseUrl))

/** The same for a whole service. Files that start it with the same options share it. */
export const serviceOfFile = (options?: Parameters<typeof startService>[1]): Promise<OfFile<TestService>> =>
  shared(`service ${JSON.stringify(options)}`, on => startService(on, options))

/** A service on a database and a Redis of its own. `close` closes all of them. */
export async function ownService(options?: Parameters<typeof startService>[1]): Promise<OfFile<TestService>> {
  const { databaseUrl, redisUrl, faults, close } = await testServices()
  const service = await startService({ databaseUrl, redisUrl }, options)
  return {
    ...service,
    databaseUrl,
    redisUrl,
    faults,
    close: async () => {
      await service.close()
      await close()
    },
  }
}

/**
 * What a file opens for its own tests: opened before the first of them, closed behind the last. The files of an area are all loaded before
 * one of them runs, so at a file's top nothing of it is there yet.
 */
export function ofTests<T extends { close(): Promise<void> }>(test: Tests, open: () => Promise<T>): T {
  const opened: Partial<T> = {}
  test.before(async () => void Object.assign(opened, await open()))
  test.after.always(() => opened.close?.())
  return opened as T
}

/** What several files of a process share: opened when the first of them asks, closed behind all tests. */
export function onceInProcess<T extends { close(): Promise<void> }>(open: () => Promise<T>): () => Promise<T> {
  let opening: Promise<T> | undefined
  return () => {
    opening ??= open().then(opened => {
      whenProcessEnds(() => opened.close())
      return opened
    })
    return opening
  }
}

function shared<T extends { close(): Promise<void> }>(
  key: string,
  open: (on: TestServices) => Promise<T>,
): Promise<OfFile<T>> {
  const known = opened.get(key) as Promise<OfFile<T>> | undefined
  if (known !== undefined) return known
  const opening = openNow(open)
  opened.set(key, opening)
  return opening
}

async function openNow<T extends { close(): Promise<void> }>(
  open: (on: TestServices) => Promise<T>,
): Promise<OfFile<T>> {
  services ??= testServices()
  const on = await services
  const made = await open(on)
  // AVA starts when its first hook is declared, so these are declared behind all that is awaited.
  if (!isClosedAtEnd) whenProcessEnds(() => on.close())
  isClosedAtEnd = true
  whenProcessEnds(() => made.close())
  const { databaseUrl, redisUrl, faults } = on
  return { ...made, databaseUrl, redisUrl, faults }
}
