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
  UploadIcon,
} from '@radix-ui/react-icons'
import type { ComponentType } from 'react'

type Area = {
  readonly label: string
  readonly icon: ComponentType<{ 'aria-hidden'?: boolean }>
  readonly to: string
  /** Paths of screens that it leads on to, beside those below its own. */
  readonly also?: readonly string[]
  /** What the key needs; without one every key may look. */
  readonly scope?: string
}

export const areas: readonly Area[] = [
  { label: 'Today', icon: BarChartIcon, to: '/' },
  { label: 'Stock', icon: CubeIcon, to: '/stock', scope: 'read:stock' },
  {
    label: 'Sales orders',
    icon: PaperPlaneIcon,
    to: '/sales-orders',
    also: ['/sales-shipments', '/reservations'],
    scope: 'read:sales',
  },
  { label: 'Sales returns', icon: ResetIcon, to: '/sales-returns', scope: 'read:sales' },
  {
    label: 'Manufacturing',
    icon: GearIcon,
    to: '/manufacturing-orders',
    also: ['/production-tasks'],
    scope: 'read:manufacturing',
  },
  {
    label: 'Purchase orders',
    icon: DownloadIcon,
    to: '/purchase-orders',
    also: ['/purchase-receipts', '/landed-costs'],
    scope: 'read:purchase',
  },
  { label: 'Planner', icon: MixerHorizontalIcon, to: '/planner', scope: 'read:stock' },
  { label: 'Trace', icon: Share1Icon, to: '/trace', scope: 'read:stock' },
  { label: 'Products', icon: ArchiveIcon, to: '/products', scope: 'read:catalog' },
  { label: 'Customers', icon: PersonIcon, to: '/customers', scope: 'read:sales' },
  { label: 'Suppliers', icon: FileTextIcon, to: '/suppliers', scope: 'read:purchase' },
  { label: 'Recipes', icon: ReaderIcon, to: '/recipes', also: ['/operations'], scope: 'read:manufacturing' },
  { label: 'Storage places', icon: HomeIcon, to: '/storage-places', scope: 'read:stock' },
  { label: 'Import', icon: UploadIcon, to: '/import' },
  { label: 'Webhooks', icon: LightningBoltIcon, to: '/webhooks', scope: 'read:webhooks' },
  { label: 'Security', icon: ActivityLogIcon, to: '/security', scope: 'read:security-telemetry' },
  { label: 'API keys', icon: IdCardIcon, to: '/keys', also: ['/requests'], scope: 'read:keys' },
]
