/** The navigation: one line for each screen that is led to from everywhere. */
import {
  ActivityLogIcon,
  ArchiveIcon,
  BarChartIcon,
  CubeIcon,
  DownloadIcon,
  FileTextIcon,
  GearIcon,
  HomeIcon,
  IdCardIcon,
  LightningBoltIcon,
  MixerHorizontalIcon,
  PaperPlaneIcon,
  PersonIcon,
  ReaderIcon,
  ResetIcon,
  Share1Icon,
  TableIcon,
  UploadIcon,
} from '@radix-ui/react-icons'
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
  /** Paths of screens that it leads on to, beside those below its own. */
  readonly also?: readonly string[]
  /** What the key needs; without one every key may look. */
  readonly scope?: string
}

/** The way to the list of a noun, which leads on to those that say so (`under`). */
const listOf = ({ many, list, scope }: AnyNoun) => ({
  ...{ label: many, to: list, scope },
  also: nouns.flatMap(noun => (noun.under === list && noun.list !== undefined ? [noun.list] : [])),
})

export const areas: readonly Area[] = [
  { label: 'Today', icon: BarChartIcon, to: '/' },
  { label: 'Stock', icon: CubeIcon, to: '/stock', scope: 'read:stock' },
  { ...listOf(salesOrders), icon: PaperPlaneIcon },
  { ...listOf(salesReturns), icon: ResetIcon },
  {
    ...listOf(manufacturingOrders),
    label: 'Manufacturing',
    icon: GearIcon,
    also: ['/production-tasks', '/shop-floor'],
  },
  { ...listOf(purchaseOrders), icon: DownloadIcon },
  { label: 'Planner', icon: MixerHorizontalIcon, to: '/planner', scope: 'read:stock' },
  { ...listOf(batches), icon: Share1Icon },
  { ...listOf(products), icon: ArchiveIcon },
  { ...listOf(customers), icon: PersonIcon },
  { ...listOf(suppliers), icon: FileTextIcon },
  { ...listOf(recipes), icon: ReaderIcon },
  { ...listOf(storagePlaces), icon: HomeIcon },
  { label: 'Books', icon: TableIcon, to: '/books', scope: 'read:accounting' },
  { label: 'Import', icon: UploadIcon, to: '/import' },
  { label: 'Webhooks', icon: LightningBoltIcon, to: '/webhooks', scope: 'read:webhooks' },
  { label: 'Security', icon: ActivityLogIcon, to: '/security', scope: 'read:security-telemetry' },
  { ...listOf(apiKeys), icon: IdCardIcon, also: ['/requests'] },
]
