import { client } from './hey-api/client.gen.ts'
import { bulk } from './hey-api/sdk.gen.ts'
import { baseUrl, headers, requests, tell } from './shared.ts'

client.setConfig({ baseUrl, headers })
const { data } = await bulk({ body: { mode: 'all', requests }, throwOnError: true })
tell(data.results)
