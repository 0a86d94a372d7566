/** The first fields of a row of requirements or of a replenishment: the variant and its level. */
import { explained, idText, orNull, plainText, wholeNumber } from '../../kit/api/reply-fields.ts'
import { textJson } from './json.ts'
import type { Part } from './parts.ts'

/** @param level where the level is counted from */
export const variantFields = (level: string) => ({
  item_id: explained(idText(), 'the product'),
  item_variant_id: explained(idText(), 'the variant'),
  sku: orNull(plainText()),
  title: plainText(),
  level: explained(wholeNumber(), level),
})

/** The same fields as properties of a JSON object. */
export const variantJson = ({ itemId, id, sku, title }: Part, level: number): string =>
  `"item_id":"${itemId}","item_variant_id":"${id}","sku":${textJson(sku)},"title":${textJson(title)},"level":${level}`
