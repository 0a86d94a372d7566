/** Runs the guide's verifiers without a library: each language's sample with a few lines that feed it requests. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { temporaryFolder } from '../support/servers.ts'

/** The input of a verifier. The body is base64, so that each language gets the bytes. */
export type Asked = {
  readonly secret: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

type Language = {
  /** The name in the guide's code fences. */
  readonly name: string
  readonly isHere: boolean
  readonly sampleFile: string
  /** Reads one JSON text from each line and prints `true` or `false`. */
  readonly main: { readonly file: string; readonly source: string }
  readonly command: readonly string[]
}

const isHere = (command: string, argument: string): boolean => spawnSync(command, [argument]).status === 0

export const languages: readonly Language[] = [
  {
    name: 'js',
    isHere: true,
    sampleFile: 'verify.mjs',
    main: {
      file: 'main.mjs',
      source: `import { createInterface } from 'node:readline'
import { verify } from './verify.mjs'
for await (const line of createInterface({ input: process.stdin })) {
  const { secret, headers, body } = JSON.parse(line)
  console.log(verify(secret, headers, Buffer.from(body, 'base64')))
}`,
    },
    command: [process.execPath, 'main.mjs'],
  },
  {
    name: 'python',
    isHere: isHere('python3', '--version'),
    sampleFile: 'verify.py',
    main: {
      file: 'main.py',
      source: `import base64, json, sys
from verify import verify
for line in sys.stdin:
    asked = json.loads(line)
    print(str(verify(asked["secret"], asked["headers"], base64.b64decode(asked["body"]))).lower())`,
    },
    command: ['python3', '-B', 'main.py'],
  },
  {
    name: 'go',
    isHere: isHere('go', 'version'),
    sampleFile: 'verify.go',
    main: {
      file: 'main.go',
      source: `package main
import ("encoding/json"; "fmt"; "io"; "net/http"; "os")
func main() {
  lines := json.NewDecoder(os.Stdin)
  for {
    var asked struct { Secret string; Headers map[string]string; Body []byte }
    if lines.Decode(&asked) == io.EOF { return }
    headers := http.Header{}
    for name, value := range asked.Headers { headers.Set(name, value) }
    fmt.Println(verify(asked.Secret, headers, asked.Body))
  }
}`,
    },
    command: ['go', 'run', 'verify.go', 'main.go'],
  },
  {
    name: 'ruby',
    isHere: isHere('ruby', '--version'),
    sampleFile: 'verify.rb',
    main: {
      file: 'main.rb',
      source: `require "json"
require_relative "verify"
STDIN.each_line do |line|
  asked = JSON.parse(line)
  puts verify(asked["secret"], asked["headers"], asked["body"].unpack1("m"))
end`,
    },
    command: ['ruby', 'main.rb'],
  },
]

const GUIDE = new URL('../../docs/webhooks.md', import.meta.url)

/** The result of the guide's verifier in a language for each request. */
export async function verdicts({ name, sampleFile, main, command }: Language, asked: readonly Asked[]) {
  const guide = await readFile(GUIDE, 'utf8')
  const section = guide.slice(guide.indexOf('## Verify without a library'))
  const sample = new RegExp(`\`\`\`${name}\\n([\\s\\S]*?)\`\`\``).exec(section)?.[1]
  if (sample === undefined) throw new Error(`the guide has no verifier in ${name}`)
  const folder = await temporaryFolder()
  await writeFile(join(folder, sampleFile), sample)
  await writeFile(join(folder, main.file), main.source)
  const [program = '', ...options] = command
  const child = spawn(program, options, { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  child.stdin.end(asked.map(one => `${JSON.stringify(one)}\n`).join(''))
  const said = await text(child.stdout)
  const [code] = await ended
  if (code !== 0) throw new Error(`the verifier in ${name} ended with ${code}`)
  return said
    .trim()
    .split('\n')
    .map(line => line === 'true')
}
