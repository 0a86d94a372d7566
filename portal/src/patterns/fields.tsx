/** The kinds of fields of which forms of records are declared. */
import { Checkbox, Fieldset, Select, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { dayOf } from '../days.ts'
import { type Decimal, forTyping, sent, sentTyped } from '../exact.ts'
import { DecimalInput, decimalRules } from './inputs.tsx'
import { type Pair, PairInputs, pairRule, pairsOf, textsOf } from './pair-inputs.tsx'
import type { Field, InputsOf } from './record-fields.tsx'

export const placeAddress = {
  company: 'Company',
  line_1: 'Address line 1',
  line_2: 'Address line 2',
  zip: 'Postal code',
  city: 'Town',
  region: 'Region',
  country_code: 'Country code',
} as const

export const partnerAddress = { name: 'Name', ...placeAddress, phone: 'Phone' } as const

const partLengthMax = (part: string): number => (part === 'country_code' ? 2 : TEXT_MAX)

type AddressProps = {
  readonly label: string
  readonly parts: Readonly<Record<string, string>>
  readonly inputs: InputsOf
  readonly path: string
}

export const AddressInputs = ({ label, parts, inputs, path }: AddressProps) => (
  <Fieldset legend={label} style={{ gridColumn: '1 / -1' }}>
    <SimpleGrid cols={{ base: 1, xs: 2 }} verticalSpacing="xs">
      {Object.entries(parts).map(([part, text]) => (
        <TextInput key={part} label={text} maxLength={partLengthMax(part)} {...inputs(`${path}.${part}`)} />
      ))}
    </SimpleGrid>
  </Fieldset>
)

const wide = { gridColumn: '1 / -1' }
const TEXT_MAX = 255

type Look = { readonly type?: 'url'; readonly placeholder?: string; readonly maxLength?: number }
type Shown = string | null | undefined

const textInput =
  (label: string, look: Look, isRequired = false): Field<string, never>['input'] =>
  (inputs, path) => (
    <TextInput label={label} maxLength={TEXT_MAX} withAsterisk={isRequired} {...look} {...inputs(path)} />
  )

const orNothing = (of: Shown): string => of ?? ''
const trimmed = (input: string): string => input.trim()
const unlessEmpty = (rule: (input: string) => string | null) => (input: string) =>
  decimalRules.empty(input) ? null : rule(input)

const linesOf = (input: string): string[] => input.split('\n').map(trimmed).filter(Boolean)

const whole = (input: string) => (/^\d{1,9}$/.test(input.trim()) ? null : 'a whole number')

export const numbers = { ...decimalRules, whole }

type NumberLook = {
  readonly rule?: (input: string) => string | null
  readonly placeholder?: string
  /** The value in the form of a new record. */
  readonly begins?: Decimal
}

/** What numbers have in common, needed or not. */
const numberField = (
  label: string,
  { rule = decimalRules.zeroOrMore, begins, ...look }: NumberLook,
  isRequired: boolean,
): Omit<Field<string, never>, 'sent'> => ({
  begin: (of: Decimal | null | undefined = begins) => (of == null ? '' : forTyping(of)),
  rule: isRequired ? rule : unlessEmpty(rule),
  input: (inputs, path) => <DecimalInput label={label} withAsterisk={isRequired} {...look} {...inputs(path)} />,
})

export const field = {
  /** A text that every record has. */
  title: (label: string, look: Look = {}): Field<string, string> => ({
    begin: orNothing,
    rule: input => (trimmed(input) === '' ? 'is needed' : null),
    sent: trimmed,
    input: textInput(label, look, true),
  }),
  /** A text that may be empty. */
  text: (label: string, look: Look = {}): Field<string, string | null> => ({
    begin: orNothing,
    sent: input => trimmed(input) || null,
    input: textInput(label, look),
  }),
  /** A text that the service decides if it is empty. */
  decided: (label: string, look: Look = {}): Field<string, string | undefined> => ({
    begin: orNothing,
    sent: input => trimmed(input) || undefined,
    input: textInput(label, look),
  }),
  /** A code of letters, such as `like`. The service takes it in capitals. */
  code: (label: string, like: string, placeholder = like): Field<string, string | null> => ({
    begin: orNothing,
    rule: unlessEmpty(input =>
      trimmed(input).length === like.length && /^[a-z]+$/i.test(trimmed(input)) ? null : `a code like ${like}`,
    ),
    sent: input => trimmed(input).toUpperCase() || null,
    input: textInput(label, { placeholder, maxLength: like.length }),
  }),
  day: (label: string, { max }: { readonly max?: () => string } = {}): Field<string, string | null> => ({
    begin: (of: Shown) => dayOf(of),
    sent: input => trimmed(input) || null,
    input: (inputs, path) => <TextInput type="date" label={label} {...(max ? { max: max() } : {})} {...inputs(path)} />,
  }),
  /** A whole number that every record has, also below 0. A new record has 0. */
  priority: (label: string): Field<string, number> => ({
    begin: (of: Shown) => of ?? '0',
    rule: input => (/^-?\d{1,10}$/.test(trimmed(input)) ? null : 'a whole number'),
    sent: input => sent(trimmed(input) as Decimal),
    input: (inputs, path) => <TextInput label={label} inputMode="numeric" {...inputs(path)} />,
  }),
  longText: (label: string): Field<string, string | null> => ({
    begin: orNothing,
    sent: input => trimmed(input) || null,
    input: (inputs, path) => (
      <Textarea label={label} autosize minRows={2} maxLength={10_000} style={wide} {...inputs(path)} />
    ),
  }),
  /** Texts, one per line. */
  textLines: (label: string, { max }: { readonly max: number }): Field<string, string[]> => ({
    begin: (of: readonly string[] | undefined) => (of ?? []).join('\n'),
    rule: input => (linesOf(input).length > max ? `at most ${max}` : null),
    sent: linesOf,
    input: (inputs, path) => (
      <Textarea label={label} description="One per line" autosize minRows={1} maxRows={max} {...inputs(path)} />
    ),
  }),
  /** A number that may be missing; 0 or more unless told. */
  number: (label: string, look: NumberLook = {}): Field<string, number | null> => ({
    ...numberField(label, look, false),
    sent: input => (decimalRules.empty(input) ? null : sentTyped(input)),
  }),
  /** A number that every record has. */
  figure: (label: string, look: NumberLook = {}): Field<string, number> => ({
    ...numberField(label, look, true),
    sent: sentTyped,
  }),
  flag: (label: string, begins: boolean): Field<boolean, boolean> => ({
    begin: (of: boolean | undefined) => of ?? begins,
    sent: isSet => isSet,
    input: (inputs, path) => <Checkbox label={label} {...inputs(path, { type: 'checkbox' })} />,
  }),
  /** One of several codes. A new record has the first one. */
  choice: <const Code extends string>(label: string, of: Readonly<Record<Code, string>>): Field<Code, Code> => ({
    begin: (code: Code | undefined) => code ?? (Object.keys(of)[0] as Code),
    sent: code => code,
    input: (inputs, path) => (
      <Select
        label={label}
        data={Object.entries<string>(of).map(([value, text]) => ({ value, label: text }))}
        allowDeselect={false}
        {...inputs(path)}
      />
    ),
  }),
  /** Names and texts, which a change replaces as a whole. */
  texts: (label: string): Field<readonly Pair[], Record<string, string>> => ({
    begin: pairsOf,
    rule: pairRule,
    sent: textsOf,
    input: (inputs, path) => <PairInputs label={label} {...inputs(path)} />,
  }),
  /** Names and texts of which a change sends only the changed ones. Null removes one. */
  metadata: (): Field<readonly Pair[], Record<string, string>, Record<string, string | null>> => ({
    ...field.texts('Metadata'),
    changed: (now, before) => {
      const [is, was] = [textsOf(now), textsOf(before)]
      const gone = Object.keys(was).filter(name => !Object.hasOwn(is, name))
      return { ...is, ...Object.fromEntries(gone.map(name => [name, null])) }
    },
  }),
  /** An address as a whole. Without any text there is none. */
  address: <const Part extends string>(
    label: string,
    parts: Readonly<Record<Part, string>>,
  ): Field<Record<Part, string>, Record<Part, string | null> | null> => {
    const all = Object.keys(parts) as Part[]
    const eachPart = <Value,>(of: (part: Part) => Value) =>
      Object.fromEntries(all.map(part => [part, of(part)])) as Record<Part, Value>
    return {
      begin: (of: Partial<Record<Part, string | null>> | null | undefined) => eachPart(part => of?.[part] ?? ''),
      sent: value =>
        all.every(part => trimmed(value[part]) === '')
          ? null
          : eachPart(part => {
              const text = trimmed(value[part])
              return (part === 'country_code' ? text.toUpperCase() : text) || null
            }),
      input: (inputs, path) => <AddressInputs label={label} parts={parts} inputs={inputs} path={path} />,
    }
  },
}
