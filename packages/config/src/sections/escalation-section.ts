import type { ObjectShape } from '../shape/shape.ts';
import {
  defineSection,
  durationOrNone,
  optional,
  seconds,
  text,
  texts,
  value,
  yesOrNo,
} from './section.ts';

const HOUR = 3_600;
const amount = { kind: 'integer', min: 0, max: 1_000_000_000 } as const;

interface TierDefaults {
  readonly meaning: string;
  readonly owner: string;
  readonly after?: number;
  readonly stuckAbove?: number;
  readonly failedAbove?: number;
  readonly respondWithin: number;
  readonly businessHours: boolean;
  readonly resolveWithin?: number;
}

function tier(given: TierDefaults): ObjectShape {
  const { meaning, owner, after, stuckAbove, failedAbove, resolveWithin } = given;
  const time = (words: string, fallback: number | undefined, none: string) => ({
    ...value(durationOrNone, words, fallback),
    ...(fallback === undefined && { fallbackText: none }),
    unit: 'seconds' as const,
  });
  const limit = (words: string, fallback: number | undefined) => ({
    ...value(amount, words, fallback),
    ...(fallback === undefined && { fallbackText: 'never' }),
  });
  return {
    kind: 'object',
    meaning,
    fields: {
      after: time('Items that are stuck for this time have the tier.', after, 'never'),
      stuck_above: limit('More stuck items than this have the tier.', stuckAbove),
      stuck_for: seconds(
        'They count for `stuck_above` when the oldest is stuck for this time.',
        HOUR,
        durationOrNone,
      ),
      failed_above: limit('More failed items than this have the tier.', failedAbove),
      owner: value(text, 'The person or team that responds.', owner),
      respond_within: seconds(
        'The time for a response; 0: at once.',
        given.respondWithin,
        durationOrNone,
      ),
      business_hours: value(
        yesOrNo,
        'Whether `respond_within` counts only business hours.',
        given.businessHours,
      ),
      resolve_within: time('The time until all is resolved.', resolveWithin, 'no limit'),
      notify: optional(texts, 'Names of `channels` that are notified.', 'all channels'),
    },
  };
}

/** Tiers of failing work and the people who are notified. `redrive start` looks if there is a channel. */
export const escalationSection = defineSection('escalation', {
  kind: 'object',
  meaning:
    'Escalation of failing work to people, in tiers. Workers look if there is at least one channel.',
  fields: {
    channels: {
      kind: 'map',
      key: 'channel',
      meaning: 'Where notifications go, by name.',
      of: {
        kind: 'object',
        meaning: 'A webhook or a program: either `url` or `command`.',
        fields: {
          url: value(
            text,
            'The address of a webhook: it gets the notification as JSON, by POST. Errors, logs and notifications never show more of it than its host.',
          ),
          authorization_env: optional(
            text,
            'The environment variable with the value of the header Authorization.',
            'none',
          ),
          command: value(texts, 'A program and its arguments: it gets the notification on stdin.'),
          timeout: seconds('The time for one notification.', 10, {
            ...{ kind: 'number', min: 0.001, max: 100 },
          }),
        },
      },
    },
    allow_http: value(texts, 'Hosts of webhooks that may be called without TLS.', []),
    allow_private: value(
      texts,
      'Addresses and ranges of webhooks that are not public, such as `10.1.0.0/16`.',
      [],
    ),
    look_every: seconds(
      'The time between two looks at failing work. The setting takes effect when a worker starts.',
      60,
      { kind: 'number', min: 1, max: 86_400 },
    ),
    resolve_after: seconds(
      'An escalation is resolved when nothing had tier 2 or above for this time.',
      900,
    ),
    max_notifications_per_look: value(
      { kind: 'integer', min: 1, max: 1_000 },
      'The number of notifications that a look sends. Above it, causes that are new share one: it names the ten largest, and the number of the others.',
      10,
    ),
    time_zone: value(text, 'The time zone of the business hours.', 'UTC'),
    opens: value(text, 'When business hours begin.', '09:00'),
    closes: value(text, 'When business hours end: later than `opens`, at most 24:00.', '17:00'),
    days: value(texts, 'Working days.', ['mon', 'tue', 'wed', 'thu', 'fri']),
    holidays: value(texts, 'Days without work, such as `2026-12-25`.', []),
    tiers: {
      kind: 'object',
      meaning: 'The tiers above the first, which is automatic. One condition of a tier is enough.',
      fields: {
        warning: tier({
          ...{ meaning: 'Tier 2.', owner: 'Platform/SRE team', after: 24 * HOUR, stuckAbove: 50 },
          ...{ respondWithin: 4 * HOUR, businessHours: true },
        }),
        critical: tier({
          ...{ meaning: 'Tier 3.', owner: 'Service team', failedAbove: 0 },
          ...{ respondWithin: HOUR, businessHours: false },
        }),
        engineering_lead: tier({
          ...{ meaning: 'Tier 4.', owner: 'Engineering lead', after: 168 * HOUR },
          ...{ failedAbove: 1_000, respondWithin: 0, businessHours: false },
          resolveWithin: 24 * HOUR,
        }),
      },
    },
  },
});
