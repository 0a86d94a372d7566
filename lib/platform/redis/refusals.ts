/**
 * Distinguishes a server that answers and refuses this service (password, rights, TLS, no Redis) from one that cannot be reached. It
 * inspects errors only.
 */

/** Reasons by the message of Redis or of the connection, for operators, without addresses. The first match counts. */
const reasons: readonly (readonly [RegExp, (match: RegExpExecArray) => string])[] = [
  [/^WRONGPASS|invalid password/i, () => 'refuses the user or password (WRONGPASS)'],
  [/^NOAUTH/, () => 'asks for a password (NOAUTH)'],
  [/no permissions to run the '([^']+)' command|can't run this command/i, ([, name]) => mayNot(name ?? 'a command')],
  [/^NOPERM|ACL failure in script/, () => 'refuses its user a key, a channel or a command (NOPERM)'],
  [/DB index is out of range/, () => 'has no database of this number'],
  [/Unknown RESP type/, () => 'is no Redis: it answers in another protocol'],
  [
    /wrong version number|packet length too long|EPROTO|SSL routines/i,
    () => 'does not speak TLS, or another version of it',
  ],
]
const CERTIFICATE = /CERT|UNABLE_TO_(?:GET|VERIFY)/

const mayNot = (commands: string): string => `refuses its user the command ${commands} (NOPERM)`

/** Why the server refuses, as words after "Redis". Undefined: it does not refuse. */
export function refusalOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  for (const [form, words] of reasons) {
    const match = form.exec(error.message)
    if (match !== null) return words(match)
  }
  const { code } = error as NodeJS.ErrnoException
  return code !== undefined && CERTIFICATE.test(code) ? `has a certificate that is not trusted (${code})` : undefined
}
