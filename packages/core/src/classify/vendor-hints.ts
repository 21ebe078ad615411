import { header, headerHint, serverNowMs, unitsToMs } from './error-facts.ts';

/** Header families that give a wait in milliseconds: Azure's and AWS's. */
const MILLISECOND_HEADERS = ['x-ms-retry-after-ms', 'x-amz-retry-after'];

/** Prefixes of the older header pairs `…remaining` and `…reset`, which one RateLimit header replaced. */
const QUOTA_PREFIXES = ['ratelimit-', 'x-ratelimit-', 'x-rate-limit-'];

/**
 * The wait that any known header asks for. Retry-After and its relatives come before the quota fields, which are sent with
 * every answer and so count only when the quota is used up, or, if they do not give the remaining quota, on a 429.
 */
export function vendorHint(
  headers: unknown,
  nowMs: number,
  isTooMany: boolean,
): number | undefined {
  if (!headers) return undefined;
  const hints = [
    headerHint(headers, nowMs),
    ...MILLISECOND_HEADERS.map((name) => unitsToMs(header(headers, name), 1)),
    rateLimitHint(header(headers, 'ratelimit')),
    ...QUOTA_PREFIXES.map((prefix) => {
      const remaining = header(headers, `${prefix}remaining`).trim();
      const isUsedUp = remaining === '' ? isTooMany : Number(remaining) === 0;
      const reset = isUsedUp ? header(headers, `${prefix}reset`) : '';
      return resetHint(reset.trim(), serverNowMs(headers, nowMs));
    }),
  ];
  return hints.find((hint) => hint !== undefined);
}

/**
 * The RateLimit field: `"burst";r=0;t=2, "daily";r=900;t=3600`, or as older drafts had it `remaining=0, reset=30`.
 * The longest wait among the used-up quotas, because all of them must have room.
 */
function rateLimitHint(field: string): number | undefined {
  // Names may hold commas and semicolons.
  const text = field.replace(/"(?:[^"\\]|\\.)*(?:"|$)/g, '');
  const waits = text.split(/,(?!\s*reset=)/).flatMap((quota) => {
    const isUsedUp = /(?:;\s*r|\bremaining)=0(?=\s*(?:[;,]|$))/.test(quota);
    const wait = /(?:;\s*t|\breset)=(\d+)(?=\s*(?:[;,]|$))/.exec(quota)?.[1];
    return unitsToMs(isUsedUp ? wait : undefined, 1000) ?? [];
  });
  return waits.length ? Math.max(...waits) : undefined;
}

/** A reset is given in seconds from now, in epoch seconds or in epoch milliseconds: the magnitude shows which. */
function resetHint(text: string, nowMs: number): number | undefined {
  const reset = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (reset < 1e8) return unitsToMs(reset, 1000);
  return unitsToMs(Math.max(0, (reset < 1e11 ? reset * 1000 : reset) - nowMs), 1);
}
