/** Small charts beside figures that say the same, so screen readers skip them. Numbers become pixels here. */
import './bars.css'
import type { Decimal } from '../../exact.ts'

const WIDTH = 120
const HEIGHT = 22
const GAP = 3

/** One bar for each day, the last one in another colour. */
export function Bars({ values }: { readonly values: readonly Decimal[] }) {
  const counts = values.map(Number)
  const most = Math.max(1, ...counts)
  const each = WIDTH / counts.length
  return (
    <svg className="bars" width={WIDTH} height={HEIGHT} aria-hidden>
      {counts.map((count, index) => {
        const height = count === 0 ? 1 : Math.max(2, (count / most) * HEIGHT)
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a day is its position.
            key={index}
            x={index * each}
            y={HEIGHT - height}
            width={each - GAP}
            height={height}
            {...(index === counts.length - 1 ? { className: 'last' } : {})}
          />
        )
      })}
    </svg>
  )
}

/** A bar for a count in relation to the greatest count. `bad`: the part of the count that is shown as bad. */
export function Bar({ value, bad, of }: { readonly value: Decimal; readonly bad: Decimal; readonly of: Decimal }) {
  const pixels = (count: Decimal) => (Number(count) / Number(of)) * WIDTH
  return (
    <svg className="bars" width={WIDTH} height={10} aria-hidden>
      <rect className="last" width={Math.max(1, pixels(value))} height={10} />
      <rect className="bad" width={pixels(bad)} height={10} />
    </svg>
  )
}
