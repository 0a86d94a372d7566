/** Reports wrong settings: what is wrong and what was given, without secrets. */

/** Settings are missing or wrong. The message has a line for each. */
export class ConfigError extends Error {
  override name = 'ConfigError'

  constructor(...faults: readonly string[]) {
    super(faults.join('\n'))
  }

  get faults(): readonly string[] {
    return this.message.split('\n')
  }
}

const VALUE_LENGTH_MAX = 100

/** The given value of a setting, on one line and without secrets. */
export function shownSetting(name: string, value: string): string {
  if (name === 'WEBHOOK_SECRET_KEY') return `what is given (${value.length} characters, not shown)`
  if (/_(?:URL|ENDPOINT)$/.test(name)) return shownUrl(value)
  return JSON.stringify(value.length > VALUE_LENGTH_MAX ? `${value.slice(0, VALUE_LENGTH_MAX)}...` : value)
}

/**
 * Scheme and host of a URL. Any other part may contain a password, or half of one, because a `/`, `#` or `@` in a password ends it early.
 */
function shownUrl(value: string): string {
  const url = value.includes('://') ? URL.parse(value) : null
  const isSure = url !== null && url.host !== '' && (url.username !== '' || url.password !== '' || !value.includes('@'))
  if (!isSure) return 'what is given (not shown, since it may hold a password)'
  return JSON.stringify(`${url.protocol}//${value.includes('@') ? '***@' : ''}${url.host}`)
}
