/** How the portal's files are made. `npm run dev --workspace portal` serves them from source beside a service on port 3000. */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  root: here('.'),
  base: '/portal/',
  // The client is bundled from source: nothing has to be built before.
  resolve: { alias: { '@millrace/client': here('../client/src/index.ts') } },
  // The server puts a nonce of its own into every answer; styles that the components write carry it.
  html: { cspNonce: '{nonce}' },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
    // "use client" in most files of the libraries: it means nothing here.
    rolldownOptions: { onwarn: (warning, tell) => warning.code === 'MODULE_LEVEL_DIRECTIVE' || tell(warning) },
  },
  server: { host: '127.0.0.1', proxy: { '/api': 'http://127.0.0.1:3000' } },
  logLevel: 'warn',
})
