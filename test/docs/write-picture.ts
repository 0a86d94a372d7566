/**
 * Draws `docs/in-use.svg`, the picture at the top of the README: its first calls, and what `npm start` shows of them on a terminal. All
 * commands are run for the picture. Longer lines are cut, and dots replace lines that are left out.
 *
 *     npm run picture
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { eventually } from '../support/eventually.ts'
import { temporaryFolder } from '../support/servers.ts'
import { drawTerminals } from './draw-terminals.ts'
import { blocksOf, outputsOf } from './worked-examples.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const dataFolder = await temporaryFolder()
const [, setUp, write] = blocksOf(await readFile(`${root}README.md`, 'utf8'))
const read = setUp?.input.split('\n').find(line => line.startsWith('curl '))
if (!setUp || !write || !read) throw new Error('the README begins otherwise')

const terminal = spawn('script', ['--quiet', '--command', 'npm start --silent', '/dev/null'], {
  cwd: root,
  env: { ...process.env, TERM: 'xterm-256color', SHELL: '/bin/sh', MILLRACE_DATA: dataFolder },
  stdio: ['pipe', 'pipe', 'inherit'],
})
process.on('exit', () => terminal.kill()) // also if a wait below fails
let shown = ''
terminal.stdout.setEncoding('utf8').on('data', text => {
  shown += text.replaceAll('\r', '')
})
const isOver = () => terminal.exitCode !== null
await eventually(() => shown.includes('Ctrl-C stops') || isOver(), { what: 'readiness' })
if (isOver()) throw new Error(shown)

const change = (script: string) => script.replaceAll('./.millrace/', `${dataFolder}/`)
const env = { MILLRACE_DATA: dataFolder }
const [answer = '', statuses = ''] = await outputsOf([setUp, write], { folder: root, env, change })
const requests = () => shown.split('\n').filter(line => /(GET|POST) +\/products/.test(line))
await eventually(() => requests().length === 6, { what: 'the lines of six requests' })
terminal.stdin.write('\u0003') // Ctrl-C
await once(terminal, 'close')

const banner = shown.split('\n').filter(line => /^(Millrace is ready| {2}(API|Reference|Operators) )/.test(line))
const typed = (command: string) => `$ ${command.trimEnd()}`.split('\n').map(line => `\u001b[1m${line}`)
const service = [...typed('npm start'), '...', banner[0] ?? '', '', ...banner.slice(1), '...', ...requests()]
const printed = (text: string) => text.trimEnd().split('\n')
const caller = [...typed(read), ...printed(answer), '', ...typed(write.input), ...printed(statuses)]
await writeFile(
  `${root}docs/in-use.svg`,
  drawTerminals([
    { title: 'npm start', rows: service },
    { title: 'another terminal', rows: caller },
  ]),
)
