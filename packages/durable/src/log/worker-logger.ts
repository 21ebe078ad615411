/** Where lines of a worker's log go. A logger of pino fits, and so does `console`. */
export interface WorkerLogger {
  /** Absent: nothing is logged at this level. */
  debug?(fields: LogFields, text: string): void;
  info(fields: LogFields, text: string): void;
  warn(fields: LogFields, text: string): void;
  error(fields: LogFields, text: string): void;
  /** Absent: every level is. */
  isLevelEnabled?(level: 'info'): boolean;
}

/** The fields of a log line. docs/reference/worker-log.md lists events and their fields. */
export interface LogFields {
  readonly event: string;
  readonly handler?: string | undefined;
  readonly job?: string | undefined;
  readonly [field: string]: unknown;
}
