/** Reads codes with ZXing, which runs in this page: nothing of a picture leaves it. A chunk of its own. */
import { prepareZXingModule, type ReaderOptions, readBarcodes } from 'zxing-wasm/reader'
import program from 'zxing-wasm/reader/zxing_reader.wasm?url'

prepareZXingModule({ overrides: { locateFile: () => program } })

/** Others are hardly on goods, and more kinds read more that is no code at all. */
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
