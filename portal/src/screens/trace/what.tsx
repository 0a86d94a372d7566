/** A variant by its title, and its sku below. */
import { Text } from '@mantine/core'

export function What({ title, sku }: { readonly title: string; readonly sku: string | null }) {
  return (
    <>
      {title}
      {sku !== null && (
        <Text span size="xs" c="dimmed" display="block">
          {sku}
        </Text>
      )}
    </>
  )
}
