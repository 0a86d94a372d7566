/** Checks that barcodes find their variants: what they are found by is kept by triggers. It takes nothing from the rules. */
import { sql } from '../../platform/postgres/postgres.ts'
import type { Check } from './check.ts'

export const barcodeChecks: readonly Check[] = [
  {
    name: 'what barcodes are found by = barcodes of variants',
    faultRows: sql.fragment`
      select tenant_id, format('barcode %s of the variant %s of the product %s', code, item_variant_id, item_id) as subject,
        case when v.archived is null then 'none' when v.archived then 'archived' else 'unarchived' end as expected,
        case when k.archived is null then 'none' when k.archived then 'archived' else 'unarchived' end as found
      from (
        select distinct tenant_id, barcode_key(e.code) as code, id as item_variant_id, item_id, not active as archived
        from item_variants cross join lateral jsonb_array_elements_text(barcodes) e (code)
      ) v
      full join variant_barcodes k using (tenant_id, code, item_variant_id, item_id)
      where v.archived is distinct from k.archived`,
  },
]
