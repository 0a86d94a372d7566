/** An OpenAPI document with faults that linters must report. */
import { openApiDocument } from '../../lib/openapi/openapi.ts'

const nothing = openApiDocument([])

/** The document has no endpoints, and its license has no name. */
export const broken = { ...nothing, info: { ...nothing.info, license: { name: '', identifier: 'MIT' } } }
