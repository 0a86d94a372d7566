/** The way to a variant's page, from wherever it is named. */
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'

export function VariantLink({
  item_id,
  item_variant_id,
  title,
}: {
  readonly item_id: string
  readonly item_variant_id: string
  readonly title: string
}) {
  return (
    <Anchor
      inherit
      renderRoot={props => (
        <Link
          to="/stock/$productId/$variantId"
          params={{ productId: item_id, variantId: item_variant_id }}
          {...props}
        />
      )}
    >
      {title}
    </Anchor>
  )
}
