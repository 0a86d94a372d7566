/** The step that begins a stock count. */
import { TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { Step } from '../../patterns/action-form.tsx'
import { PlaceSelect, placeId, placeValue, usePlaces } from '../../patterns/places.tsx'
import { useApi } from '../../session.tsx'

export function NewCount() {
  const api = useApi()
  const navigate = useNavigate()
  const places = usePlaces()
  const main = placeValue(places?.find(({ is_main }) => is_main)?.id ?? null)
  return (
    <Step
      label="New count"
      submitLabel="Begin"
      scope={['write:inventory.adjustment.create', 'read:stock']}
      closed={places === undefined ? 'The places are not read yet' : undefined}
      button={{ variant: 'filled' }}
      explains="Goods may move while you count: a line keeps what was there when you counted it. Nothing is booked until you complete the count."
      initial={() => ({ title: '', place: main })}
      fields={form => (
        <>
          <TextInput label="Name" placeholder="Shelves A to F" maxLength={255} {...form.getInputProps('title')} />
          <PlaceSelect label="Place" required withNone={places?.length === 0} {...form.getInputProps('place')} />
        </>
      )}
      send={({ title, place }, sending) =>
        api.stockCounts.create({ title: title.trim() || null, storage_place_id: placeId(place) }, sending)
      }
      done={({ number }) => `${number} has begun`}
      onDone={({ id }) => navigate({ to: `/stock-counts/${id}` as string })}
    />
  )
}
