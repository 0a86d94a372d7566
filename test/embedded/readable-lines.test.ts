/**
 * The log as `npm start` shows it on a terminal: a short line for each event, the message of each fault, and no lines of the making of the
 * demo.
 */
import { stripVTControlCharacters } from 'node:util'
import { type Quiet, readableLines } from '../../lib/tools/embedded/readable-lines.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const AT = new Date(2026, 10, 21, 5, 0, 0)
const event = (fields: object) => JSON.stringify({ level: 'info', time: AT.toISOString(), process: 'web.1', ...fields })
const call = { request_id: 'req_1', tenant_id: '1001', key_id: '1002', method: 'POST', route: '/products' }
const request = (fields: object) => event({ ...call, ms: 8.5, msg: 'request', ...fields })

function shown(lines: readonly string[], { isColoured = false, quiet }: { isColoured?: boolean; quiet?: Quiet } = {}) {
  const written: unknown[] = []
  const write = (text: unknown) => written.push(text) > 0
  const show = readableLines(
    { write, hasColors: () => isColoured },
    { names: ['web.1', 'worker.1'], quiet: quiet ?? { tenantId: null, until: null } },
  )
  for (const line of lines) show('web.1', line)
  return written.join('')
}

const POST = `05:00:00 web.1    | POST   ${'/products'.padEnd(36)}`

test('an event is one short line, and its request id is there when the call was refused', t => {
  t.is(shown([request({ status: 201 })]), `${POST} 201 8.5 ms\n`)
  t.is(shown([request({ status: 200, replayed: true })]), `${POST} 200 8.5 ms {"replayed":true}\n`)
  t.is(
    shown([request({ status: 409, error: 'conflict' })]),
    `${POST} 409 8.5 ms {"error":"conflict","request_id":"req_1"}\n`,
  )
  t.is(
    shown([event({ chore: 'events', rows: 3, msg: 'housekeeping' })]),
    '05:00:00 web.1    | housekeeping {"chore":"events","rows":3}\n',
  )
})

test('a warning says its reason in its line, a fault shows its error with all fields, and neither steers the terminal', t => {
  const cause = { type: 'Error', message: 'connect \u001b[2JECONNREFUSED', stack: '    at one\n    at two' }
  const err = { type: 'ConnectionError', message: 'no connection', code: 'X1', stack: '    at \u001b[2Jthree', cause }
  t.is(
    shown([event({ level: 'warn', err, tenant_id: '1001', msg: 'sweep failed' })]),
    '05:00:00 web.1    | WARN sweep failed: no connection: connect  [2JECONNREFUSED {"tenant_id":"1001"}\n',
  )
  const fault = shown([event({ level: 'error', err, request_id: 'req_1', msg: 'request failed' })])
  const [first, ...rest] = fault.split('\n')
  t.is(first, '05:00:00 web.1    | ERROR request failed {"request_id":"req_1"}')
  for (const part of ['"code": "X1"', 'at [2Jthree', '"cause"', 'ECONNREFUSED'])
    t.true(rest.join('\n').includes(part), part)
  t.false(fault.includes('\u001b'))
})

test('what is no event comes through, also the part of one', t => {
  t.regex(shown(['LOG:  checkpoint complete']), /^\d\d:\d\d:\d\d web\.1 {4}\| LOG: {2}checkpoint complete\n$/)
  t.regex(shown(['{"level":"info","ti']), /\| \{"level":"info","ti\n$/)
})

test('colours change nothing but colours', t => {
  const lines = [request({ status: 201 }), request({ status: 500 }), event({ level: 'warn', msg: 'slow' })]
  const coloured = shown(lines, { isColoured: true })
  t.not(coloured, shown(lines))
  t.is(stripVTControlCharacters(coloured), shown(lines))
})

test("of the demo's making only what fails is shown; what other tenants do, and what comes later, is", t => {
  const lines = [
    request({ status: 201 }),
    request({ status: 500 }),
    request({ status: 202, tenant_id: '1003' }),
    event({ level: 'warn', tenant_id: '1001', msg: 'slow' }),
  ]
  const statuses = (until: Date | null) =>
    [...shown(lines, { quiet: { tenantId: '1001', until } }).matchAll(/ (\d{3}|WARN) /g)].map(([, found]) => found)
  t.deepEqual(statuses(null), ['500', '202', 'WARN'])
  t.deepEqual(statuses(AT), ['500', '202', 'WARN'])
  t.deepEqual(
    statuses(new Date(AT.getTime() - 5)),
    ['500', '202', 'WARN'],
    'its last request is logged after its answer',
  )
  t.deepEqual(statuses(new Date(AT.getTime() - 9)), ['201', '500', '202', 'WARN'])
})
