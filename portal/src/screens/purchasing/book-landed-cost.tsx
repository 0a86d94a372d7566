/** The step that books freight, duty and the like on a receipt. It shows in words where the cost would go. */
import { Button, Fieldset, Group, List, Select, SimpleGrid, Text, TextInput } from '@mantine/core'
import { isZero, sentTyped } from '../../exact.ts'
import { moneyText } from '../../format.tsx'
import { Step } from '../../patterns/action-form.tsx'
import { AddLine } from '../../patterns/add-line.tsx'
import { currencyRule, DecimalInput, decimalRules } from '../../patterns/inputs.tsx'
import { PlaceSelect, placeId, placeValue, usePlaceTitle } from '../../patterns/places.tsx'
import { joinedTexts } from '../../patterns/titles.ts'
import type { LandedCost, PurchaseReceipt as Receipt } from '../../records.ts'
import { useSession } from '../../session.tsx'
import { spread } from './landed-cost-screens.tsx'

/** The most costs that the API takes at once. */
const COSTS_MAX = 50

const distributions = Object.entries(spread).map(([value, label]) => ({ value, label }))

const costLine = () => ({
  ...{ key: String(Math.random()), title: '', amount: '' },
  distribution: 'VALUE' as LandedCost['items'][number]['distribution'],
})

export function BookLandedCost({ receipt }: { readonly receipt: Receipt }) {
  const { api, me } = useSession()
  const isForeign = (currency: string) => currency.trim().toUpperCase() !== me.currency
  if (receipt.reversed_at !== null) return null
  return (
    <Step
      label={`Book a cost on ${receipt.number}`}
      submitLabel="Book"
      size="lg"
      button={{ size: 'compact-xs' }}
      scope="write:purchase.receipt.create"
      explains="The lines of the receipt share freight, duty and the like. What of the goods is still there takes its part into the value of the stock; the rest is only shown as expensed."
      initial={() => ({
        currency: me.currency,
        exchange_rate: '',
        storage_place_id: placeValue(receipt.storage_place_id),
        items: [costLine()],
      })}
      validate={{
        currency: currencyRule,
        exchange_rate: (value, { currency }) => (isForeign(currency) ? decimalRules.positive(value) : null),
        items: { title: value => (value.trim() === '' ? 'say what it is' : null), amount: decimalRules.positive },
      }}
      fields={form => (
        <>
          {form.values.items.map(({ key }, index) => (
            <Fieldset key={key} legend={`Cost ${index + 1}`}>
              <SimpleGrid cols={{ base: 2, sm: 3 }} verticalSpacing="xs">
                <TextInput
                  label="What"
                  placeholder="Freight"
                  withAsterisk
                  maxLength={255}
                  {...form.getInputProps(`items.${index}.title`)}
                />
                <DecimalInput label="Amount" withAsterisk {...form.getInputProps(`items.${index}.amount`)} />
                <Select
                  label="Spread"
                  data={distributions}
                  allowDeselect={false}
                  {...form.getInputProps(`items.${index}.distribution`)}
                />
              </SimpleGrid>
              {form.values.items.length > 1 && (
                <Button variant="subtle" size="xs" mt={4} onClick={() => form.removeListItem('items', index)}>
                  Remove cost {index + 1}
                </Button>
              )}
            </Fieldset>
          ))}
          {form.values.items.length < COSTS_MAX && (
            <Group>
              <AddLine onAdd={() => form.insertListItem('items', costLine())}>Add a cost</AddLine>
            </Group>
          )}
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <PlaceSelect label="The goods lie at" required withNone {...form.getInputProps('storage_place_id')} />
            <TextInput label="Currency" maxLength={3} {...form.getInputProps('currency')} />
            {isForeign(form.values.currency) && (
              <DecimalInput
                label="Exchange rate"
                description={`${me.currency} for one ${form.values.currency.trim().toUpperCase()}`}
                withAsterisk
                {...form.getInputProps('exchange_rate')}
              />
            )}
          </SimpleGrid>
        </>
      )}
      send={({ currency, exchange_rate, storage_place_id, items }, sending) =>
        api.landedCosts.create(
          {
            purchase_receipt_id: receipt.id,
            storage_place_id: placeId(storage_place_id),
            currency: currency.trim().toUpperCase(),
            exchange_rate: isForeign(currency) ? sentTyped(exchange_rate) : undefined,
            items: items.map(({ title, amount, distribution }) => ({
              title: title.trim(),
              amount: sentTyped(amount),
              distribution,
            })),
          },
          sending,
        )
      }
      done={({ number }) => `Booked as ${number}`}
      foretells={landed => <WhereItGoes landed={landed} receipt={receipt} />}
    />
  )
}

function WhereItGoes({ landed, receipt }: { readonly landed: LandedCost; readonly receipt: Receipt }) {
  const { me } = useSession()
  const placeTitle = usePlaceTitle()
  const { allocations, storage_place_id, total_amount, stock_amount, expensed_amount } = landed
  const titles = new Map(receipt.items.map(({ id, title, sku }) => [id, joinedTexts(title, sku)]))
  const cost = (of: typeof total_amount) => moneyText(of, me.currency)
  return (
    <>
      <Text size="sm">
        Of {cost(total_amount)}, {cost(stock_amount)} go into the value of the stock at {placeTitle(storage_place_id)}{' '}
        and {cost(expensed_amount)} are expensed.
      </Text>
      <List size="sm">
        {allocations.map(({ purchase_receipt_item_id: id, ...line }) => (
          <List.Item key={id}>
            {titles.get(id) ?? line.sku} bears {cost(line.amount)}:{' '}
            {isZero(line.expensed_amount)
              ? 'all of it goes into the stock'
              : isZero(line.stock_amount)
                ? 'all of it is expensed, because none of the goods are there'
                : `${cost(line.stock_amount)} go into the stock, ${cost(line.expensed_amount)} are expensed with the goods that are gone`}
          </List.Item>
        ))}
      </List>
    </>
  )
}
