/**
 * No text from outside takes more time than in proportion to its length. Every parser and pattern that gets such text is given generated
 * texts of the kind that makes patterns slow (one piece repeated, with other text before and after), and twice the text may take about
 * twice the time. FUZZ_SEED repeats a run, FUZZ_TEXTS extends it. http-time.test.ts tests headers and paths over HTTP.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import * as v from 'valibot'
import { text as anyText, bodyOf, flag, number, readHeader, required } from '../../imports/columns.ts'
import { signFinder } from '../../imports/numbers.ts'
import { plainText } from '../../imports/plain-text.ts'
import { CsvError, csvReader } from '../../imports/records.ts'
import { codeFault } from '../../imports/rows.ts'
import { faultsIn } from '../../imports/service.ts'
import { shopReader } from '../../imports/shops.ts'
import { callerAddress } from '../../lib/access/caller-address.ts'
import { isWellFormed } from '../../lib/access/token.ts'
import { readCode } from '../../lib/domain/stock/scan/element-string-rules.ts'
import { readCursor } from '../../lib/kit/api/cursor.ts'
import { readInt64, readTimestamp } from '../../lib/kit/api/field-readers.ts'
import * as fields from '../../lib/kit/api/fields.ts'
import { readIfMatch } from '../../lib/kit/api/if-match.ts'
import { readQuery } from '../../lib/kit/api/query.ts'
import { loadConfig } from '../../lib/platform/config.ts'
import { ConfigError } from '../../lib/platform/config-error.ts'
import { parseScaled } from '../../lib/platform/decimal.ts'
import { canonicalNumber, JsonSyntaxError, parseJson } from '../../lib/platform/json.ts'
import { isAddress, isPublicAddress, readNetworks } from '../../lib/platform/networks.ts'
import { UsageError } from '../../lib/tools/cli/command.ts'
import { httpAddress } from '../../lib/tools/cli/running-service.ts'
import * as typed from '../../lib/tools/cli/values.ts'
import { readRows, UnreadableFile } from '../../lib/tools/import/rows.ts'
import { readRetryAfter } from '../../lib/webhooks/schedule-rules.ts'
import { readTarget } from '../../lib/webhooks/target-rules.ts'
import { overgrowth } from '../support/growth.ts'
import { apart } from '../support/suite.ts'

const test = apart(import.meta, { isSerial: true })

const SEED = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000)
const TEXTS = Number(process.env['FUZZ_TEXTS'] ?? 8)
const SIZE_MAX = 256 * 1024

type Text = { readonly before: string; readonly repeated: string; readonly behind: string }

type Parser = {
  readonly name: string
  readonly parse: (text: string) => unknown
  /** The pieces of its texts, in addition to ANYTHING. */
  readonly pieces: readonly string[]
  /** Texts that once took too long. */
  readonly known?: readonly Text[]
  /** The class of its errors that describe a fault of a text. */
  readonly refuses?: abstract new (
    ...given: never[]
  ) => Error
  /** Longer text does not reach the parser. */
  readonly sizeMax?: number
  /** The parser takes far longer than a pattern. */
  readonly isSlow?: true
}

const ANYTHING = [
  '0',
  '1',
  '9',
  'a',
  'F',
  ' ',
  '\t',
  '\n',
  '\r',
  '.',
  '-',
  '+',
  ':',
  ',',
  '%',
  '"',
  '\\',
  'é',
  '\u{1f600}',
  '\u0000',
  '!',
]
const JSON_PIECES = [
  '[',
  ']',
  '{',
  '}',
  '"a":1,',
  '"a":',
  '"',
  '\\u0041',
  '\\',
  'e',
  'E',
  'true',
  'null,',
  '1,',
  '{},',
  '[],',
]

const cursorScope = { endpoint: 'listProducts', tenantId: '1', params: {}, filters: {} }
const leaves: Readonly<Record<string, v.GenericSchema>> = {
  id: fields.id(),
  text: fields.longText(),
  link: fields.link(),
  timestamp: fields.timestamp(),
  offsetTimestamp: fields.offsetTimestamp(),
  date: fields.date(),
  oneOf: fields.oneOf({ OPEN: 'open', DONE: 'done' }),
  currency: fields.currency(),
  countryCode: fields.countryCode(),
  queryFlag: fields.queryFlag(),
  queryInteger: fields.queryInteger(1, 200),
}
const settings = [
  'DATABASE_URL',
  'REDIS_URL',
  'SMTP_URL',
  'MAIL_FROM',
  'WEBHOOK_ALLOWED_NETWORKS',
  'WEBHOOK_SECRET_KEY',
  'HOST',
  'PORT',
  'LOG_LEVEL',
  'OTEL_TRACES_SAMPLER_ARG',
]

const folder = await mkdtemp(join(tmpdir(), 'millrace-time-'))
test.after.always(() => rm(folder, { recursive: true, force: true }))

const columns = { title: required(anyText), sku: anyText, price: number, is_sellable: flag }

async function jsonRows(text: string): Promise<unknown> {
  const path = join(folder, 'rows.jsonl')
  await writeFile(path, text)
  return drain(readRows(path, { format: 'jsonl', columns }))
}

/** Reads all rows and keeps none, as an import does. */
async function drain(rows: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of rows);
}

function csvRecords(text: string): void {
  const reader = csvReader()
  for (let at = 0; at < text.length; at += 2_048) reader.read(text.slice(at, at + 2_048))
  reader.end()
}

const parsers: readonly Parser[] = [
  {
    name: 'JSON',
    parse: parseJson,
    pieces: JSON_PIECES,
    known: [
      { before: '1', repeated: '0', behind: '1' },
      { before: '1e', repeated: '9', behind: '' },
    ],
    refuses: JsonSyntaxError,
  },
  {
    name: 'JSON of a list',
    parse: text => parseJson(`{"items":[${text}]}`),
    pieces: JSON_PIECES,
    refuses: JsonSyntaxError,
  },
  {
    name: 'JSON of a text',
    parse: text => parseJson(`"${text}"`),
    pieces: ['\\u0041', '\\n', '\\'],
    refuses: JsonSyntaxError,
  },
  {
    name: 'a canonical number',
    parse: canonicalNumber,
    pieces: ['e', 'E', 'e9'],
    known: [
      { before: '1', repeated: '0', behind: '1' },
      { before: '1e', repeated: '9', behind: '' },
    ],
    refuses: RangeError,
  },
  {
    name: 'a decimal',
    parse: text => parseScaled(text, 6),
    pieces: ['.0'],
    known: [{ before: '0.', repeated: '0', behind: '1' }],
    refuses: RangeError,
  },
  { name: 'an id', parse: readInt64, pieces: [] },
  { name: 'a text', parse: text => v.safeParse(leaves['text'] as v.GenericSchema, text), pieces: [] },
  {
    name: 'a timestamp',
    parse: text => readTimestamp(text),
    pieces: ['2026-11-21', 'T05:00:00', 'Z', '+02:00', '.000'],
  },
  ...Object.entries(leaves).map(
    ([name, schema]): Parser => ({
      name: `the field ${name}`,
      parse: text => v.safeParse(schema, text),
      pieces: ['2026-11-21', 'T05', 'Z', 'EUR', 'true'],
    }),
  ),
  { name: 'a query', parse: readQuery, pieces: ['&', '=', '%41', '%', 'a=1&', '&&'] },
  { name: 'a cursor', parse: text => readCursor(cursorScope, text), pieces: ['MTIz', 'Lg', '_'] },
  { name: 'If-Match', parse: text => readIfMatch('If-Match', text), pieces: ['"', 'W/', '*', '"x", '] },
  { name: 'a token', parse: isWellFormed, pieces: ['mrk_', 'mrk_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'] },
  {
    name: 'X-Forwarded-For',
    parse: text => callerAddress({ remoteAddress: '::1', forwardedFor: text, trustProxy: true }),
    pieces: ['[', ']', '::', '1.1.1.1', '%', ':80', 'ffff:'],
  },
  { name: 'an address', parse: isAddress, pieces: ['::', 'ffff:', '1.1.1.1', '1:', '%a'] },
  { name: 'a public address', parse: isPublicAddress, pieces: ['::', 'ffff:', '1.1.1.1', '1:', '%a'] },
  { name: 'networks', parse: readNetworks, pieces: ['/', '::', '10.0.0.0/8', 'ffff:', '1.', 'private'] },
  {
    name: 'the URL of a webhook',
    parse: text => readTarget(text, []),
    pieces: ['https://', '/', '.localhost', '@', '[', '::', ']', '?', '#', 'a.', '0x', 'xn--'],
    sizeMax: 32 * 1024,
  },
  {
    name: 'the host of a webhook',
    parse: text => readTarget(`https://${text}`, []),
    pieces: ['/', '.localhost', '@', '[', '::', ']', '?', '#', 'a.', '0x', 'xn--'],
    sizeMax: 32 * 1024,
  },
  {
    name: 'Retry-After',
    parse: text => readRetryAfter(text, 0),
    pieces: ['Sat, 21 Nov 2026 05:00:00 GMT', 'Sat', 'GMT', ' GMT', '05:'],
  },
  {
    name: 'CSV',
    parse: csvRecords,
    pieces: ['sep=', ';', '""', '"a"', 'a,', 'a\n', '\r\n'],
    refuses: CsvError,
    isSlow: true,
  },
  {
    name: 'JSON lines',
    parse: jsonRows,
    pieces: JSON_PIECES,
    known: [{ before: '"', repeated: 'a', behind: '"' }],
    refuses: UnreadableFile,
    isSlow: true,
  },
  {
    name: 'the header of a CSV',
    parse: text => readHeader(columns, text.split(',')),
    pieces: ['title,', 'sku,', ',,'],
  },
  {
    name: 'a number of a CSV',
    parse: text => bodyOf(columns, { header: ['price'], sign: 'point' }, [text]),
    pieces: ['e', 'E9', '.0', '-1', ',000'],
    known: [{ before: '', repeated: '0', behind: 'x' }],
  },
  {
    name: 'a text of HTML',
    parse: plainText,
    pieces: ['<', '<p', '<br>', '</p ', '&', '&#1', '&amp;', '\n', ' ', '>'],
  },
  { name: 'the faults of a refusal', parse: faultsIn, pieces: ['sku: a', '; ', '"', '\\"', '": ', 'a: '] },
  {
    name: 'an export of WooCommerce',
    parse: text => {
      const reader = shopReader('woocommerce', ['ID', 'Type', 'Name', 'Categories'])
      if ('read' in reader) reader.read({ line: 2, cells: ['1', text, text, text] })
    },
    pieces: ['\\,', ',', '\\', "'=", 'simple'],
  },
  {
    name: 'the decimal sign of a CSV',
    parse: text => signFinder().hear({ line: 1, column: 'price', text }),
    pieces: ['.000', ',000', '.0', 'e1'],
  },
  {
    name: 'a code of a scanner',
    parse: text => readCode(text, 2026),
    pieces: ['(10)', '10A\u001d', '01', ']C1', '0', '()'],
    known: [{ before: ']C1', repeated: '10A\u001d', behind: '~' }],
  },
  { name: 'a code of a CSV', parse: text => codeFault('barcode', text), pieces: ['E+', '.0', '4.0E+1'] },
  {
    name: 'a switch of a CSV',
    parse: text => bodyOf(columns, { header: ['is_sellable'], sign: 'point' }, [text]),
    pieces: ['yes', 'no'],
  },
  { name: 'a text of the command line', parse: text => typed.text(text, 'x'), pieces: [], refuses: UsageError },
  { name: 'an id of the command line', parse: text => typed.id(text, 'x'), pieces: [], refuses: UsageError },
  {
    name: 'a number of the command line',
    parse: text => typed.whole(1, 9)(text, 'x'),
    pieces: [],
    refuses: UsageError,
  },
  {
    name: 'an e-mail address',
    parse: text => typed.email(text, 'x'),
    pieces: ['@', 'a.', 'a@a', '.a'],
    refuses: UsageError,
  },
  {
    name: 'the address of the service',
    parse: text => httpAddress(text, 'x'),
    pieces: ['http://', '/', '//', 'h/'],
    known: [{ before: 'http://h', repeated: '/', behind: 'x' }],
    refuses: UsageError,
    sizeMax: 32 * 1024,
  },
  { name: 'a currency', parse: text => typed.currency(text, 'x'), pieces: ['EUR'], refuses: UsageError },
  { name: 'a day', parse: text => typed.day(text, 'x'), pieces: ['2026-11-21'], refuses: UsageError },
  { name: 'a moment', parse: text => typed.moment(text, 'x'), pieces: ['2026-11-21', 'T05:00'], refuses: UsageError },
  ...settings.map(
    (name): Parser => ({
      name: `the setting ${name}`,
      parse: text => loadConfig({ [name]: text }),
      pieces: ['redis://', 'redis+cluster://', 'https://', 'postgres://', '@', '/', 'h:1,', '10.0.0.0/8,', '::', '1.'],
      known: name === 'MAIL_FROM' ? [{ before: '', repeated: '@', behind: '\n' }] : [],
      refuses: ConfigError,
      sizeMax: 32 * 1024,
    }),
  ),
]

const texts = ({ pieces }: Parser): fc.Arbitrary<Text> => {
  const some = (least: number) =>
    fc
      .array(fc.constantFrom(...pieces, ...pieces, ...ANYTHING), { minLength: least, maxLength: 2 })
      .map(parts => parts.join(''))
  return fc.record({ before: some(0), repeated: some(1), behind: some(0) })
}

// One after another, since the test measures the time of the thread, in which other tests would run too.
for (const parser of parsers) {
  test(`${parser.name}: twice the text takes about twice the time`, async t => {
    const run = async (text: string) => {
      try {
        await parser.parse(text)
      } catch (error) {
        if (!(parser.refuses && error instanceof parser.refuses)) throw error
      }
    }
    const found = fc.sample(texts(parser), { numRuns: parser.isSlow ? Math.ceil(TEXTS / 10) : TEXTS, seed: SEED })
    for (const { before, repeated, behind } of [...(parser.known ?? []), ...found]) {
      const input = (size: number) => before + repeated.repeat(Math.ceil(size / repeated.length)) + behind
      const fault = await overgrowth({ input, run, sizeMax: parser.sizeMax ?? SIZE_MAX })
      if (fault) return t.fail(`${JSON.stringify([before, repeated, behind])}: ${fault} (FUZZ_SEED=${SEED})`)
    }
    t.pass()
  })
}

test('what takes longer is found: a pattern that is known to', async t => {
  const input = (size: number) => `1${'0'.repeat(size)}1`
  t.regex((await overgrowth({ input, run: text => text.replace(/0+$/, ''), sizeMax: SIZE_MAX / 4 })) ?? '', /ms/)
  t.is(await overgrowth({ input, run: text => text.replace(/^0+/, ''), sizeMax: SIZE_MAX }), undefined)
  const sum = (text: string) => [...text].reduce((total, digit) => total + Number(digit), 0)
  t.is(await overgrowth({ input, run: sum, sizeMax: SIZE_MAX }), undefined)
})
