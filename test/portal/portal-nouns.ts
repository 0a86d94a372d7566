/** The portal's list of nouns (`portal/src/nouns.ts`), as its bundler reads it. */
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'
import type { Loose } from '../support/command-context.ts'

export const PORTAL = fileURLToPath(new URL('../../portal/', import.meta.url))

type Known = {
  readonly kind: string
  readonly resource?: string
  readonly list?: string
  readonly path?: string | null
  readonly scope?: string
  readonly find?: object
  readonly named?: (record: Loose) => Loose
  readonly events?: readonly string[]
}

type Nouns = {
  readonly nouns: readonly Known[]
  readonly documentPath: (kind: string, id: string) => string | undefined
  readonly touchedBy: (kind: string) => readonly string[]
}

export async function portalNouns(): Promise<Nouns> {
  const server = { middlewareMode: true, ws: false, watch: null } as const
  const common = { configFile: false, root: PORTAL, appType: 'custom', logLevel: 'warn' } as const
  const vite = await createServer({ ...common, server, optimizeDeps: { noDiscovery: true } })
  try {
    return (await vite.ssrLoadModule('/src/nouns.ts')) as Nouns
  } finally {
    await vite.close()
  }
}
