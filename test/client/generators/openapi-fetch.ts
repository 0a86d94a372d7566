import createClient from 'openapi-fetch'
import type { paths } from './schema.ts'
import { baseUrl, headers, requests, tell } from './shared.ts'

const client = createClient<paths>({ baseUrl, headers })
const { data, error } = await client.POST('/api/external/v1/bulk', { body: { mode: 'all', requests } })
if (!data) throw new Error(error.message)
tell(data.results)
