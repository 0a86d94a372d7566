/** The navigation: one line for each screen that is led to from everywhere. */
import * as icons from '@radix-ui/react-icons'
import type { ComponentType } from 'react'
import type { AnyNoun } from './noun.ts'
import { nouns } from './nouns.ts'
import { apiKeys } from './screens/keys/nouns.ts'
import { manufacturingOrders } from './screens/manufacturing/nouns.ts'
import { customers, suppliers } from './screens/partners/nouns.ts'
import { storagePlaces } from './screens/places/nouns.ts'
import { products } from './screens/products/nouns.ts'
import { purchaseOrders } from './screens/purchasing/nouns.ts'
import { recipes } from './screens/recipes/nouns.ts'
import { salesReturns } from './screens/returns/nouns.ts'
import { salesOrders } from './screens/sales/nouns.ts'
import { batches } from './screens/trace/nouns.ts'

type Area = {
  readonly label: string
  readonly icon: ComponentType<{ 'aria-hidden'?: boolean }>
  readonly to: string
  /** Paths of further screens of the entry, beside those below its own path. */
  readonly also?: readonly string[]
  /** The scope that the key needs. Undefined: every key may see it. */
  readonly scope?: string
}

/** The entry of a noun's list. It also covers the nouns that name it as `under`. */
const listOf = ({ many, list, scope }: AnyNoun) => ({
  ...{ label: many, to: list, scope },
  also: nouns.flatMap(noun => (noun.under === list && noun.list !== undefined ? [noun.list] : [])),
})

export const areas: readonly Area[] = [
  { label: 'Today', icon: icons.BarChartIcon, to: '/' },
  { label: 'Stock', icon: icons.CubeIcon, to: '/stock', scope: 'read:stock' },
  { ...listOf(salesOrders), icon: icons.PaperPlaneIcon },
  { ...listOf(salesReturns), icon: icons.ResetIcon },
  {
    ...{ ...listOf(manufacturingOrders), label: 'Manufacturing', icon: icons.GearIcon },
    also: ['/production-tasks', '/shop-floor'],
  },
  { ...listOf(purchaseOrders), icon: icons.DownloadIcon },
  { label: 'Planner', icon: icons.MixerHorizontalIcon, to: '/planner', scope: 'read:stock' },
  { ...listOf(batches), icon: icons.Share1Icon },
  { ...listOf(products), icon: icons.ArchiveIcon },
  { ...listOf(customers), icon: icons.PersonIcon },
  { ...listOf(suppliers), icon: icons.FileTextIcon },
  { ...listOf(recipes), icon: icons.ReaderIcon },
  { ...listOf(storagePlaces), icon: icons.HomeIcon },
  { label: 'Books', icon: icons.TableIcon, to: '/books', scope: 'read:accounting' },
  { label: 'Import', icon: icons.UploadIcon, to: '/import' },
  { label: 'Webhooks', icon: icons.LightningBoltIcon, to: '/webhooks', scope: 'read:webhooks' },
  { label: 'Security', icon: icons.ActivityLogIcon, to: '/security', scope: 'read:security-telemetry' },
  { ...listOf(apiKeys), icon: icons.IdCardIcon, also: ['/requests'] },
]
