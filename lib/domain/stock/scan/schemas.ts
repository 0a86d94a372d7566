/** The query and the answer of a scan. */
import * as v from 'valibot'
import { type Choices, identifier, shape } from '../../../kit/api/fields.ts'
import { choice, day, decimal, explained, idText, named, orNull, plainText } from '../../../kit/api/reply-fields.ts'

const CODE_LENGTH_MAX = 200
export const MATCHES_MAX = 20

export const ScanQuery = shape({
  code: explained(identifier(CODE_LENGTH_MAX), 'what a scanner read'),
})

const matchKinds = {
  VARIANT: 'a variant',
  BATCH: 'a batch of a variant',
  DOCUMENT: 'a document',
} as const
export type MatchKind = keyof typeof matchKinds

/** @param sources the kinds of documents */
export const scanReply = (sources: Choices) =>
  named(
    'Scan',
    shape({
      code: explained(plainText(), 'the code as it was asked for'),
      gtin: orNull(explained(plainText(), '14 digits, with zeros before a shorter one; also of a plain code')),
      sscc: orNull(explained(plainText(), 'the number of a shipping unit')),
      batch_number: orNull(explained(plainText(), 'the number of the batch, as the code says')),
      manufacture_date: orNull(explained(day(), 'when it was made, as the code says')),
      expiry_date: orNull(explained(day(), 'its last day, as the code says: expiry, else best before')),
      serial_number: orNull(explained(plainText(), 'the number of the single piece')),
      quantity: orNull(explained(decimal(), 'how many pieces, else the net weight in kg, as the code says')),
      matches: explained(
        v.array(
          shape({
            kind: choice(matchKinds),
            item_id: orNull(explained(idText(), 'the product of the variant')),
            item_variant_id: orNull(explained(idText(), 'the variant')),
            sku: orNull(plainText()),
            title: orNull(explained(plainText(), 'of the variant')),
            batch_id: orNull(explained(idText(), 'the batch')),
            batch_number: orNull(plainText()),
            source_type: orNull(choice(sources)),
            source_id: orNull(explained(idText(), 'the document')),
            number: orNull(explained(plainText(), 'of the document')),
          }),
        ),
        `what it means, at most ${MATCHES_MAX}: unarchived variants first`,
      ),
    }),
  )
