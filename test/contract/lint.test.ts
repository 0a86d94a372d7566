/** The OpenAPI document under all rules of a public linter, since users of the document run linters. spectral.test.ts runs a second one. */
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { endpoints } from '../../lib/nouns.ts'
import { type OpenApiDocument, openApiDocument, openApiText } from '../../lib/openapi/openapi.ts'
import { testsOf } from '../support/suite.ts'
import { broken } from './broken-description.ts'

const test = testsOf(import.meta)

async function redoclyFaults(of: OpenApiDocument): Promise<readonly string[]> {
  const config = await createConfig({ extends: ['recommended-strict'] })
  const found = await lintFromString({ source: openApiText(of), absoluteRef: 'openapi.json', config })
  return found.map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer})`)
}

test("redocly's strict rules find neither error nor warning in the description", async t => {
  t.deepEqual(await redoclyFaults(openApiDocument(endpoints)), [])
  t.not((await redoclyFaults(broken)).length, 0)
})
