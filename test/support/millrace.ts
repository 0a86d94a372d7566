/** Runs `bin/millrace` in this process, as if it were typed. */
import { runCommandLine } from '../../lib/tools/cli/main.ts'

type Typed = { readonly status: 0 | 1 | 2; readonly out: string; readonly err: string }

/** @param env its settings; nothing else is known to it. */
export async function typed(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Typed> {
  const [out, err]: [string[], string[]] = [[], []]
  const status = await runCommandLine(args, {
    ...{ env, root: '/nonexistent' },
    out: text => out.push(text),
    err: text => err.push(text),
  })
  return { status, out: out.join('\n'), err: err.join('\n') }
}

/** With `--json`; null where it printed nothing. */
export async function typedJson(args: readonly string[], env: NodeJS.ProcessEnv) {
  const { status, out, err } = await typed([...args, '--json'], env)
  return { status, err, json: out === '' ? null : JSON.parse(out) }
}
