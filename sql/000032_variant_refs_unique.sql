-- Deferrable, so that it is checked at the end of a statement: one statement may swap the references of two variants.
lock table item_variants;
alter table item_variants add constraint item_variants_external_ref_key
  unique using index item_variants_external_ref_key deferrable initially immediate;
drop index item_variants_by_external_ref;
