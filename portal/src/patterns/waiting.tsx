/** What shows where something is still read. */
import { Center, Loader } from '@mantine/core'

export const Waiting = ({ label }: { readonly label: string }) => (
  <Center p="xl">
    <Loader role="progressbar" aria-label={label} />
  </Center>
)
