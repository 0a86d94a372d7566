/** The client as the portal uses it: this page's own server, numbers as texts. */
import { Millrace } from '@millrace/client'
import { type ExactApi, readJson } from './exact.ts'

export const apiOf = (token: string): ExactApi =>
  new Millrace({ baseUrl: '', token, parse: readJson }) as unknown as ExactApi
