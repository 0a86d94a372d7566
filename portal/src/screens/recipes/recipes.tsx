/** The list of recipes. */
import type { Recipe } from '@millrace/client'
import { getRouteApi } from '@tanstack/react-router'
import type { Exact } from '../../exact.ts'
import { column } from '../../patterns/columns.tsx'
import type { Columns } from '../../patterns/data-table.tsx'
import { VariantFilter } from '../../patterns/filters.tsx'
import { ButtonLink, DocumentLink } from '../../patterns/links.tsx'
import { ListOf } from '../../patterns/list-of.tsx'
import { NewRecipe } from './recipe-steps.tsx'
import { recipeTitle } from './title.ts'

const route = getRouteApi('/recipes')

const columns: Columns<Exact<Recipe>> = [
  column.shown('Makes', recipe => (
    <DocumentLink kind="RECIPE" id={recipe.id} className="row-link wraps">
      {recipeTitle(recipe)}
    </DocumentLink>
  )),
  column.shown('SKU', ({ sku }) => sku, 'md'),
  column.lines('For one unit', ({ materials }) => materials),
  column.shown('Work', ({ operations }) => operations.map(line => line.operation_title).join(', '), 'md'),
  column.day('Made', ({ created_at }) => created_at, 'sm'),
]

export const Recipes = () => (
  <ListOf
    title="Recipes"
    route={route}
    name="recipes"
    of={api => api.recipes}
    columns={columns}
    whenEmpty="There are no recipes yet. Make one, and manufacturing orders know their materials and their cost."
    actions={
      <>
        <ButtonLink to="/operations">Operations</ButtonLink>
        <NewRecipe />
      </>
    }
    filters={filter => <VariantFilter label="Makes" of="is_producible" {...filter('item_variant_id')} />}
  />
)
