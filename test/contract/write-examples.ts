/** Writes lib/openapi/recorded-examples.json again (`npm run examples`), from a demo tenant on services of its own. */
import { writeFile } from 'node:fs/promises'
import { testServices } from '../support/services.ts'
import { recordExamples } from './record-examples.ts'

const services = await testServices()
try {
  const file = new URL('../../lib/openapi/recorded-examples.json', import.meta.url)
  await writeFile(file, `${JSON.stringify(await recordExamples(services), null, 2)}\n`)
} finally {
  await services.close()
}
