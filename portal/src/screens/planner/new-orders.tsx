/** Orders that follow from what is needed. */
import { Stack, Table, TextInput } from '@mantine/core'
import type { Requirements } from '@millrace/client'
import { useNavigate } from '@tanstack/react-router'
import { type Decimal, type Exact, forTyping, isPositive, sent, typed, typedHint } from '../../exact.ts'
import { quantityText } from '../../format.tsx'
import { Step } from '../../patterns/action-form.tsx'
import { type Choice, DecimalInput, decimalRules, Picker } from '../../patterns/inputs.tsx'
import { PlaceInput } from '../../patterns/place-input.tsx'
import { useSession } from '../../session.tsx'

const number = (input: string): number => sent(typed(input) ?? '0')

const given = (name: string, value: string) => (value === '' ? {} : { [name]: value })

export function NewManufacturingOrder({
  answer: { item_variant_id, quantity, storage_place_id },
  title,
}: {
  readonly answer: Exact<Requirements>
  readonly title: string
}) {
  const { api, can } = useSession()
  const navigate = useNavigate()
  const scope = 'write:manufacturing.order.create'
  return (
    <Step
      label="New manufacturing order"
      title={`Make ${title}`}
      submitLabel="Create"
      explains="Its materials are reserved, and its output is expected. Nothing moves before it is started."
      closed={can(scope) ? undefined : `The key lacks the scope ${scope}`}
      initial={() => ({
        quantity: forTyping(quantity),
        place: storage_place_id ?? '',
        planned_start_date: '',
        production_date: '',
      })}
      validate={{ quantity: decimalRules.positive }}
      fields={form => (
        <>
          <DecimalInput label="Quantity" required {...form.getInputProps('quantity')} />
          <PlaceInput
            label="Where"
            allowDeselect={false}
            of={({ manufacturing_allowed }) => manufacturing_allowed}
            {...form.getInputProps('place')}
          />
          <TextInput type="date" label="Starts" {...form.getInputProps('planned_start_date')} />
          <TextInput type="date" label="Ready" {...form.getInputProps('production_date')} />
        </>
      )}
      send={({ quantity, place, planned_start_date, production_date }, sending) =>
        api.manufacturingOrders.create(
          {
            item_variant_id,
            quantity: number(quantity),
            ...given('manufacturing_location_id', place),
            ...given('planned_start_date', planned_start_date),
            ...given('production_date', production_date),
          },
          sending,
        )
      }
      done={({ number }) => `${number} is made`}
      onDone={({ id }) => navigate({ to: `/manufacturing-orders/${id}` as string })}
    />
  )
}

type Line = { readonly id: string; readonly title: string; readonly net: Decimal; quantity: string; price: string }

/** What is missing, from one supplier; a line without a quantity is left out. */
export function NewPurchaseOrder({ rows }: { readonly rows: Exact<Requirements>['rows'] }) {
  const { api, can } = useSession()
  const navigate = useNavigate()
  const lacking = ['write:purchase.order.create', 'read:purchase'].find(scope => !can(scope))
  return (
    <Step
      label="New purchase order"
      title="Buy what is missing"
      submitLabel="Create"
      size="lg"
      explains="Of one supplier: leave out what another one sells by emptying its quantity."
      closed={lacking && `The key lacks the scope ${lacking}`}
      initial={() => ({
        supplier: null as Choice | null,
        expected_date: '',
        items: rows.map(
          ({ item_variant_id: id, title, net_quantity: net }): Line => ({
            id,
            title,
            net,
            quantity: forTyping(net),
            price: '',
          }),
        ),
      })}
      validate={{
        supplier: value => (value === null ? 'choose a supplier' : null),
        items: {
          quantity: (input: string) => (decimalRules.empty(input) || typed(input) !== null ? null : typedHint),
          price: (input: string) => (decimalRules.empty(input) ? null : decimalRules.zeroOrMore(input)),
        },
      }}
      fields={form => (
        <>
          <SupplierInput {...form.getInputProps('supplier')} />
          <Table aria-label="What is bought">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>What</Table.Th>
                <Table.Th className="right" visibleFrom="sm">
                  Missing
                </Table.Th>
                <Table.Th w={110} miw={95}>
                  Quantity
                </Table.Th>
                <Table.Th w={110} miw={95}>
                  Price
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {form.values.items.map(({ id, title, net }, index) => (
                <Table.Tr key={id}>
                  <Table.Td>{title}</Table.Td>
                  <Table.Td className="right" visibleFrom="sm">
                    {quantityText(net)}
                  </Table.Td>
                  <Table.Td>
                    <DecimalInput
                      aria-label={`Quantity of ${title}`}
                      {...form.getInputProps(`items.${index}.quantity`)}
                    />
                  </Table.Td>
                  <Table.Td>
                    <DecimalInput
                      aria-label={`Price of ${title}`}
                      placeholder="list"
                      {...form.getInputProps(`items.${index}.price`)}
                    />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          <Stack gap="xs">
            <TextInput type="date" label="Expected" {...form.getInputProps('expected_date')} />
          </Stack>
        </>
      )}
      send={({ supplier, expected_date, items }, sending) =>
        api.purchaseOrders.create(
          {
            supplier_id: supplier?.id,
            ...given('expected_date', expected_date),
            items: items
              .filter(({ quantity }) => isPositive(typed(quantity) ?? '0'))
              .map(({ id, quantity, price }) => ({
                item_variant_id: id,
                quantity: number(quantity),
                ...(price.trim() === '' ? {} : { price: number(price) }),
              })),
          },
          sending,
        )
      }
      done={({ number }) => `${number} is made`}
      onDone={({ id }) => navigate({ to: `/purchase-orders/${id}` as string })}
    />
  )
}

function SupplierInput(props: {
  readonly value?: Choice | null
  readonly onChange: (choice: Choice | null) => void
  readonly error?: unknown
}) {
  const api = useSession().api
  return (
    <Picker
      {...props}
      label="Supplier"
      required
      resource="suppliers"
      search={async (q, signal) => {
        const { data } = await api.suppliers.list(
          { ...(q === '' ? {} : { q }), archived: false, limit: 20 },
          { signal },
        )
        return data.map(({ id, title, country_code }) => ({
          id,
          label: title,
          ...(country_code === null ? {} : { hint: country_code }),
        }))
      }}
    />
  )
}
