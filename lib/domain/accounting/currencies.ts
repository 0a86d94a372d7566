/**
 * The currencies of ISO 4217 and the decimals of their minor units. Pure data; it must not know exchange rates.
 */
import { invalid, type Refusal } from '../../kit/api/errors.ts'

/** Currencies in circulation, by the digits of the minor unit. Documents cannot use funds, metals and test codes (XAU, XTS, ...). */
const codesByDigits: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  2: `AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP
    CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR
    KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN
    PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD
    TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG`,
  3: 'BHD IQD JOD KWD LYD OMR TND',
}

const digitsByCode: ReadonlyMap<string, number> = new Map(
  Object.entries(codesByDigits).flatMap(([digits, codes]) =>
    codes.split(/\s+/).map((code): [string, number] => [code, Number(digits)]),
  ),
)

/** Whether a document may use the currency. */
export const isCurrency = (code: string): boolean => digitsByCode.has(code)

/** Decimals of the currency's minor unit: 0, 2 or 3; 2 for a code that is not on the list (a tenant's own choice). */
export const minorUnitDigits = (code: string): number => digitsByCode.get(code) ?? 2

/** Refuses `validation_failed` for a code that is no currency in circulation. No code is no fault. */
export const refuseCurrency = (code: string | null | undefined, field = 'currency'): Refusal | null =>
  code == null || isCurrency(code) ? null : invalid(field, `${code} is not a currency in circulation (ISO 4217)`)
