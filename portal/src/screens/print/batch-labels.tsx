/** Labels of a batch, whose barcode is its number. */
import { getRouteApi } from '@tanstack/react-router'
import { dayText } from '../../format.tsx'
import { DetailPage } from '../../patterns/detail-page.tsx'
import { useApi } from '../../session.tsx'
import { LabelSheet } from './labels.tsx'

const route = getRouteApi('/print/batch-labels/$id')

export function BatchLabels() {
  const api = useApi()
  const { id } = route.useParams()
  return (
    <DetailPage kind="Batch labels" name={['batches', 'labels', id]} read={options => api.batches.get(id, options)}>
      {batch => (
        <LabelSheet
          kind="Labels of batch"
          number={batch.number}
          back={`/trace/${id}`}
          title={batch.title}
          lines={[
            batch.sku && `SKU ${batch.sku}`,
            batch.manufacture_date && `Made on ${dayText(batch.manufacture_date)}`,
            batch.expiry_date && `To ${dayText(batch.expiry_date)}`,
          ]}
          code={batch.number}
        />
      )}
    </DetailPage>
  )
}
