/** Records that may be out of use: how lists show them, and the filter by it. */
import { Badge } from '@mantine/core'
import { USES } from '../search.ts'
import type { Column } from './data-table.tsx'
import { CodeFilter } from './filters.tsx'
import { DocumentLink } from './links.tsx'

type Chosen = { readonly value: string | undefined; readonly onChange: (value: string | undefined) => void }

export const UseFilter = (props: Chosen) => <CodeFilter label="In use" of={USES} {...props} />

/** As lists of the interface take it. */
export const archivedOf = (use: string | undefined) => (use === undefined ? {} : { archived: use === 'archived' })

export const Archived = ({ of: { archived } }: { readonly of: { readonly archived: boolean } }) =>
  archived && (
    <Badge color="gray" miw="max-content">
      Archived
    </Badge>
  )

type Titled = { readonly id: string; readonly title: string; readonly archived: boolean }

/** The title of a record, which leads there from the whole row. */
export const titleColumn = (kind: string): Column<Titled> => ({
  header: 'Title',
  cell: record => (
    <>
      <DocumentLink kind={kind} id={record.id} className="row-link wraps">
        {record.title}
      </DocumentLink>{' '}
      <Archived of={record} />
    </>
  ),
})
