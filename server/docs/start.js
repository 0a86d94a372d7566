// Shows the OpenAPI document with the library. Options by which the library would call its makers, store the key or link to other sites are
// off. The page's policy forbids them too.

// The guides' commands name this origin. The page replaces it by its own.
const EXAMPLE_ORIGIN = 'http://127.0.0.1:3000'
const KEY = 'Idempotency-Key'

// Hides the library's link to its makers, the frame around a linked section, and on phones the button above the address of a trial.
const CSS = `
a[href="https://www.scalar.com"] { display: none }
section[tabindex="-1"]:focus-visible { outline: none }
@media (max-width: 767px) { main > .scalar-sidebar-toggle { display: none } }
`

// Without this the library's schema checker tries to compile code from text, which the policy forbids.
globalThis.__zod_globalConfig = { jitless: true }

const loading = fetch('/openapi.json').then(answer => answer.text())

addEventListener('DOMContentLoaded', async () => {
  const page = document.getElementById('reference')
  try {
    const content = JSON.parse((await loading).replaceAll(EXAMPLE_ORIGIN, location.origin))
    prepareTrials(content)
    page.replaceChildren()
    Scalar.createApiReference(page, {
      content,
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      hideClientButton: true,
      showDeveloperTools: 'never',
      documentDownloadType: 'none',
      // The key stays in the page's memory.
      persistAuth: false,
      orderSchemaPropertiesBy: 'preserve',
      defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
      customCss: CSS,
      onBeforeRequest: ({ requestBuilder }) => freshKey(requestBuilder.headers, content),
    })
  } catch (error) {
    page.textContent = 'The reference could not be shown. The description is at /openapi.json.'
    throw error
  }
})

// Prepares what a trial sends: the parameters of the operation's example, with today's times. The reader may choose others. By default the
// library sends each parameter that has a sample value.
function prepareTrials({ paths, components }) {
  const operations = Object.values(paths).flatMap(path => Object.values(path))
  for (const { parameters = [] } of operations) moveToToday(parameters)
  for (const parameter of [
    ...Object.values(components.parameters),
    ...operations.flatMap(each => each.parameters ?? []),
  ]) {
    if (parameter.$ref || parameter.required || parameter.example !== undefined) continue
    const { examples: [example] = [], default: usual, enum: [first] = [] } = parameter.schema
    parameter.examples = { sample: { value: example ?? usual ?? first ?? '', 'x-disabled': true } }
  }
}

// On the recorded day the reader's tenant may have had no records.
function moveToToday(parameters) {
  const timed = parameters.filter(({ example }) => /^\d{4}-\d\d-\d\dT/.test(example))
  const by = Date.now() - Math.max(...timed.map(({ example }) => Date.parse(example)))
  for (const each of timed) each.example = new Date(Date.parse(each.example) + by).toISOString()
}

// Gives each trial a new key unless the reader typed one: a second trial with the example's key would be a 409.
function freshKey(headers, { components }) {
  const given = headers.get(KEY)
  if (given === null || given !== components.parameters.IdempotencyKey.example) return
  const bytes = crypto.getRandomValues(new Uint8Array(12))
  headers.set(KEY, `docs-${Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')}`)
}
