/**
 * Owns what test files run on. Most files of an area share a bench or a service, on a database of the process; each test takes tenants of
 * its own. A file that cannot share opens its own by `ofTests`.
 */
import { type Bench, commandBench } from './command-context.ts'
import { startService, type TestService } from './service.ts'
import { type TestServices, testServices } from './services.ts'
import { type Tests, whenProcessEnds } from './suite.ts'
import { openUnits, type Units } from './units.ts'

export type OfFile<T> = T & Pick<TestServices, 'databaseUrl' | 'redisUrl' | 'faults'>

const opened = new Map<string, Promise<OfFile<{ close(): Promise<void> }>>>()

/** Apart from that of services: a bench has a clock of its own, and chores of a service would end what is due by theirs. */
const servicesOfBench = onceInProcess(testServices)
const servicesOfServices = onceInProcess(testServices)

/** What a file opens beside it must be closed by its tests: the services come down last. */
export const benchOfFile = (): Promise<OfFile<Bench>> =>
  shared('bench', servicesOfBench, ({ databaseUrl }) => commandBench(databaseUrl))

/** Units of work on the database of `benchOfFile`. */
export const unitsOfFile: () => Promise<Units> = onceInProcess(async () =>
  openUnits((await servicesOfBench()).databaseUrl),
)

/**
 * The same for a whole service. Files that start it with the same options share it. One that has other endpoints, or no workers, must not
 * meet the workers of others: it has a database and a Redis of its own.
 */
export function serviceOfFile(options: Parameters<typeof startService>[1] = {}): Promise<OfFile<TestService>> {
  const { endpoints, workers } = options
  const key = JSON.stringify({ ...options, endpoints: endpoints?.map(({ id }) => id) })
  const on = endpoints !== undefined || workers === 0 ? onceInProcess(testServices) : servicesOfServices
  return shared(`service ${key}`, on, services => startService(services, options))
}

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
  on: () => Promise<TestServices>,
  open: (on: TestServices) => Promise<T>,
): Promise<OfFile<T>> {
  const known = opened.get(key) as Promise<OfFile<T>> | undefined
  if (known !== undefined) return known
  const opening = on().then(async services => {
    const made = await open(services)
    whenProcessEnds(() => made.close())
    const { databaseUrl, redisUrl, faults } = services
    return { ...made, databaseUrl, redisUrl, faults }
  })
  opened.set(key, opening)
  return opening
}
