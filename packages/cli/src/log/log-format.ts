/** How the lines of a log are written. */
export type LogFormat = 'redrive' | 'ecs' | 'otel';

/** A line of the log, as `redrive` writes it. */
type Line = Readonly<Record<string, unknown>> & { readonly time: string; readonly level: string };

const ECS_VERSION = '8.11.0';
const NANOSECONDS = 1_000_000;

/** Numbers of the OpenTelemetry log data model: the smallest of each range. */
const SEVERITIES: Readonly<Record<string, number>> = {
  debug: 5,
  info: 9,
  warn: 13,
  error: 17,
  fatal: 21,
};

/** A line in the names of another schema. Fields that the schema does not know are named `redrive.<field>`. */
export function formatLine(format: Exclude<LogFormat, 'redrive'>, line: Line): object {
  return format === 'ecs' ? ecsLine(line) : otelLine(line);
}

/** Elastic Common Schema. Names have dots at the top level, as the specification of ECS logging asks for. */
function ecsLine(line: Line): object {
  const { time, level, msg, event, duration_ms, reason, error, worker, trace_id, ...rest } = line;
  const { type, message } = errorOf(error, rest);
  return given({
    '@timestamp': time,
    'log.level': level,
    message: msg,
    'ecs.version': ECS_VERSION,
    'service.name': 'redrive',
    'service.node.name': worker,
    'event.dataset': 'redrive.log',
    'event.action': event,
    'event.outcome': outcomeOf(line),
    'event.duration': nanoseconds(duration_ms),
    'event.reason': reason,
    'error.type': type,
    'error.message': message,
    'trace.id': trace_id,
    ...own(rest),
  });
}

/** The log data model of OpenTelemetry. A time is a text, because JSON numbers cannot hold nanoseconds. */
function otelLine(line: Line): object {
  const { time, level, msg, event, error, trace_id, worker, ...rest } = line;
  const { type, message } = errorOf(error, rest);
  const attributes = { 'exception.type': type, 'exception.message': message, ...own(rest) };
  return given({
    Timestamp: String(BigInt(Date.parse(time)) * BigInt(NANOSECONDS)),
    SeverityText: level.toUpperCase(),
    SeverityNumber: SEVERITIES[level],
    Body: msg,
    EventName: event,
    TraceId: trace_id,
    Resource: given({ 'service.name': 'redrive', 'service.instance.id': worker }),
    Attributes: given(attributes),
  });
}

/** Lines about attempts write an error as `Type: message`, other lines the message alone. */
function errorOf(error: unknown, { attempt }: Readonly<Record<string, unknown>>) {
  if (typeof error !== 'string') return {};
  const [, type, message] = /^([\w$.]+): (.*)$/s.exec(error) ?? [];
  if (attempt === undefined || type === undefined) return { message: error };
  return { type, message };
}

function outcomeOf({ event, level, error }: Line): string | undefined {
  if (String(event).endsWith('.succeeded')) return 'success';
  return error !== undefined || level === 'error' ? 'failure' : undefined;
}

function nanoseconds(ms: unknown): number | undefined {
  return typeof ms === 'number' ? Math.round(ms * NANOSECONDS) : undefined;
}

function own(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [`redrive.${name}`, value]),
  );
}

function given(fields: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
