/** The folder for mails without a mail server. `npm start` shows its path. */
import { join, resolve } from 'node:path'

/** The folder that mails are written to without SMTP_URL. */
export const mailFolder = (dataFolder: string): string => join(resolve(dataFolder), 'mail')
