/** The steps that lead from nothing to a first order: place, product, customer, order. */
import { Group, List, Text, ThemeIcon } from '@mantine/core'
import { CheckIcon, DotFilledIcon } from '@radix-ui/react-icons'
import type { ReactNode } from 'react'
import { PathLink } from '../../patterns/links.tsx'
import { Section } from '../../patterns/section.tsx'
import { useSession } from '../../session.tsx'
import { NewCustomer } from '../partners/steps.tsx'
import { NewPlace } from '../places/steps.tsx'
import { NewProduct } from '../products/new-product.tsx'
import { NewSalesOrder } from '../sales/new-sales-order.tsx'
import { useHasAny } from './reads.ts'

type Step = {
  readonly title: string
  readonly why: string
  readonly isDone: boolean | undefined
  readonly make: ReactNode
}

export function StepsToFirstOrder() {
  const { api } = useSession()
  const steps: readonly Step[] = [
    // Before goods, whose file may bring stock: what came in without a place stays without one.
    {
      title: 'A storage place',
      why: 'Where stock lies. The first one is the main place.',
      isDone: useHasAny('storage-places', 'read:stock', api.storagePlaces),
      make: <NewPlace stays />,
    },
    {
      title: 'A product',
      why: 'What is bought, made and sold.',
      isDone: useHasAny('products', 'read:catalog', api.products),
      make: (
        <>
          <NewProduct stays />
          <PathLink to="/import">Import a file of them</PathLink>
        </>
      ),
    },
    {
      title: 'A customer',
      why: 'Whom goods are sold to.',
      isDone: useHasAny('customers', 'read:sales', api.customers),
      make: (
        <>
          <NewCustomer stays />
          <PathLink to="/import" search={{ kind: 'customers' }}>
            Import a file of them
          </PathLink>
        </>
      ),
    },
    {
      title: 'An order',
      why: 'It reserves what it sells, and shows what is short.',
      isDone: false,
      make: <NewSalesOrder />,
    },
  ]
  // A key that may not read one of them does not know whether it is missing.
  if (steps.some(({ isDone }) => isDone === undefined)) return null
  const next = steps.find(({ isDone }) => !isDone)
  return (
    <Section title="First steps">
      <List p="md" pt="xs" spacing="sm" listStyleType="none">
        {steps.map(step => (
          <List.Item key={step.title} icon={<Mark isDone={step.isDone === true} />}>
            <Text size="sm" fw={step === next ? 600 : 400}>
              {step.title}
              {step.isDone && ' – done'}
            </Text>
            {step === next && (
              <>
                <Text size="sm" c="dimmed" mb={6}>
                  {step.why}
                </Text>
                <Group gap="sm">{step.make}</Group>
              </>
            )}
          </List.Item>
        ))}
      </List>
    </Section>
  )
}

const Mark = ({ isDone }: { readonly isDone: boolean }) => (
  <ThemeIcon size={20} radius="xl" variant="light" color={isDone ? 'green' : 'gray'} aria-hidden>
    {isDone ? <CheckIcon /> : <DotFilledIcon />}
  </ThemeIcon>
)
