/** Days in an unusual order: a form warns of them, but accepts them. */
import { Text } from '@mantine/core'

/** Whether both days are known and the first is earlier. Days are in the format of their inputs. */
export const isBefore = (one: string, other: string): boolean => one !== '' && other !== '' && one < other

type Props = { readonly of: readonly (readonly [isOdd: boolean, text: string])[] }

export function DateWarnings({ of }: Props) {
  const odd = of.filter(([isOdd]) => isOdd)
  if (odd.length === 0) return null
  return (
    <div role="status">
      {odd.map(([, text]) => (
        <Text key={text} size="sm" fw={500}>
          Please check: {text}.
        </Text>
      ))}
    </div>
  )
}
