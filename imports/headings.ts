/** Headings that files of shops, warehouses and spreadsheets have for a column: in English, German, French and Spanish. Pure. */

/** A heading without case, accents, signs and what stands in brackets: `Preis (EUR)` is `preis`, `Artikel-Nr.` is `artikel_nr`. */
export const plainHeading = (text: string): string =>
  text
    .replace(/\([^()]*\)|\[[^[\]]*\]/g, '')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '')

/** The column of each heading, from the headings of each column with spaces between them. */
export const headingsOf = (columns: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(columns).flatMap(([column, headings]) => headings.split(' ').map(heading => [heading, column])),
  )

const sku =
  'sku_code item_no item_number item_code article_number part_number product_code artikelnummer artikelnr artikel_nr artnr art_nr ' +
  'reference ref code_article referencia codigo'
const stock = {
  quantity:
    'qty stock stock_qty stock_quantity stock_on_hand on_hand quantity_on_hand inventory opening_stock menge anzahl bestand lagerbestand ' +
    'anfangsbestand quantite stock_initial cantidad existencias',
  place: 'location warehouse storage_place lager lagerort lagerplatz entrepot emplacement almacen ubicacion',
  batch_number: 'batch lot lot_number batch_no charge chargennummer numero_de_lot lote numero_de_lote',
  expiry_date:
    'expiry expires expires_on expiration_date best_before use_by mhd haltbar_bis verfallsdatum ablaufdatum date_de_peremption dlc ' +
    'caducidad fecha_de_caducidad',
  manufacture_date:
    'made_on produced_on production_date herstelldatum herstellungsdatum date_de_fabrication fecha_de_fabricacion',
}

export const productHeadings = headingsOf({
  title:
    'name product product_name product_title item item_name article titel produkt produktname artikel artikelname bezeichnung ' +
    'artikelbezeichnung nom nom_du_produit produit designation libelle nombre nombre_del_producto producto articulo titulo',
  sku,
  external_ref: 'handle external_id',
  barcode: 'ean ean13 ean_13 ean_code gtin upc isbn barcode_ean strichcode code_barres code_barre codigo_de_barras',
  price:
    'sales_price selling_price sale_price retail_price unit_price list_price preis verkaufspreis vk vk_preis prix prix_de_vente ' +
    'prix_unitaire precio precio_de_venta pvp',
  purchase_price:
    'cost cost_price cost_per_item buying_price einkaufspreis ek ek_preis einstandspreis kosten cout prix_d_achat coste costo ' +
    'precio_de_compra',
  category: 'product_category group product_group kategorie warengruppe categorie famille categoria',
  unit_name: 'unit uom unit_of_measure einheit mengeneinheit unite unidad',
  description: 'product_description beschreibung artikelbeschreibung descripcion',
  minimum_stock: 'min_stock minimum reorder_point reorder_level mindestbestand meldebestand stock_minimum stock_minimo',
  variant_title: 'variant variant_name variante',
  ...stock,
})

export const stockHeadings = headingsOf({
  sku,
  unit_cost: 'cost cost_price cost_per_item purchase_price einkaufspreis ek einstandspreis kosten cout coste costo',
  ...stock,
})

export const recipeHeadings = headingsOf({
  sku: `${sku} product product_sku produkt produit producto`,
  material_sku:
    'material component component_sku ingredient ingredient_sku zutat komponente composant materiel componente ingrediente',
  quantity: 'qty amount menge quantite cantidad',
  output_quantity: 'output yield batch_size makes',
  scrap_percent: 'scrap waste loss ausschuss verlust',
  notes: 'note comment bemerkung remarque notas',
})

export const partnerHeadings = headingsOf({
  title: 'name company company_name firma firmenname nom societe nombre empresa',
  external_ref: 'external_id number customer_number supplier_number kundennummer lieferantennummer',
  email: 'e_mail mail email_address courriel correo',
  phone: 'telephone phone_number tel telefon telefono',
  tax_number: 'vat vat_number vat_id tax_id ust_id ustid ust_idnr tva nif cif',
  country_code: 'country land pays pais',
})
