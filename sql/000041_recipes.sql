-- Recipes as they are written: for so many, with scrap (docs/rules/manufacturing.md, "Recipes"). The release before goes on writing: what it
-- leaves out has the defaults, by which a recipe is for one and loses nothing.
lock table recipes, recipe_materials, manufacturing_orders, manufacturing_order_items, manufacturing_order_tasks;

-- Materials and durations are for so many.
alter table recipes add column output_quantity numeric(18, 6) not null default 1 check (output_quantity > 0);
-- So much more is planned.
alter table recipe_materials add column scrap_percent numeric(8, 4) not null default 0 check (scrap_percent between 0 and 1000);

-- The recipe as the order took it, so that materials and durations follow exactly when the quantity of the order changes. A line of the recipe
-- without recipe_quantity was written by the release before: its quantity_per_unit counts.
alter table manufacturing_orders add column recipe_output_quantity numeric(18, 6) not null default 1;
-- Materials of the recipe whose need rounds to 0: [{item_variant_id, quantity, scrap_percent}], decimals as texts.
alter table manufacturing_orders add column unneeded_materials jsonb not null default '[]';
alter table manufacturing_order_items add column recipe_quantity numeric(18, 6);
alter table manufacturing_order_items add column scrap_percent numeric(8, 4) not null default 0;
alter table manufacturing_order_tasks add column recipe_duration numeric(18, 6);
