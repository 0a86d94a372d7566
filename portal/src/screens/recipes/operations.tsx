/** Operations: the steps of work that recipes name. */
import type { Operation as Work } from '@millrace/client'
import { getRouteApi } from '@tanstack/react-router'
import type { Exact } from '../../exact.ts'
import { quantityText } from '../../format.tsx'
import { listQuery } from '../../lists.ts'
import { Cost, column } from '../../patterns/columns.tsx'
import type { Columns } from '../../patterns/data-table.tsx'
import { RecordOf, RecordPage } from '../../patterns/detail-page.tsx'
import { ButtonLink, DocumentLink } from '../../patterns/links.tsx'
import { ListPage } from '../../patterns/list-page.tsx'
import { useApi } from '../../session.tsx'
import { EditOperation, NewOperation } from './operation-steps.tsx'

const columns: Columns<Exact<Work>> = [
  column.shown('Title', ({ id, title }) => (
    <DocumentLink kind="OPERATION" id={id} className="row-link wraps">
      {title}
    </DocumentLink>
  )),
  column.cost('Cost per hour', ({ cost_per_hour }) => cost_per_hour),
  column.number('Position', ({ position }) => position, 'sm'),
  column.shown('Unit', ({ unit_name }) => unit_name, 'md'),
]

export function Operations() {
  const api = useApi()
  return (
    <ListPage
      title="Operations"
      query={listQuery(['operations'], { order: 'asc' }, (query, options) => api.operations.list(query, options))}
      columns={columns}
      whenEmpty="There are no operations yet. Make one for each step of work that costs something; recipes name them."
      actions={
        <>
          <ButtonLink to="/recipes">Recipes</ButtonLink>
          <NewOperation />
        </>
      }
    />
  )
}

const route = getRouteApi('/operations/$id')

export const Operation = () => (
  <RecordOf route={route} kind="Operation" name="operations" of={api => api.operations}>
    {operation => (
      <RecordPage
        title={operation.title}
        of={operation}
        steps={<EditOperation operation={operation} />}
        facts={[
          ['Cost per hour', <Cost key="cost" of={operation.cost_per_hour} />],
          ['Position', quantityText(operation.position)],
          ['Unit', operation.unit_name],
          ['Reference', operation.external_ref],
        ]}
      >
        {null}
      </RecordPage>
    )}
  </RecordOf>
)
