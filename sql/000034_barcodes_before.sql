-- no transaction
-- The barcodes of variants that were made before 000033. It locks no table; commands wait at most for their own rows.
update item_variants set barcodes = jsonb_build_array(barcode) where barcode is not null and barcodes = '[]';
-- Texts of products that were made before, as search_text has them now.
update product_texts set text = normalize(text, NFC) where text is not nfc normalized;
