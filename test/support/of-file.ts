/** Owns what most test files run on: a bench or a service on services of the file's own, which end after its tests. */
import test from 'ava'
import { type Bench, commandBench } from './command-context.ts'
import { startService, type TestService } from './service.ts'
import { type TestServices, testServices } from './services.ts'

type OfFile<T> = T & Pick<TestServices, 'databaseUrl' | 'redisUrl' | 'faults'>

/**
 * To be called once per file, as the last that is awaited at its top: AVA starts a file when its first hook is declared. What a file opens
 * beside it must be closed by its tests: the services come down last.
 */
export async function benchOfFile(): Promise<OfFile<Bench>> {
  const services = await testServices()
  return endingWithFile(await commandBench(services.databaseUrl), services)
}

/** The same for a whole service. */
export async function serviceOfFile(options?: Parameters<typeof startService>[1]): Promise<OfFile<TestService>> {
  const services = await testServices()
  return endingWithFile(await startService(services, options), services)
}

function endingWithFile<T extends { close(): Promise<void> }>(opened: T, services: TestServices): OfFile<T> {
  test.after.always(async () => {
    await opened.close()
    await services.close()
  })
  const { databaseUrl, redisUrl, faults } = services
  return { ...opened, databaseUrl, redisUrl, faults }
}
