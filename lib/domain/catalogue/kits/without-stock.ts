/** Refuses services and kits, which hold no stock, where a field needs a variant with stock. */
import { invalid, type Refusal } from '../../../kit/api/errors.ts'

const kinds: Readonly<Record<string, string>> = { SERVICE: 'a service', KIT: 'a kit' }

/** Refuses `validation_failed` for a service and for a kit. @param name what the variant is called in messages */
export const refuseWithoutStock = (field: string, type: string, name: string): Refusal | null =>
  kinds[type] === undefined ? null : invalid(field, `${name} is ${kinds[type]} and holds no stock`)
