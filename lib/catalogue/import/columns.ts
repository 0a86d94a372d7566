/**
 * What the columns of a products file are, and how a record becomes the body of `POST /products`. Pure: no I/O and no clock;
 * whether a value is allowed is the endpoint's business.
 */
import { JsonNumber, type JsonObject, type JsonValue } from '../../api/json.ts'

type Kind = 'text' | 'number' | 'flag'

/** The fields of a product with one variant, as `POST /products` takes them. */
const kinds: Readonly<Record<string, Kind>> = {
  title: 'text',
  type: 'text',
  description: 'text',
  category: 'text',
  unit_name: 'text',
  is_sellable: 'flag',
  is_producible: 'flag',
  is_purchasable: 'flag',
  batch_tracked: 'flag',
  shelf_life_days: 'number',
  external_ref: 'text',
  sku: 'text',
  barcode: 'text',
  price: 'number',
  purchase_price: 'number',
  minimum_stock: 'number',
}

export const columnNames: readonly string[] = Object.keys(kinds)

export type Header = readonly string[]

/** What is wrong with a header or a record, in words. */
export type Fault = { readonly fault: string }

/** The names of the columns, in any case. A column that is not known would be lost unseen, so it is a fault. */
export function readHeader(cells: readonly string[]): Header | Fault {
  const header = cells.map(cell => cell.trim().toLowerCase())
  const unknown = header.find(name => !Object.hasOwn(kinds, name))
  if (unknown !== undefined) return { fault: `"${unknown}" is no column; the columns are ${columnNames.join(', ')}` }
  const repeated = header.find((name, at) => header.indexOf(name) !== at)
  if (repeated !== undefined) return { fault: `the column ${repeated} is there twice` }
  if (!header.includes('title')) return { fault: 'the column title is missing' }
  return header
}

/** The body of a record; an empty cell is an absent field. */
export function bodyOf(header: Header, cells: readonly string[]): { readonly body: JsonObject } | Fault {
  if (cells.length !== header.length)
    return { fault: `${cells.length} cells, but the header has ${header.length} columns` }
  const body: JsonObject = Object.create(null)
  for (const [at, name] of header.entries()) {
    const text = (cells[at] ?? '').trim()
    if (text === '') continue
    const value = readCell(kinds[name] ?? 'text', text)
    if (value === undefined)
      return { fault: `${name}: "${text}" is no ${kinds[name] === 'flag' ? 'true or false' : 'number'}` }
    body[name] = value
  }
  return { body }
}

const flags: Readonly<Record<string, boolean>> = {
  true: true,
  false: false,
  yes: true,
  no: false,
  '1': true,
  '0': false,
}

function readCell(kind: Kind, text: string): JsonValue | undefined {
  if (kind === 'text') return text
  return kind === 'flag' ? flags[text.toLowerCase()] : numberOf(text)
}

/** Numbers as people and programs write them (`.50`, `007`, `+1`), in JSON's spelling and with all their digits. */
function numberOf(text: string): JsonNumber | undefined {
  const match = /^([+-]?)0*(\d*)(?:\.(\d*))?((?:[eE][+-]?\d+)?)$/.exec(text)
  if (!match || !/\d/.test(text.split(/[eE]/)[0] ?? '')) return undefined
  const [, sign, whole = '', fraction = '', exponent = ''] = match
  return new JsonNumber(`${sign === '-' ? '-' : ''}${whole || '0'}${fraction === '' ? '' : `.${fraction}`}${exponent}`)
}
