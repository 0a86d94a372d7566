/**
 * Writes lib/openapi/openapi.json from the list of endpoints, and the client's files from it (`npm run openapi`). Tests fail if the
 * committed files differ.
 */
import { writeFile } from 'node:fs/promises'
import { clientText, type Description } from '../client/generate/client.ts'
import { endpoints } from '../lib/nouns.ts'
import { openApiDocument, openApiText } from '../lib/openapi/openapi.ts'

const document = openApiDocument(endpoints)
await writeFile(new URL('../lib/openapi/openapi.json', import.meta.url), openApiText(document))
await writeFile(new URL('../client/src/generated.ts', import.meta.url), clientText(document as Description))
