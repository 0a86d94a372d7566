/**
 * The OpenAPI document under the rules of two public linters, none left out: who works with the description runs these.
 */
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectral from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'
import test from 'ava'
import { endpoints } from '../../lib/endpoints.ts'
import { type OpenApiDocument, openApiDocument, openApiText } from '../../lib/openapi/openapi.ts'

const document = openApiDocument(endpoints)
/** Both linters have something to say about a license without a name. */
const nothing = openApiDocument([])
const broken = { ...nothing, info: { ...nothing.info, license: { name: '', identifier: 'MIT' } } }

async function spectralFaults(of: OpenApiDocument): Promise<readonly string[]> {
  const linter = new spectral.Spectral()
  // The types of the two packages disagree.
  linter.setRuleset({ extends: [[rulesets.oas as never, 'recommended']] })
  const found = await linter.run(JSON.parse(openApiText(of)))
  return found.map(({ code, message, path }) => `${code}: ${message} (${path.join('.')})`)
}

async function redoclyFaults(of: OpenApiDocument): Promise<readonly string[]> {
  const config = await createConfig({ extends: ['recommended-strict'] })
  const found = await lintFromString({ source: openApiText(of), absoluteRef: 'openapi.json', config })
  return found.map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer})`)
}

test("spectral's rules for OpenAPI find neither error nor warning in the description", async t => {
  t.deepEqual(await spectralFaults(document), [])
  t.not((await spectralFaults(broken)).length, 0)
})

test("redocly's strict rules find neither error nor warning in the description", async t => {
  t.deepEqual(await redoclyFaults(document), [])
  t.not((await redoclyFaults(broken)).length, 0)
})
