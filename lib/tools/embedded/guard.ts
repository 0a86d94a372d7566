/**
 * Ends child processes when this process is killed: a small shell process waits for that. It must do nothing while this process lives or
 * ends in order.
 */
import { spawn } from 'node:child_process'
import { Socket } from 'node:net'

// The shell reads orders from a pipe. However this process dies, the kernel closes its end, `read` fails, and the shell ends the processes
// that are still on its list. Plain POSIX sh, because no portable system call ties a child's life to its parent's.
const SCRIPT = `
watched=
while read -r verb pid signal; do
  case $verb in
    add) watched="$watched $pid:$signal" ;;
    remove)
      rest=
      for entry in $watched; do [ "\${entry%%:*}" = "$pid" ] || rest="$rest $entry"; done
      watched=$rest ;;
  esac
done
for entry in $watched; do kill -s "\${entry##*:}" "\${entry%%:*}" 2>/dev/null; done
`

let orders: ((line: string) => void) | undefined

function order(line: string): void {
  orders ??= startGuard()
  orders(line)
}

function startGuard(): (line: string) => void {
  const shell = spawn('/bin/sh', ['-c', SCRIPT], { detached: true, cwd: '/', stdio: ['pipe', 'ignore', 'ignore'] })
  shell.unref()
  shell.on('error', () => {})
  shell.stdin.on('error', () => {})
  // Neither the shell nor its pipe may keep this process alive.
  if (shell.stdin instanceof Socket) shell.stdin.unref()
  return line => {
    shell.stdin.write(`${line}\n`)
  }
}

/** The children to end if this process is killed without ending them itself. */
export const guard = {
  add: (pid: number, signal: 'SIGTERM' | 'SIGINT'): void => order(`add ${pid} ${signal.slice(3)}`),
  remove: (pid: number): void => order(`remove ${pid}`),
}
