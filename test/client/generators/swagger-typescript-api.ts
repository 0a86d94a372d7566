import { baseUrl, headers, requests, tell } from './shared.ts'
import { Api } from './swagger-typescript-api/api.ts'

const { api } = new Api({ baseUrl, baseApiParams: { headers, format: 'json' } })
const { data } = await api.bulk({ mode: 'all', requests })
tell(data.results)
