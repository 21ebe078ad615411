const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A range must hold several scrapes, and answers of the store, which are at most five seconds old. */
const MIN_RANGE_MS = 15_000;

/** Rules or routes in which every `for:`, range and interval is shorter by a factor. Thresholds stay. */
export function quicker(text: string, speed: number): string {
  const shorter = (length: string, unit: string, minMs: number): string => {
    // The patterns below match these units only.
    const ms = Number(length) * UNIT_MS[unit as keyof typeof UNIT_MS];
    return `${Math.round(Math.max(minMs, ms / speed))}ms`;
  };
  return text
    .replace(
      /\b(for|group_wait|group_interval|repeat_interval): (\d+)([smhd])$/gm,
      (_, key, length, unit) => `${key}: ${shorter(length, unit, 1_000)}`,
    )
    .replace(
      /(\[|offset )(\d+)([smhd])\b/g,
      (_, before, length, unit) => before + shorter(length, unit, MIN_RANGE_MS),
    );
}
