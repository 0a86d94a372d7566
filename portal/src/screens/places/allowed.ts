/** What new documents may use a storage place for, in words. */
type Place = {
  readonly sales_allowed: boolean
  readonly purchase_allowed: boolean
  readonly manufacturing_allowed: boolean
}

export function allowedText({ sales_allowed, purchase_allowed, manufacturing_allowed }: Place): string {
  const uses = [sales_allowed && 'sales', purchase_allowed && 'receipts', manufacturing_allowed && 'manufacturing']
  return uses.filter(Boolean).join(', ') || 'nothing new'
}
