/** For goods that are missing at a place: what is there and cannot be taken, what other places have, and the step that transfers it. */
import { Stack, Text } from '@mantine/core'
import { type Decimal, isPositive } from '../exact.ts'
import { asideTexts, elsewhere, elsewhereTexts, type Goods, hereOf } from './goods.tsx'
import { usePlaceTitle } from './places.tsx'
import { TransferHere } from './transfer-here.tsx'

type Props = {
  readonly goods: Goods
  readonly of: { readonly item_variant_id: string; readonly title: string }
  readonly missing: Decimal
  readonly at: string | null
}

export function LiesWhere({ goods, of: { item_variant_id, title }, missing, at }: Props) {
  const titleOf = usePlaceTitle()
  const from = isPositive(missing) ? elsewhere(goods, item_variant_id, at) : []
  const texts = [...asideTexts(hereOf(goods, item_variant_id, at)), ...elsewhereTexts(from, titleOf)]
  if (texts.length === 0) return null
  return (
    <Stack gap={2} align="flex-start" pt={2}>
      {texts.map(text => (
        <Text key={text} size="xs" c="dimmed">
          {text}
        </Text>
      ))}
      <TransferHere
        variantId={item_variant_id}
        title={title}
        missing={missing}
        to={at}
        from={from}
        button={{ size: 'compact-xs' }}
      />
    </Stack>
  )
}
