/** Owns where mails lie that no server is there for: `npm start` says it, which sends none. */
import { join, resolve } from 'node:path'

/** The folder that mails are written to without SMTP_URL. */
export const mailFolder = (dataFolder: string): string => join(resolve(dataFolder), 'mail')
