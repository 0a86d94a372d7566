/** Small words beside or below what they explain. */
import { Text } from '@mantine/core'

export const Small = Text.withProps({ size: 'xs', c: 'dimmed' })

/** On a line of its own within a text. */
export const Below = Text.withProps({
  span: true,
  size: 'xs',
  c: 'dimmed',
  display: 'block',
  style: { whiteSpace: 'normal' },
})
