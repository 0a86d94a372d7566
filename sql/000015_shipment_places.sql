-- Where the goods of each line of a shipment left; null: stock without a place, and a line without stock.
alter table sales_shipment_items add column storage_place_id bigint;
