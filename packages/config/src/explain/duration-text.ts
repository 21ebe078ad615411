const UNITS = [
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** `1 h 3 min`, `31.75 s`, `250 ms`. */
export function durationText(ms: number): string {
  const at = UNITS.findIndex(([, size]) => ms >= size);
  const [unit, size] = UNITS[at] ?? ['ms', 1];
  const next = UNITS[at + 1];
  if (at === -1 || next === undefined) return `${Number((ms / size).toFixed(2))} ${unit}`;
  const whole = Math.floor(ms / size);
  const rest = Math.floor((ms % size) / next[1]);
  return rest === 0 ? `${whole} ${unit}` : `${whole} ${unit} ${rest} ${next[0]}`;
}
