/**
 * Lines as entries of bulks. The Idempotency-Key of an entry is made of what its line says, as `bin/millrace import` makes it: a line that was
 * sent before, here or there, in whatever file, is answered and not done again. Equal lines of a file are told apart by their count.
 */
import type { Entry } from '@millrace/client'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { type Figure, isFigure, isParts, type RowBody } from '../../../../csv/rows.ts'
import { sent } from '../../exact.ts'
import type { ImportKind } from './kinds.ts'
import type { Row } from './rows.ts'

export type Sent = { readonly row: Row; readonly entry: Entry<{ readonly id: string }> }

const KEY_LENGTH = 40

export function entriesOf(rows: readonly Row[], { path, keyPrefix }: ImportKind): readonly Sent[] {
  const seen = new Map<string, number>()
  return rows.map(row => {
    const hash = bytesToHex(sha256(new TextEncoder().encode(canonical(row.body)))).slice(0, KEY_LENGTH)
    const count = (seen.get(hash) ?? 0) + 1
    seen.set(hash, count)
    return {
      row,
      entry: { method: 'POST', path, idempotency_key: `${keyPrefix}-${hash}-${count}`, body: sentBody(row.body) },
    }
  })
}

const sentBody = (body: RowBody): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      isFigure(value) ? sent(value.figure) : isParts(value) ? sentBody(value) : value,
    ]),
  )

/** One text for all spellings of the same body: sorted names, no white space, canonical numbers. */
export function canonical(value: RowBody | RowBody[string]): string {
  if (typeof value !== 'object') return JSON.stringify(value)
  if (isFigure(value as RowBody[string])) return canonicalNumber((value as Figure).figure)
  const members = Object.entries(value as RowBody).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`).join(',')}}`
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

function canonicalNumber(text: string): string {
  const [, sign = '', whole = '', fraction = '', power = '0'] = NUMBER.exec(text) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return '0'
  return `${sign}${significant}e${BigInt(power) + BigInt(digits.length - significant.length - fraction.length)}`
}
