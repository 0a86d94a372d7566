/** The committed part of the client that is generated from the OpenAPI document. */
import { readFile } from 'node:fs/promises'
import { clientText, type Description } from '../../client/generate/client.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8')

test("the client's types and methods are those of the description", async t => {
  const description = JSON.parse(await read('lib/openapi/openapi.json')) as Description
  t.true(
    clientText(description) === (await read('client/src/generated.ts')),
    'client/src/generated.ts: run `npm run openapi` and commit what it writes',
  )
})
