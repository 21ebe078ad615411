/** A dependency said "not before": it holds for everybody who asks the same one. Plain data, kept in a store. */
export interface Gate {
  readonly untilMs: number;
  readonly sinceMs: number;
  /** The hint was longer than the ceiling, and was cut. */
  readonly cut: boolean;
}

/** A hint of a year is an error or an attack; an hour is long enough to look again. */
export const GATE_CEILING_MS = 3_600_000;

/** The gate after one more hint. It only gets longer: the strictest answer holds. */
export function closeGate(
  gate: Gate | undefined,
  hintMs: number,
  nowMs: number,
  ceilingMs: number = GATE_CEILING_MS,
): Gate {
  const holdsMs = Math.min(Math.max(0, hintMs), ceilingMs);
  const asked = { untilMs: nowMs + holdsMs, sinceMs: nowMs, cut: hintMs > ceilingMs };
  if (gate === undefined || gate.untilMs <= nowMs) return asked;
  return gate.untilMs >= asked.untilMs ? gate : { ...asked, sinceMs: gate.sinceMs };
}
