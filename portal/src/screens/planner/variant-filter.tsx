/** A variant by id; the input shows its title. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Choice, VariantPicker } from '../../patterns/inputs.tsx'
import { useSession } from '../../session.tsx'

type Props = {
  readonly label: string
  readonly value: string | undefined
  readonly onChange: (value: string | undefined) => void
  readonly of?: 'is_producible'
}

const keyOf = (id: string | undefined) => ['variant-titles', id] as const

/** The interface reads products by their own id alone: a variant's title stands where it has stock or a recipe. */
export function useVariantChoice(id: string | undefined): Choice | null {
  const { api, can } = useSession()
  const { data } = useQuery({
    queryKey: keyOf(id),
    enabled: id !== undefined && /^\d+$/.test(id),
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<Choice> => {
      const query = { item_variant_id: id ?? '', limit: 1 }
      const [entry] = (await api.stock.list(query, { signal })).data
      if (entry) return choiceOf(entry)
      const [recipe] = can('read:manufacturing') ? (await api.recipes.list(query, { signal })).data : []
      return recipe
        ? choiceOf({
            item_variant_id: id ?? '',
            title: recipe.item_variant_title ?? recipe.item_title,
            sku: recipe.sku,
          })
        : { id: id ?? '', label: `Variant ${id}` }
    },
  })
  return id === undefined ? null : (data ?? { id, label: `Variant ${id}` })
}

const choiceOf = (one: {
  readonly item_variant_id: string
  readonly title: string
  readonly sku: string | null
}): Choice => ({
  id: one.item_variant_id,
  label: one.title,
  ...(one.sku === null ? {} : { hint: one.sku }),
})

export function VariantFilter({ value, onChange, ...props }: Props) {
  const queries = useQueryClient()
  return (
    <VariantPicker
      {...props}
      value={useVariantChoice(value)}
      onChange={choice => {
        if (choice) queries.setQueryData(keyOf(choice.id), choice)
        onChange(choice?.id)
      }}
    />
  )
}
