/** Sends mails to the SMTP server of the settings. Without one it writes .eml files to a folder, so that nothing is lost. */
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport, type Transporter } from 'nodemailer'
import type { Config } from '../config.ts'
import { mailFolder } from './folder.ts'

type Mail = {
  /** The same id for every try, so that mail programs show a mail once that arrives twice. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly date: Date
}

export type MailTransport = {
  /** Where mails go, for the log; without credentials. */
  readonly target: string
  /** @throws if the server did not accept the mail */
  send(mail: Mail): Promise<void>
  close(): void
}

const CONNECT_TIMEOUT_MS = 10_000
const SOCKET_TIMEOUT_MS = 30_000

/** The transport of the settings: SMTP_URL, else files in MILLRACE_DATA/mail. */
export function mailTransport(config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataFolder'>): MailTransport {
  return config.smtpUrl === undefined
    ? fileTransport(mailFolder(config.dataFolder), config.mailFrom)
    : smtpTransport(config.smtpUrl, config.mailFrom)
}

const message = (mail: Mail, from: string) => ({
  from,
  to: mail.to,
  subject: mail.subject,
  text: mail.text,
  date: mail.date,
  messageId: `<${mail.id}@millrace>`,
  headers: { 'Auto-Submitted': 'auto-generated' },
  // A text must never make the library read a file or call an address.
  disableFileAccess: true,
  disableUrlAccess: true,
})

function smtpTransport(url: string, from: string): MailTransport {
  const transporter: Transporter = createTransport({
    url,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
  })
  return {
    target: new URL(url).host,
    send: async mail => void (await transporter.sendMail(message(mail, from))),
    close: () => transporter.close(),
  }
}

function fileTransport(folder: string, from: string): MailTransport {
  const transporter = createTransport({ streamTransport: true, buffer: true })
  return {
    target: folder,
    send: async mail => {
      const { message: bytes } = await transporter.sendMail(message(mail, from))
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const path = join(folder, `${mail.date.toISOString().replaceAll(':', '-')}-${mail.id}.eml`)
      await writeFile(`${path}.draft`, bytes as Buffer, { mode: 0o600 })
      await rename(`${path}.draft`, path)
    },
    close: () => transporter.close(),
  }
}
