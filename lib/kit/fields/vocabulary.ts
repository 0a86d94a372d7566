/**
 * The common vocabulary of fields: at most 45 names with the same meaning in three nouns or more. A field, a body's field or a query
 * parameter with such a name needs no description. Another field has its description where it is declared (`.words`), unless its kind
 * derives one, as `reference` does. A new noun adds nothing to this list.
 */
export const vocabulary: Readonly<Record<string, string>> = {
  id: 'unique across all tenants; an int64 as text',
  title: 'what people call it',
  number: 'unique per tenant and kind; counted unless given (`SO-00001`)',
  notes: 'anything worth keeping',
  external_ref: "your own system's id of it, unique per tenant and kind",
  metadata: 'names and texts of your own',
  archived: 'whether it is out of use: shown, but not for new documents',
  created_at: 'when it was made',
  created_date: 'when it was made',
  updated_at: 'moves with any change to its own fields and lines',
  date: 'when it happened: not in a closed period, nor ahead of the clock; now unless given',
  reason: 'why, in words',
  position: 'its place in the technology; several may share one',
  items: 'the lines',

  currency: 'ISO 4217 code',
  country_code: 'ISO 3166-1 alpha-2 code',
  sku: 'stock keeping unit of the variant, which may have none',
  unit_name: 'the unit that quantities count (`pcs`, `kg`)',
  quantity: 'in the unit of the product',
  quarantine: 'whether it goes into quarantine, out of which nothing is picked',
  batch_number: 'the number of the batch',
  manufacture_date: 'when the batch was made',
  expiry_date: 'the last day of the batch; by default the manufacture date and the shelf life',
  source_id: 'the document',
  source_type: 'the kind of the document',
}
