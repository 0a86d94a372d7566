/** The camera as a scanner: a button in an input for codes, and the camera's picture below the input. */
import { ActionIcon, Text } from '@mantine/core'
import { CameraIcon } from '@radix-ui/react-icons'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'

const PICTURE_GAP_MS = 120
/** A code may be read again after this many pictures without it, because hands shake. */
const PICTURES_WITHOUT = 8

type Props = {
  readonly onCode: (code: string) => void
  /** Whether it continues after the first code. */
  readonly staysOpen?: boolean
}

/** Null where the browser has no camera for this page. */
export function useCamera({ onCode, staysOpen = false }: Props): Readonly<Record<'button' | 'view', ReactNode>> {
  const [isOpen, setOpen] = useState(false)
  if (navigator.mediaDevices === undefined) return { button: null, view: null }
  const take = (code: string) => {
    navigator.vibrate?.(50)
    if (!staysOpen) setOpen(false)
    onCode(code)
  }
  return {
    button: (
      <ActionIcon
        variant={isOpen ? 'filled' : 'subtle'}
        aria-pressed={isOpen}
        aria-label="Use the camera"
        onClick={() => setOpen(!isOpen)}
      >
        <CameraIcon aria-hidden />
      </ActionIcon>
    ),
    view: isOpen && <View onCode={take} />,
  }
}

function View({ onCode }: Pick<Props, 'onCode'>) {
  const video = useRef<HTMLVideoElement>(null)
  const [fault, setFault] = useState<string | null>(null)
  const take = useEffectEvent(onCode)
  useEffect(() => {
    const ended = new AbortController()
    watch(video.current, take, ended.signal).catch(error => !ended.signal.aborted && setFault(faultText(error)))
    return () => ended.abort()
  }, [])
  return fault === null ? (
    <video ref={video} muted playsInline className="camera" aria-label="What the camera sees" />
  ) : (
    <Text size="sm" c="var(--mantine-color-error)" role="alert">
      {fault}
    </Text>
  )
}

async function watch(
  video: HTMLVideoElement | null,
  onCode: (code: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const facing = { facingMode: 'environment', width: { ideal: 1280 } }
  const [stream, read] = await Promise.all([navigator.mediaDevices.getUserMedia({ video: facing }), codeReader()])
  const stop = () => {
    for (const track of stream.getTracks()) track.stop()
  }
  if (video === null || signal.aborted) return stop()
  signal.addEventListener('abort', stop)
  video.srcObject = stream
  await video.play()
  let last: string | null = null
  for (let without = 0; !signal.aborted; ) {
    const code = await read(video)
    if (signal.aborted) return
    if (code !== null && code !== last) onCode(code)
    without = code === null ? without + 1 : 0
    if (code !== null || without === PICTURES_WITHOUT) last = code
    await new Promise(resolve => setTimeout(resolve, PICTURE_GAP_MS))
  }
}

const faults: Readonly<Record<string, string>> = {
  NotAllowedError: 'The camera is not allowed here: allow it for this page in the browser.',
  NotFoundError: 'This device has no camera.',
}

const faultText = ({ name }: Error): string => faults[name] ?? 'The camera cannot be used now. Type the code.'

/** @returns what a scanner would have typed; null of a picture without a code. */
type Reader = (video: HTMLVideoElement) => Promise<string | null>

/** How an element string of GS1 begins in its barcode. */
const FNC1 = '\u001d'

/** Type libraries do not know it. */
type Detector = { detect(video: HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]> }
type DetectorClass = { new (): Detector; getSupportedFormats(): Promise<readonly string[]> }

/** The browser reads where it can. Else a library does, which is loaded only then. */
async function codeReader(): Promise<Reader> {
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
