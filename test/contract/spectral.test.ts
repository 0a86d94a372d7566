/**
 * The OpenAPI document under all of Spectral's rules for it, since users of the document run them. They check much of what those of
 * lint.test.ts check and take many times as long, so they are a part of `npm run torture`.
 */
import spectral from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'
import { endpoints } from '../../lib/nouns.ts'
import { type OpenApiDocument, openApiDocument, openApiText } from '../../lib/openapi/openapi.ts'
import { apart } from '../support/suite.ts'
import { broken } from './broken-description.ts'

const test = apart(import.meta)

async function spectralFaults(of: OpenApiDocument): Promise<readonly string[]> {
  const linter = new spectral.Spectral()
  // The types of the two packages do not match.
  linter.setRuleset({ extends: [[rulesets.oas as never, 'recommended']] })
  const found = await linter.run(JSON.parse(openApiText(of)))
  return found.map(({ code, message, path }) => `${code}: ${message} (${path.join('.')})`)
}

test("spectral's rules for OpenAPI find neither error nor warning in the description", async t => {
  t.deepEqual(await spectralFaults(openApiDocument(endpoints)), [])
  t.not((await spectralFaults(broken)).length, 0)
})
