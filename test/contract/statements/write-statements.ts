/** Writes the recorded statements anew (`npm run statements`), from tenants on services of their own. */
import { writeFile } from 'node:fs/promises'
import { testServices } from '../../support/services.ts'
import { collectStatements, urlOf } from './collect.ts'
import { textOf } from './recorded.ts'

const services = await testServices()
try {
  for (const [file, statements] of await collectStatements(services)) await writeFile(urlOf(file), textOf(statements))
} finally {
  await services.close()
}
