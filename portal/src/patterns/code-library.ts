/** Reads codes with ZXing, which runs in this page, so no picture leaves it. It is a chunk of its own. */
import { prepareZXingModule, type ReaderOptions, readBarcodes } from 'zxing-wasm/reader'
import program from 'zxing-wasm/reader/zxing_reader.wasm?url'

prepareZXingModule({ overrides: { locateFile: () => program } })

/** Other formats are hardly used on goods, and more formats cause more wrong readings. */
const options: ReaderOptions = {
  formats: ['EANUPC', 'Code128', 'Code39', 'ITF', 'DataBar', 'DataBarExp', 'QRCode', 'DataMatrix'],
  maxNumberOfSymbols: 1,
  textMode: 'Plain',
}

const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })

export async function readCode(video: HTMLVideoElement): Promise<string | null> {
  const { videoWidth: width, videoHeight: height } = video
  if (context === null || width === 0) return null
  Object.assign(context.canvas, { width, height })
  context.drawImage(video, 0, 0)
  const [found] = await readBarcodes(context.getImageData(0, 0, width, height), options)
  if (!found) return null
  return found.contentType === 'GS1' ? found.symbologyIdentifier + found.text : found.text
}
