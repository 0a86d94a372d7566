/** The document of an entry, with a link. */
import { words } from '../../format.tsx'
import { DocumentLink } from '../../patterns/links.tsx'
import type { JournalEntry } from '../../records.ts'

type Props = {
  readonly of: Pick<JournalEntry, 'source_type' | 'source_id' | 'source_number'>
  readonly inText?: boolean
}

/** A product has no number. */
export const EntryDocument = ({ of: { source_type, source_id, source_number }, inText = false }: Props) => (
  <DocumentLink kind={source_type} id={source_id} inText={inText} className="whole">
    {source_number ?? words(source_type)}
  </DocumentLink>
)
