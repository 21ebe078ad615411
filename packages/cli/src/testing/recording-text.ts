import { headLine, type Recorded, recordedLine } from '@redrive/lab';

const SUCCESS: Recorded = {
  dependency: 'mail',
  handler: 'send',
  policy: 'mail',
  policyHash: 'x',
  rung: 'job',
  session: 's',
  generation: 1,
  attempt: 1,
  endMs: 0,
  outcome: 'succeeded',
  action: 'succeed',
  reason: 'succeeded',
};
const FAILURE: Partial<Recorded> = {
  outcome: 'failed',
  errorClass: 'retryable',
  errorType: 'TimeoutError',
  action: 'retry',
  reason: 'retryable_error',
};

/**
 * A recording of the policy `mail`: a success a second, but for an outage of half a minute, in which 20 sessions are given
 * up after three attempts within 3 s.
 */
export function recordingText(): string {
  const up = [...Array(100).keys(), ...Array.from({ length: 100 }, (_, at) => 135 + at)];
  const successes = up.map((second) => ({
    ...SUCCESS,
    session: `up-${second}`,
    endMs: second * 1_000,
  }));
  const down = Array.from({ length: 20 }, (_, at) =>
    [0, 1, 3].map((second, retry) => ({
      ...SUCCESS,
      ...FAILURE,
      ...(retry === 2 ? { action: 'give-up', reason: 'max_attempts_exceeded' } : {}),
      session: `down-${at}`,
      attempt: retry + 1,
      endMs: (101 + at + second) * 1_000,
      startMs: (101 + at + second) * 1_000,
    })),
  );
  const all = [...successes, ...down.flat()].sort((a, b) => a.endMs - b.endMs);
  return headLine(0, 300_000) + all.map(recordedLine).join('');
}

/** A recording of the policy `mail` with an outage of some 15 minutes a day, in which a session a minute is given up. */
export function outagesText(days: number): string {
  const lines = Array.from({ length: days }, (_, day) => {
    const lengthMs = 800_000 + ((day * 37) % 20) * 10_000;
    return Array.from({ length: 20 }, (_, minute) =>
      [0, 1, 3].flatMap((second, retry) => {
        const atMs = (minute * 60 + second) * 1_000;
        const isDown = atMs < lengthMs;
        if (retry > 0 && !isDown) return [];
        const endMs = day * 86_400_000 + atMs;
        const session = `${day}/${minute}`;
        return { ...SUCCESS, ...(isDown && FAILURE), session, attempt: retry + 1, endMs };
      }),
    ).flat();
  }).flat();
  return headLine(0, days * 86_400_000) + lines.map(recordedLine).join('');
}

/** Its policy, and one that waits longer. */
export const RECORDED_POLICIES = `
  mail: { extends: KV_GET, max_attempts: 3, backoff_type: schedule, delays: [1, 2], jitter_type: none }
  patient: { extends: mail, max_attempts: 3, delays: [10, 60], max_delay: 60 }
`;
