const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** `250 ms`, `1.5 s`, `1 min 30 s`, `2 h`, `1 d 4 h`: exact below a minute, then the two largest units. */
export function durationText(durationMs: number): string {
  const wholeMs = Math.round(durationMs);
  if (wholeMs < 1_000) return wholeMs === 0 ? '0' : `${wholeMs} ms`;
  if (wholeMs < 60_000) return `${wholeMs / 1_000} s`;
  const at = UNITS.findIndex(([, unitMs]) => wholeMs >= unitMs);
  const [name, unitMs] = UNITS[at] ?? UNITS[3];
  const [smallName, smallMs] = UNITS[at + 1] ?? UNITS[3];
  const small = Math.round(wholeMs / smallMs);
  const rest = small % (unitMs / smallMs);
  const whole = Math.floor((small * smallMs) / unitMs);
  return rest === 0 ? `${whole} ${name}` : `${whole} ${name} ${rest} ${smallName}`;
}
