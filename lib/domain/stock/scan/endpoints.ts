/** The endpoint of scans, which finds the records of a scanned code. */
import { defineRead } from '../../../kit/api/endpoint.ts'
import { invalid } from '../../../kit/api/errors.ts'
import type { AnyDocument } from '../../../kit/documents/document.ts'
import { type AnyNoun, oneOf } from '../../../kit/documents/noun.ts'
import { sourceTypeOf } from '../../../kit/documents/postings.ts'
import { type Others, resource } from '../../../kit/documents/resources.ts'
import { gtinOf } from '../../catalogue/gtin.ts'
import { stockTag } from '../tag.ts'
import { type Elements, readCode } from './element-string-rules.ts'
import { type Match, matchesOfElements, numberedOf, variantsOfText } from './queries.ts'
import { MATCHES_MAX, type MatchKind, ScanQuery, scanReply } from './schemas.ts'

/** Refuses `validation_failed` for a broken GS1 element string, with the position of the fault. */
const scanOf = (documents: readonly AnyNoun[]) => {
  const sources = Object.fromEntries(documents.map(document => [sourceTypeOf(document), oneOf(document)]))
  return defineRead({
    id: 'scan',
    path: '/scan',
    tag: stockTag,
    scope: 'read:stock',
    summary: 'What a scanned code means',
    description:
      'A GS1 element string begins with `]C1`, `]d2`, `]Q3`, `]e0` or `]J1`, holds U+001D (`%1D`), has brackets around its first ' +
      'identifier, or begins with 00, 01 or 02 and can be read whole, while no sku and no barcode is spelled like it. Read are 01 and ' +
      '02 (GTIN), 10 (batch), 11 (made), 17, else 15 (expiry), 21 (serial number), 37, else 30 (count), else 310n (net weight in kg), 00 ' +
      '(SSCC); other identifiers of the General Specifications are passed over, in brackets all. It means the variants with the GTIN ' +
      'among their barcodes, then their batches of that number. Any other code is a sku, else a barcode, else the number of a batch, ' +
      'else that of a document that the key may read; `]E0`, `]E4` and `]I1` before it are taken off. Unarchived variants come first, at ' +
      `most ${MATCHES_MAX} matches in all. A code that means nothing has none.`,
    query: ScanQuery,
    exampleQuery: { code: '(01)04006381333931(17)271130(10)LOT-7' },
    refusals: [],
    reply: scanReply(sources),
    handle: async ({ pool, tenantId, scopes, now }, { query: { code } }) => {
      const read = readCode(code, Number(now.slice(0, 4)))
      if (read.is === 'broken') return invalid('code', read.fault)
      if (read.is === 'marked') return answerJson(code, read.elements, await ofElements(read.elements))
      const text = read.is === 'plain' ? read.text : code
      const variants = await variantsOfText(pool, { tenantId, text })
      if (variants.length === 0 && read.is === 'bare')
        return answerJson(code, read.elements, await ofElements(read.elements))
      const matches = variants.length > 0 ? variants : await numberedOf(pool, documents, { tenantId, text, scopes })
      return answerJson(code, { ...nothing, gtin: gtinOf(text) }, matches)

      function ofElements(elements: Elements) {
        return matchesOfElements(pool, { tenantId, ...elements })
      }
    },
  })
}

const nothing: Elements = {
  gtin: null,
  sscc: null,
  batchNumber: null,
  manufactureDate: null,
  expiryDate: null,
  serialNumber: null,
  quantity: null,
}

function answerJson(code: string, said: Elements, matches: readonly Match[]): string {
  const { gtin, sscc, batchNumber, manufactureDate, expiryDate, serialNumber, quantity } = said
  const texts = JSON.stringify({
    ...{ code, gtin, sscc, batch_number: batchNumber, manufacture_date: manufactureDate },
    ...{ expiry_date: expiryDate, serial_number: serialNumber },
  })
  const shown = matches.map(match => ({ kind: kindOf(match), ...match }))
  return `${texts.slice(0, -1)},"quantity":${quantity},"matches":${JSON.stringify(shown)}}`
}

const kindOf = ({ source_id, batch_id }: Pick<Match, 'source_id' | 'batch_id'>): MatchKind =>
  source_id !== null ? 'DOCUMENT' : batch_id !== null ? 'BATCH' : 'VARIANT'

const isNumbered = (document: AnyDocument): document is AnyNoun => document.prefix !== null && 'scopes' in document

/** @param others `documents`: the nouns among which documents are found by number */
export const scans = ({ documents }: Others) => resource([], [scanOf(documents.filter(isNumbered))])
