/** Replaces a process of the Procfile in the tests of the supervision: it serves, drains on SIGTERM, and logs both. */
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'

const { HOST, PORT, ADMIN_HOST, ADMIN_PORT, MILLRACE_PROCESS, WEBHOOK_SECRET_KEY } = process.env
const say = (what: string) => console.log(`${MILLRACE_PROCESS} ${what}`)
const isWeb = MILLRACE_PROCESS?.startsWith('web')

const server = createServer((request, response) => {
  // The request says when it is answered, so that a test can stop the service while the request runs.
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand-in')
  say(`got ${pathname}`)
  setTimeout(() => response.end(JSON.stringify({ pid: process.pid })), Number(searchParams.get('ms')))
})
if (isWeb) server.listen({ host: HOST, port: Number(PORT), reusePort: process.platform === 'linux' })
const admin = createServer((_request, response) => response.end(MILLRACE_PROCESS))
admin.listen(Number(ADMIN_PORT), ADMIN_HOST)
say(
  `has the key ${createHash('sha256')
    .update(WEBHOOK_SECRET_KEY ?? '')
    .digest('hex')}`,
)
say('serving')

process.on('SIGTERM', () => {
  say('stopping')
  admin.close()
  if (isWeb) server.close(() => say('drained'))
  server.closeIdleConnections()
})
