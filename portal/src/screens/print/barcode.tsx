/** A text as a barcode: EAN where the text is one, else CODE 128. Its bars are drawn here, because the page's policy forbids what the library draws. */
import JsBarcode from 'jsbarcode'

/** Free room beside the bars, which scanners need, in widths of the narrowest bar. */
const QUIET = 10
const HEIGHT = 40

type Encoded = { encodings?: readonly { readonly data: string }[] }

/** CODE 128 has these signs; the library takes some letters beyond them for signs of its own. */
const CODE_128 = /^[\x20-\x7E]+$/

/** The bars as ones and zeros; null where the text cannot be a barcode. */
function barsOf(text: string): string | null {
  const ean = /^\d{13}$/.test(text) ? 'EAN13' : /^\d{8}$/.test(text) ? 'EAN8' : null
  const asEan = ean === null ? null : encoded(text, ean)
  return asEan ?? (CODE_128.test(text) ? encoded(text, 'CODE128') : null)
}

/** Null where the format does not hold the text: the last digit of an EAN proves the others. */
function encoded(text: string, format: string): string | null {
  const into: Encoded = {}
  let isValid = false
  const valid = (is: boolean) => {
    isValid = is
  }
  JsBarcode(into, text, { format, flat: true, valid })
  return isValid && into.encodings ? into.encodings.map(({ data }) => data).join('') : null
}

/** What is drawn: where each bar begins, and how wide it is. */
const barsAt = (bits: string): readonly { readonly x: number; readonly width: number }[] =>
  [...bits.matchAll(/1+/g)].map(({ index, 0: bar }) => ({ x: QUIET + index, width: bar.length }))

export function Barcode({ text }: { readonly text: string }) {
  const bits = barsOf(text)
  if (bits === null) return <small>This text cannot be a barcode.</small>
  return (
    <svg
      viewBox={`0 0 ${bits.length + 2 * QUIET} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Barcode of ${text}`}
    >
      {barsAt(bits).map(({ x, width }) => (
        <rect key={x} x={x} y={0} width={width} height={HEIGHT} fill="#000" />
      ))}
    </svg>
  )
}
