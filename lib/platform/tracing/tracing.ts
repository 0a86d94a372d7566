/**
 * OpenTelemetry traces, switched on by the standard environment variables: from HTTP through the queue to SQL and webhooks. While traces
 * are off the SDK is not loaded, and a span costs the test of a variable. Attributes must never contain values of a request.
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
  /** Whether the caller's decision counts before this service's own. */
  readonly parentBased: boolean
  /** The share for `traceidratio`, 0 to 1. */
  readonly ratio: number
}

/** The longest that a stop waits for a collector that cannot be reached. */
const STOP_MS_MAX = 3_000

let tracer: Tracer | undefined

/** Whether traces are on. They are switched on before anything is opened, and stay on. */
export const isTracing = (): boolean => tracer !== undefined

/**
 * Switches traces on for this process. The exporter reads address, headers and timeouts of the collector and the sizes of batches itself
 * (OTEL_EXPORTER_OTLP_*, http/protobuf).
 * @param options.exporter replaces the exporter to the collector, for tests
 * @returns a function that sends the rest and switches off
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
  // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES count before these names.
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

/** A span in a header or a command (W3C traceparent). */
export type TraceParent = string

const traceParentPattern = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/

function readTraceParent(text: TraceParent | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = traceParentPattern.exec(text ?? '') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  const read = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
  return trace.isSpanContextValid(read) ? read : undefined
}

/** The active span, for another process; undefined while traces are off. */
export function traceParent(): TraceParent | undefined {
  const span = tracer && trace.getActiveSpan()?.spanContext()
  return span && spell(span)
}

/** A span for later work. Undefined unless its trace is kept: otherwise later work has nothing to refer to. */
export function keptTraceParent(span: Span | undefined): TraceParent | undefined {
  return span?.isRecording() ? spell(span.spanContext()) : undefined
}

const spell = (span: SpanContext): TraceParent => `00-${span.traceId}-${span.spanId}-0${span.traceFlags & 1}`

export type SpanOptions = {
  readonly kind?: SpanKind
  readonly attributes?: Attributes
  /** The span in another process that caused this one. The active span is the parent instead when both belong to one trace. */
  readonly cause?: TraceParent | undefined
  /** Further related spans. */
  readonly links?: readonly (TraceParent | undefined)[]
}

/** Does the work within a span (undefined while traces are off). An error of the work becomes the span's error. */
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

/** A span for work that begins and ends in different calls; only within another span. The caller ends it. */
export function childSpan(name: string, kind: SpanKind, attributes: Attributes): Span | undefined {
  if (tracer === undefined || trace.getActiveSpan() === undefined) return undefined
  return tracer.startSpan(name, { kind, attributes })
}

/** Notes an error by its kind only: messages of the database contain values. */
export function failSpan(span: Span, error: unknown): void {
  span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown')
  span.setStatus({ code: SpanStatusCode.ERROR })
}
