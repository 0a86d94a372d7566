/**
 * Writes lib/openapi/openapi.json from the list of endpoints (`npm run openapi`). A test fails while the committed file differs.
 */
import { writeFile } from 'node:fs/promises'
import { endpoints } from '../lib/endpoints.ts'
import { openApiDocument, openApiText } from '../lib/openapi/openapi.ts'

const file = new URL('../lib/openapi/openapi.json', import.meta.url)
await writeFile(file, openApiText(openApiDocument(endpoints)))
