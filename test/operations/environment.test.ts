/** Variables of the shell that runs the tests must not reach the tests. */

import { Settings } from '../../lib/platform/settings.ts'
import { withoutSettings } from '../support/environment.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

test('no setting of the shell reaches the tests; what the machine needs does', t => {
  const settings = Object.keys(Settings.entries)
  const others = ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_SERVICE_NAME', 'OTEL_BSP_SCHEDULE_DELAY', 'PGSSLMODE', 'PGHOST']
  const shell = Object.fromEntries([...settings, ...others].map(name => [name, 'of the shell']))
  const needed = { PATH: '/bin', HOME: '/root', LANG: 'C.UTF-8', HTTPS_PROXY: 'http://proxy', FUZZ_SEED: '1' }
  t.deepEqual(withoutSettings({ ...shell, ...needed }), needed)
})
