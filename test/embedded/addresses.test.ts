/** The addresses at which the processes of a run listen. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { chooseAddresses } from '../../lib/tools/embedded/addresses.ts'
import { freePort } from '../../lib/tools/embedded/free-port.ts'
import { SetupError } from '../../lib/tools/embedded/setup-error.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const local = { host: '127.0.0.1', port: 0, adminHost: '127.0.0.1', adminPort: 0 }
const processes = ['worker.1', 'web.1', 'web.2'].map(name => ({ name, kind: name.split('.')[0] ?? '', command: '' }))

async function taken(): Promise<{ port: number; free(): void }> {
  const port = await freePort()
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  return { port, free: () => server.close() }
}

test('every process gets an admin port of its own, and web.1’s is the run’s', async t => {
  const addresses = await chooseAddresses(local, processes)
  const ports = [addresses.port, ...processes.map(({ name }) => addresses.adminPortOf(name))]
  t.is(new Set(ports).size, 4)
  t.is(addresses.adminUrl, `http://127.0.0.1:${addresses.adminPortOf('web.1')}`)
  t.is(addresses.baseUrl, `http://127.0.0.1:${addresses.port}`)
  t.is(addresses.adminUrlOf('postgres'), null)
})

test('an ADMIN_PORT is web.1’s, the others follow it and pass over taken ones', async t => {
  const adminPort = await freePort()
  const addresses = await chooseAddresses({ ...local, adminPort }, processes)
  t.is(addresses.adminPortOf('web.1'), adminPort)
  t.is(addresses.adminPortOf('worker.1'), adminPort + 1)
  t.is(addresses.adminPortOf('web.2'), adminPort + 2)

  const other = await taken()
  const passing = await chooseAddresses({ ...local, adminPort: other.port - 1 }, processes)
  t.not(passing.adminPortOf('worker.1'), other.port)
  other.free()
})

test('a port that was asked for and is taken is refused by name', async t => {
  const other = await taken()
  const refused = { instanceOf: SetupError, message: new RegExp(`^PORT ${other.port} `) }
  await t.throwsAsync(chooseAddresses({ ...local, port: other.port }, processes), refused)
  const admin = { instanceOf: SetupError, message: new RegExp(`^ADMIN_PORT ${other.port} `) }
  await t.throwsAsync(chooseAddresses({ ...local, adminPort: other.port }, processes), admin)
  other.free()
})

test('a service on every address is called on the loopback one', async t => {
  t.regex((await chooseAddresses({ ...local, host: '0.0.0.0' }, processes)).baseUrl, /^http:\/\/127\.0\.0\.1:\d+$/)
})
