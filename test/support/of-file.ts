/**
 * Owns what most test files run on: a bench or a service, on services of this process. The files of an area share them; each test takes
 * tenants of its own.
 */
import { type Bench, commandBench } from './command-context.ts'
import { startService, type TestService } from './service.ts'
import { type TestServices, testServices } from './services.ts'
import { whenProcessEnds } from './suite.ts'

type OfFile<T> = T & Pick<TestServices, 'databaseUrl' | 'redisUrl' | 'faults'>

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
