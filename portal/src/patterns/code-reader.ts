/** Reads the code that a picture of the camera shows: the browser does where it can, else a library that is loaded then. */

/** @returns what a scanner would have typed; null of a picture without a code. */
type Reader = (video: HTMLVideoElement) => Promise<string | null>

/** How an element string of GS1 begins in its barcode. */
const FNC1 = '\u001d'

/** Type libraries do not know it. */
type Detector = { detect(video: HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]> }
type DetectorClass = { new (): Detector; getSupportedFormats(): Promise<readonly string[]> }

export async function codeReader(): Promise<Reader> {
  const { BarcodeDetector } = window as { BarcodeDetector?: DetectorClass }
  // Some browsers have the class without any format.
  if (!(await BarcodeDetector?.getSupportedFormats())?.includes('code_128'))
    return (await import('./code-library.ts')).readCode
  const detector = BarcodeDetector && new BarcodeDetector()
  return async video => {
    const [found] = (await detector?.detect(video)) ?? []
    if (!found) return null
    return found.rawValue.startsWith(FNC1) ? `]C1${found.rawValue.slice(1)}` : found.rawValue
  }
}
