/** What became of the writes of all keys. */
import { ButtonLink } from '../../patterns/links.tsx'
import { Screen } from '../../patterns/screen.tsx'
import { RequestRecords } from './request-records.tsx'

export const Requests = () => (
  <Screen title="Requests" actions={<ButtonLink to="/keys">API keys</ButtonLink>}>
    <RequestRecords />
  </Screen>
)
