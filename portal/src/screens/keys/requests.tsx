/** What was done, by whom, and what became of it. */
import { ButtonLink } from '../../patterns/links.tsx'
import { Screen } from '../../patterns/screen.tsx'
import { RequestRecords } from './request-records.tsx'

export const Requests = () => (
  <Screen title="Who did what" actions={<ButtonLink to="/keys">API keys</ButtonLink>}>
    <RequestRecords />
  </Screen>
)
