/** The endpoint of stock entries. */
import { readsOf } from '../../../kit/documents/noun.ts'
import { resource } from '../../../kit/documents/resources.ts'
import { StockEntry } from './noun.ts'

const [list] = readsOf(StockEntry)
export const listStock = { ...list, summary: 'List stock entries' }

export const stockEntries = resource([StockEntry], [listStock])
