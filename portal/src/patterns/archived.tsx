/** How lists show records with a title that may be archived. */
import { Badge } from '@mantine/core'
import type { Filters } from '../filters.ts'
import { idOf, type Noun, nameOf } from '../noun.ts'
import type { Column } from './data-table.tsx'
import { DocumentLink } from './links.tsx'

export const Archived = ({ of: { archived } }: { readonly of: { readonly archived?: boolean } }) =>
  archived && (
    <Badge color="gray" miw="max-content">
      Archived
    </Badge>
  )

/** The title of a record. Its link covers the whole row. */
export const titleColumn = <One extends object, Has extends Filters>(
  noun: Noun<One, Has>,
  header = 'Name',
): Column<One> => ({
  header,
  cell: record => (
    <>
      <DocumentLink kind={noun.kind} id={idOf(noun, record)} className="row-link wraps">
        {nameOf(noun, record)}
      </DocumentLink>{' '}
      <Archived of={record} />
    </>
  ),
  says: record => nameOf(noun, record),
})
