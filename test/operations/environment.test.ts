/** What the shell of whoever runs the tests has set must not reach them. */
import { readFile } from 'node:fs/promises'
import test from 'ava'
import { withoutSettings } from '../support/environment.ts'

test('no setting of the shell reaches the tests; what the machine needs does', async t => {
  const source = await readFile(new URL('../../lib/config.ts', import.meta.url), 'utf8')
  const settings = [...source.matchAll(/^ {2}([A-Z_]+): /gm)].map(([, name = '']) => name)
  t.true(settings.length > 20)
  const others = ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_SERVICE_NAME', 'OTEL_BSP_SCHEDULE_DELAY', 'PGSSLMODE', 'PGHOST']
  const shell = Object.fromEntries([...settings, ...others].map(name => [name, 'of the shell']))
  const needed = { PATH: '/bin', HOME: '/root', LANG: 'C.UTF-8', HTTPS_PROXY: 'http://proxy', FUZZ_SEED: '1' }
  t.deepEqual(withoutSettings({ ...shell, ...needed }), needed)
})
