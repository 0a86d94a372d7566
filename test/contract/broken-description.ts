/** A description that linters must have something to say about. */
import { openApiDocument } from '../../lib/openapi/openapi.ts'

const nothing = openApiDocument([])

/** Without endpoints, and with a license without a name. */
export const broken = { ...nothing, info: { ...nothing.info, license: { name: '', identifier: 'MIT' } } }
