/** Declared filters (`filters.ts`) as inputs above the list of the screen that is shown. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Filter, Filters, Search } from '../filters.ts'
import {
  CodeFilter,
  CodesFilter,
  DayFilter,
  type FilterProps,
  KeysFilter,
  PartnerFilter,
  PlaceFilter,
  type Route,
  TextFilter,
  VariantFilter,
} from './filters.tsx'

/** The filters of the screen that is shown, for screens that stand on more than one route. */
export const here: Route<Search> = {
  useSearch: () => useSearch({ strict: false }) as Search,
  useNavigate: () => {
    const navigate = useNavigate() as unknown as (to: object) => unknown
    return (to: object) => navigate({ to: '.', ...to })
  },
}

type One = FilterProps & { readonly of: Filter<unknown> }

/** Which input chooses what. */
const inputs: Readonly<Record<Filter<unknown>['input'], (props: One) => ReactNode>> = {
  codes: ({ of, ...props }) => <CodesFilter {...props} of={of.of ?? []} />,
  code: ({ of, ...props }) => <CodeFilter {...props} of={of.of ?? []} />,
  use: ({ of, ...props }) => <CodeFilter {...props} of={of.of ?? []} />,
  text: ({ of: _, ...props }) => <TextFilter {...props} />,
  day: ({ of: _, ...props }) => <DayFilter {...props} />,
  customers: ({ of: _, ...props }) => <PartnerFilter {...props} of="customers" />,
  suppliers: ({ of: _, ...props }) => <PartnerFilter {...props} of="suppliers" />,
  variant: ({ of, ...props }) => <VariantFilter {...props} {...(of.use ? { of: of.use } : {})} />,
  place: ({ of: _, ...props }) => <PlaceFilter {...props} />,
  keys: ({ of: _, ...props }) => <KeysFilter {...props} />,
  link: () => null,
}

type FilterInputsProps = {
  readonly of: Filters
  readonly filter: (name: string) => Pick<FilterProps, 'value' | 'onChange'>
}

/** The inputs of declared filters, in their order. */
export const FilterInputs = ({ of, filter }: FilterInputsProps) =>
  Object.entries(of).map(([name, one]) => {
    const Input = inputs[one.input]
    return <Input key={name} label={one.label} of={one} {...filter(name)} />
  })
