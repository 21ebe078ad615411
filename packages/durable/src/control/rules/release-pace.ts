/**
 * The pace of a release: a bucket of tokens, one per attempt. Its rate grows while attempts succeed, and halves when too
 * many fail or get slow. Plain data in milliseconds of one clock, so that it can be stored and shared by processes: its
 * growth depends on the time that has passed, not on the number of reads.
 */
export interface ReleasePace {
  readonly perSecond: number;
  readonly tokens: number;
  /** The time of the last count of the tokens. */
  readonly countedAtMs: number;
  /** The time of the last change of the rate. */
  readonly adjustedAtMs: number;
  /** The lowest mean latency so far; absent until an attempt has ended. */
  readonly calmLatencyMs?: number | undefined;
  /** Whether it has slowed down before: from then on it grows slowly. */
  readonly gentle: boolean;
}

/** Results of attempts since the last adjustment. */
export interface ReleaseFeedback {
  readonly succeeded: number;
  readonly failed: number;
  /** Of all these attempts. */
  readonly meanLatencyMs: number;
}

const FIRST_PER_SECOND = 5;
const MOST_PER_SECOND = 100_000;
const GROWTH = 1.5;
/** After a slow-down the rate grows by a twentieth per second, and at least by 1, so that a low rate recovers too. */
const GENTLE_GROWTH = 1.05;
const GENTLE_LEAST = 1;
const BACK_OFF = 0.5;
/** One change counts at most this time: a long silence does not speed the release up. */
const LONGEST_STEP_MS = 1_000;
/** Unused tokens are kept for this time. */
const BURST_SECONDS = 1;
const TROUBLE_SHARE = 0.1;
/** An attempt is slow if it takes twice the lowest latency and 250 ms more: a few milliseconds are not a queue. */
const TROUBLE_LATENCY = 2;
const TROUBLE_LATENCY_MS = 250;
/** If nothing is taken for this time, something else delays the release: then the rate does not grow. */
const IDLE_MS = 2_000;

/** The pace when the cause is gone. */
export function openPace(nowMs: number, perSecond = FIRST_PER_SECOND): ReleasePace {
  const rate = Math.min(Math.max(perSecond, 1), MOST_PER_SECOND);
  return { perSecond: rate, tokens: 1, countedAtMs: nowMs, adjustedAtMs: nowMs, gentle: false };
}

/** Takes up to `wanted` tokens. */
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

/** Whether nothing was taken for a while: then the rate says nothing about the dependency. */
export function isPaceIdle(pace: ReleasePace, nowMs: number): boolean {
  return agoMs(pace.countedAtMs, nowMs) > IDLE_MS;
}

/** The time until a token can be taken. */
export function paceWaitMs(pace: ReleasePace, nowMs: number): number {
  const passedMs = agoMs(pace.countedAtMs, nowMs);
  const missing = 1 - pace.tokens - (pace.perSecond * passedMs) / 1_000;
  return Math.max(0, Math.ceil((missing / pace.perSecond) * 1_000));
}

/** Adjusts the rate. It halves at most once a second, because running attempts were released at the old rate. */
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
 * The time since then. A time well ahead is from before the clock was set back, and counts as long ago. Otherwise the pace
 * would stand still for as long as the clock went back.
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
