/**
 * Validates values against the JSON Schemas of the OpenAPI document with a public validator (ajv, draft 2020-12, formats asserted). The
 * code that derives the schemas cannot judge its own faults.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { OpenApiDocument } from '../../lib/openapi/types.ts'

type Schemas = OpenApiDocument['components']['schemas']

/** The faults of a value as `path reason`. Empty: there are none. */
export type Validate = (schema: object, value: unknown) => readonly string[]

/** @param schemas the schemas to which `#/components/schemas/...` refers. */
export function schemaValidator(schemas: Schemas = {}): Validate {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true, validateFormats: true })
  addFormats.default(ajv)
  ajv.addKeyword({
    keyword: 'x-decimals-max',
    type: 'number',
    validate: (max: number, value: number) => decimalsOf(value) <= max,
  })
  ajv.addVocabulary(['components', 'discriminator', 'x-enum-descriptions', 'x-enum-words'])
  const compiled = new Map<string, ValidateFunction>()
  return (schema, value) => {
    const text = JSON.stringify(schema)
    const validate = compiled.get(text) ?? ajv.compile({ ...schema, components: { schemas } })
    compiled.set(text, validate)
    if (validate(value)) return []
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || 'the value'} ${message}`)
  }
}

function decimalsOf(value: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e')
  return Math.max(0, (digits.split('.')[1]?.length ?? 0) - Number(exponent))
}
