/** A placeholder while data is loaded. Without a connection it says that it waits for one. */
import { Center, Loader, Skeleton, Text } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'

const Offline = () => (
  <Text role="status" size="sm" c="dimmed" ta="center" p="xl">
    You are offline. This is read when the connection is back.
  </Text>
)

export function Waiting({ label }: { readonly label: string }) {
  const { online } = useNetwork()
  if (!online) return <Offline />
  return (
    <Center p="xl">
      <Loader role="progressbar" aria-label={label} />
    </Center>
  )
}

/** Replaces a part of a screen. */
export function WaitingPart({ height }: { readonly height: number }) {
  const { online } = useNetwork()
  return online ? <Skeleton h={height} m="md" w="auto" /> : <Offline />
}
