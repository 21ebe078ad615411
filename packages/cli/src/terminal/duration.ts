const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/**
 * A time as people say it: `0`, `250 ms`, `1.5 s`, `1 min 30 s`, `2 h`, `1 d 4 h`. Below a minute it is exact to the
 * millisecond; above, it names the two largest units and rounds to the smaller one.
 */
export function formatDuration(durationMs: number): string {
  const wholeMs = Math.round(durationMs);
  if (wholeMs === 0) return '0';
  if (wholeMs < 1_000) return `${wholeMs} ms`;
  if (wholeMs < 60_000) return `${wholeMs / 1_000} s`;
  const largest = UNITS.findIndex(([, unitMs]) => wholeMs >= unitMs);
  const [name, unitMs] = UNITS[largest] ?? UNITS[3];
  const [smallName, smallMs] = UNITS[largest + 1] ?? UNITS[3];
  const small = Math.round(wholeMs / smallMs);
  const whole = Math.floor((small * smallMs) / unitMs);
  const rest = small % (unitMs / smallMs);
  return rest === 0 ? `${whole} ${name}` : `${whole} ${name} ${rest} ${smallName}`;
}

/** The same in few characters, for places without room: `250ms`, `10m`, `1h10m`. */
export function shortDuration(durationMs: number): string {
  return formatDuration(durationMs).replace('min', 'm').replaceAll(' ', '');
}
