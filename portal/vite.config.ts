/** How the portal's files are made. `npm run dev --workspace portal` serves them from source beside a service on port 3000. */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { componentStyles } from './component-styles.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/**
 * A sheet in the head would hold back what shows while it comes; scripts wait for it below that all the same. The components' own styles come
 * after it.
 */
function stylesLast(html: string): string {
  const sheet = /\n *<link rel="stylesheet"[^>]*>/
  return html.replace(sheet, '').replace('\n    <div id="root">', `${sheet.exec(html)?.[0] ?? ''}\n    <div id="root">`)
}

export default defineConfig({
  root: here('.'),
  base: '/portal/',
  plugins: [componentStyles(), { name: 'styles-last', transformIndexHtml: { order: 'post', handler: stylesLast } }],
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
