/** Reads secret settings from files: `DATABASE_URL_FILE=/run/secrets/database_url` stands for DATABASE_URL. */
import { readFileSync } from 'node:fs'
import { ConfigError } from './config-error.ts'

/** Settings that contain a password or a key. The settings of cells are found by their pattern. */
const SECRETS = ['DATABASE_URL', 'DATABASE_READ_URL', 'REDIS_URL', 'SMTP_URL', 'WEBHOOK_SECRET_KEY'] as const
const SUFFIX = '_FILE'
export const SECRET_FILE_SETTINGS: readonly string[] = SECRETS.map(name => `${name}${SUFFIX}`)
const FILE_SETTING = new RegExp(`^(?<name>${SECRETS.join('|')}|CELL_.+_URL)${SUFFIX}$`)

/**
 * The environment with the content of each secret file, without white space at its ends, under the setting's own name. @throws ConfigError
 * if both the setting and its file are given, or a file cannot be read or is empty
 */
export function withSecretFiles(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const read: NodeJS.ProcessEnv = {}
  const faults: string[] = []
  for (const [setting, file = ''] of Object.entries(env)) {
    const { name } = FILE_SETTING.exec(setting)?.groups ?? {}
    if (name === undefined || file === '') continue
    if (env[name]) faults.push(`${setting} is set beside ${name}: set one of them`)
    else
      try {
        read[name] = readFileSync(file, 'utf8').trim()
        if (read[name] === '') faults.push(`${setting} names an empty file, ${JSON.stringify(file)}`)
      } catch (error) {
        const { code = 'unknown' } = error as NodeJS.ErrnoException
        faults.push(`${setting} names a file that cannot be read (${code}), ${JSON.stringify(file)}`)
      }
  }
  if (faults.length > 0) throw new ConfigError(...faults)
  return { ...env, ...read }
}
