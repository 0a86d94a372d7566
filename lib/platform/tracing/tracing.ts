/**
 * OpenTelemetry traces, opt-in by the standard environment variables: from HTTP through the queue to SQL and webhooks. While they are off
 * nothing of the SDK is loaded and a span costs the test of a variable; attributes must never hold values of a request.
 */
import {
  type Attributes,
  context,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import type { SpanExporter } from '@opentelemetry/sdk-trace'
import { within } from '../within.ts'

export { SpanKind }

/** How many traces are kept (OTEL_TRACES_SAMPLER and its argument). */
export type Sampling = {
  readonly base: 'always_on' | 'always_off' | 'traceidratio'
  /** Whether the caller's decision goes before ours. */
  readonly parentBased: boolean
  /** Share for `traceidratio`, 0 to 1. */
  readonly ratio: number
}

/** A stop waits no longer for a collector that is away. */
const STOP_MS_MAX = 3_000

let tracer: Tracer | undefined

/** Whether traces are on: they are switched on before anything is opened, and stay so. */
export const isTracing = (): boolean => tracer !== undefined

/**
 * Switches traces on for this process. Address, headers and timeouts of the collector are the exporter's to read
 * (OTEL_EXPORTER_OTLP_*, http/protobuf), and so are the batches' sizes.
 * @param options.exporter another one than to the collector, for tests.
 * @returns sends what is left and switches off.
 */
export async function startTracing(options: {
  readonly processName: string
  readonly sampling: Sampling
  readonly exporter?: SpanExporter
}): Promise<() => Promise<void>> {
  const [sdk, resources, hooks, otlp] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/exporter-trace-otlp-proto'),
  ])
  const { base, parentBased, ratio } = options.sampling
  const own = {
    always_on: () => new sdk.AlwaysOnSampler(),
    always_off: () => new sdk.AlwaysOffSampler(),
    traceidratio: () => new sdk.TraceIdRatioBasedSampler(ratio),
  }[base]()
  const named = resources.resourceFromAttributes({
    'service.name': 'millrace',
    'service.instance.id': options.processName,
  })
  // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES go before our names.
  const given = resources.detectResources({ detectors: [resources.envDetector] })
  const provider = new sdk.TracerProvider({
    resource: resources.defaultResource().merge(named).merge(given),
    sampler: parentBased ? new sdk.ParentBasedSampler({ root: own }) : own,
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: options.exporter ?? new otlp.OTLPTraceExporter() })],
  })
  context.setGlobalContextManager(new hooks.AsyncLocalStorageContextManager().enable())
  tracer = provider.getTracer('millrace')
  return async () => {
    tracer = undefined
    context.disable()
    await within(STOP_MS_MAX, provider.shutdown()).catch(() => {})
  }
}

/** A span as it travels in a header or a command (W3C traceparent). */
export type TraceParent = string

const traceParentPattern = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/

function readTraceParent(text: TraceParent | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = traceParentPattern.exec(text ?? '') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  const read = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
  return trace.isSpanContextValid(read) ? read : undefined
}

/** The span that is active here, for the way to another process; undefined while traces are off. */
export function traceParent(): TraceParent | undefined {
  const span = tracer && trace.getActiveSpan()?.spanContext()
  return span && spell(span)
}

/** A span for what comes of it much later; undefined unless its trace is kept, since then nothing will refer to it. */
export function keptTraceParent(span: Span | undefined): TraceParent | undefined {
  return span?.isRecording() ? spell(span.spanContext()) : undefined
}

const spell = (span: SpanContext): TraceParent => `00-${span.traceId}-${span.spanId}-0${span.traceFlags & 1}`

export type SpanOptions = {
  readonly kind?: SpanKind
  readonly attributes?: Attributes
  /** What caused it, from another process. The active span goes before it when both are of one trace. */
  readonly cause?: TraceParent | undefined
  /** What else belongs to it. */
  readonly links?: readonly (TraceParent | undefined)[]
}

/** Does some work within a span (undefined while traces are off); what the work throws is the span's error. */
export async function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  if (tracer === undefined) return work(undefined)
  const active = trace.getActiveSpan()?.spanContext()
  const cause = readTraceParent(options.cause)
  const parent =
    cause === undefined || cause.traceId === active?.traceId
      ? context.active()
      : trace.setSpanContext(ROOT_CONTEXT, cause)
  const links: Link[] = (options.links ?? []).flatMap(link => readTraceParent(link) ?? []).map(context => ({ context }))
  if (active !== undefined && parent !== context.active()) links.push({ context: active })
  const span = tracer.startSpan(
    name,
    { kind: options.kind ?? SpanKind.INTERNAL, attributes: options.attributes ?? {}, links },
    parent,
  )
  try {
    return await context.with(trace.setSpan(parent, span), work, undefined, span)
  } catch (error) {
    failSpan(span, error)
    throw error
  } finally {
    span.end()
  }
}

/** A span for what begins and ends in different calls; only within another one. Its owner ends it. */
export function childSpan(name: string, kind: SpanKind, attributes: Attributes): Span | undefined {
  if (tracer === undefined || trace.getActiveSpan() === undefined) return undefined
  return tracer.startSpan(name, { kind, attributes })
}

/** Marks an error by its kind alone: messages of the database hold values. */
export function failSpan(span: Span, error: unknown): void {
  span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown')
  span.setStatus({ code: SpanStatusCode.ERROR })
}
