/** Operations, the steps of work in recipes: their list, and a page for each. */
import { quantityText } from '../../format.tsx'
import { titleColumn } from '../../patterns/archived.tsx'
import { Cost, column } from '../../patterns/columns.tsx'
import { documentScreens } from '../../patterns/document-screens.tsx'
import { ButtonLink } from '../../patterns/links.tsx'
import { operations } from './nouns.ts'
import { EditOperation, NewOperation } from './operation-steps.tsx'

export const { List, Page } = documentScreens(operations, {
  columns: [
    titleColumn(operations),
    column.cost('Cost per hour', ({ cost_per_hour }) => cost_per_hour),
    column.number('Step number', ({ position }) => position, 'sm'),
    column.shown('Unit', ({ unit_name }) => unit_name, 'md'),
  ],
  actions: (
    <>
      <ButtonLink to="/recipes">Recipes</ButtonLink>
      <NewOperation />
    </>
  ),
  whenEmpty: 'There are no operations yet. Make one for each step of work that costs something; recipes name them.',
  steps: operation => <EditOperation operation={operation} />,
  facts: operation => [
    ['Cost per hour', <Cost key="cost" of={operation.cost_per_hour} />],
    ['Step number', quantityText(operation.position)],
    ['Unit', operation.unit_name],
    ['Reference', operation.external_ref],
  ],
})
