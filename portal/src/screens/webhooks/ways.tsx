/** Between the screens of webhooks. */
import { ButtonLink } from '../../patterns/links.tsx'

const ways = [
  { to: '/webhooks', label: 'Subscriptions' },
  { to: '/webhooks/kinds', label: 'Event kinds' },
  { to: '/webhooks/live', label: 'Live events' },
] as const

export function Ways({ here }: { readonly here: (typeof ways)[number]['to'] }) {
  return ways
    .filter(({ to }) => to !== here)
    .map(({ to, label }) => (
      <ButtonLink key={to} to={to}>
        {label}
      </ButtonLink>
    ))
}
