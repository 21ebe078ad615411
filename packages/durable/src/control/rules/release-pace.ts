/**
 * How fast what was held back comes back: a bucket of tokens, one per attempt, whose rate grows while all goes well and
 * halves when it does not. Plain data in milliseconds of one clock, so that it can live in a store and be shared by many
 * processes: growth follows the time that has passed, not how often somebody looked.
 */
export interface ReleasePace {
  readonly perSecond: number;
  readonly tokens: number;
  /** When the tokens were counted. */
  readonly countedAtMs: number;
  /** When the rate last changed. */
  readonly adjustedAtMs: number;
  /** The lowest mean latency seen so far; absent until something has ended. */
  readonly calmLatencyMs?: number | undefined;
  /** Whether it had to slow down: from then on it grows gently. */
  readonly gentle: boolean;
}

/** What ended since somebody last told. */
export interface ReleaseFeedback {
  readonly succeeded: number;
  readonly failed: number;
  /** Of all that ended. */
  readonly meanLatencyMs: number;
}

const FIRST_PER_SECOND = 5;
const MOST_PER_SECOND = 100_000;
const GROWTH = 1.5;
/** After it had to slow down: by a twentieth, and by one a second at least, so that a low rate comes back too. */
const GENTLE_GROWTH = 1.05;
const GENTLE_LEAST = 1;
const BACK_OFF = 0.5;
/** The rate changes by so much time at once at most: a long silence is no reason to hurry. */
const LONGEST_STEP_MS = 1_000;
/** Tokens are kept for so long. */
const BURST_SECONDS = 1;
const TROUBLE_SHARE = 0.1;
/** Slow is what takes twice as long as at the best time, and so much longer: a few milliseconds are no queue. */
const TROUBLE_LATENCY = 2;
const TROUBLE_LATENCY_MS = 250;
/** Whoever takes nothing for so long is held up by something else: then the rate says nothing, and does not grow. */
const IDLE_MS = 2_000;

/** The pace at the moment in which the cause is gone. */
export function openPace(nowMs: number, perSecond = FIRST_PER_SECOND): ReleasePace {
  const rate = Math.min(Math.max(perSecond, 1), MOST_PER_SECOND);
  return { perSecond: rate, tokens: 1, countedAtMs: nowMs, adjustedAtMs: nowMs, gentle: false };
}

/** Takes at most `wanted` attempts out of it. */
export function takeFromPace(
  pace: ReleasePace,
  wanted: number,
  nowMs: number,
): { readonly pace: ReleasePace; readonly granted: number } {
  const passedMs = Math.max(0, agoMs(pace.countedAtMs, nowMs));
  const most = Math.max(1, pace.perSecond * BURST_SECONDS);
  const tokens = Math.min(most, pace.tokens + (pace.perSecond * passedMs) / 1_000);
  const granted = Math.min(Math.max(0, Math.floor(wanted)), Math.floor(tokens));
  const countedAtMs = passedMs > 0 ? nowMs : pace.countedAtMs;
  return { pace: { ...pace, tokens: tokens - granted, countedAtMs }, granted };
}

/** Whether nothing was taken from it for a while: then it says nothing about what the dependency can take now. */
export function isPaceIdle(pace: ReleasePace, nowMs: number): boolean {
  return agoMs(pace.countedAtMs, nowMs) > IDLE_MS;
}

/** Until at least one attempt can be taken. */
export function paceWaitMs(pace: ReleasePace, nowMs: number): number {
  const passedMs = agoMs(pace.countedAtMs, nowMs);
  const missing = 1 - pace.tokens - (pace.perSecond * passedMs) / 1_000;
  return Math.max(0, Math.ceil((missing / pace.perSecond) * 1_000));
}

/** Learns from what ended. Halves at most once a second, because what is under way still belongs to the old rate. */
export function adjustPace(
  pace: ReleasePace,
  feedback: ReleaseFeedback,
  nowMs: number,
): ReleasePace {
  const { succeeded, failed, meanLatencyMs } = feedback;
  const ended = succeeded + failed;
  const passedMs = Math.min(LONGEST_STEP_MS, agoMs(pace.adjustedAtMs, nowMs));
  if (ended === 0 || passedMs <= 0) return pace;
  const calmLatencyMs = Math.min(pace.calmLatencyMs ?? Infinity, meanLatencyMs);
  const slow = meanLatencyMs > slowLatencyMs(calmLatencyMs);
  if (slow || failed > ended * TROUBLE_SHARE) {
    if (pace.gentle && passedMs < LONGEST_STEP_MS) return { ...pace, calmLatencyMs };
    const perSecond = Math.max(1, pace.perSecond * BACK_OFF);
    return { ...pace, perSecond, calmLatencyMs, adjustedAtMs: nowMs, gentle: true };
  }
  if (isPaceIdle(pace, nowMs)) return { ...pace, calmLatencyMs, adjustedAtMs: nowMs };
  const perSecond = Math.min(MOST_PER_SECOND, grown(pace, passedMs / 1_000));
  return { ...pace, perSecond, calmLatencyMs, adjustedAtMs: nowMs };
}

/**
 * How long ago it was. What lies well ahead is from before the clock was set back: nobody knows, so it is long ago. If it
 * were not, the pace would stand still for as long as the clock went back.
 */
function agoMs(atMs: number, nowMs: number): number {
  return atMs - nowMs > IDLE_MS ? Infinity : nowMs - atMs;
}

function grown({ perSecond, gentle }: ReleasePace, seconds: number): number {
  if (!gentle) return perSecond * GROWTH ** seconds;
  return Math.max(perSecond * GENTLE_GROWTH ** seconds, perSecond + GENTLE_LEAST * seconds);
}

function slowLatencyMs(calmLatencyMs: number): number {
  return Math.max(calmLatencyMs * TROUBLE_LATENCY, calmLatencyMs + TROUBLE_LATENCY_MS);
}
