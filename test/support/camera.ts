/** Owns what a test holds before the camera of Chromium: a barcode, drawn into the file that the browser plays as its camera. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import JsBarcode from 'jsbarcode'
import { temporaryFolder } from './servers.ts'

const [WIDTH, HEIGHT] = [640, 360]
const [BLACK, WHITE, GREY] = [16, 235, 128]
const FRAMES = 2

/** FNC1 as the library is told of it. */
export const FNC1 = '\u00cf'

export type TestCamera = {
  /** More of the browser's command line. */
  readonly args: readonly string[]
  /** Takes effect when the camera is switched on: the browser opens the file then. Null: nothing is before it. */
  show(text: string | null): Promise<void>
}

export async function testCamera(): Promise<TestCamera> {
  const file = join(await temporaryFolder(), 'camera.y4m')
  const show = (text: string | null) => writeFile(file, video(text === null ? '' : bitsOf(text)))
  await show(null)
  const args = ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream']
  return { args: [...args, `--use-file-for-fake-video-capture=${file}`], show }
}

/** The bars of CODE 128 as ones and zeros. */
function bitsOf(text: string): string {
  const into: { encodings?: readonly { readonly data: string }[] } = {}
  JsBarcode(into, text, { format: 'CODE128' })
  return into.encodings?.map(({ data }) => data).join('') ?? ''
}

/** Uncompressed: brightness of each pixel, then colours, which are none. */
function video(bits: string): Buffer {
  const bar = Math.floor((WIDTH - 80) / Math.max(bits.length, 1))
  const left = Math.floor((WIDTH - bar * bits.length) / 2)
  const row = Buffer.alloc(WIDTH, WHITE)
  for (const [at, bit] of [...bits].entries()) if (bit === '1') row.fill(BLACK, left + at * bar, left + (at + 1) * bar)
  const blank = Buffer.alloc((WIDTH * HEIGHT) / 4, WHITE)
  const picture = [blank, ...Array.from({ length: HEIGHT / 2 }, () => row), blank]
  const frame = Buffer.concat([Buffer.from('FRAME\n'), ...picture, Buffer.alloc((WIDTH * HEIGHT) / 2, GREY)])
  const header = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\n`)
  return Buffer.concat([header, ...Array.from({ length: FRAMES }, () => frame)])
}
