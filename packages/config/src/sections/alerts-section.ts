import { amount, defineSection, value } from './section.ts';

/** Thresholds of alerts. Workers expose them beside the figures that they are compared with. */
export const alertsSection = defineSection('alerts', {
  kind: 'object',
  meaning:
    'Thresholds of alert rules. A worker exposes them as metrics, so a change takes effect without new rules.',
  fields: {
    retries_per_minute: value(
      amount,
      'The alert `RedriveRetryRateHigh` fires when a category has more retries per minute than this.',
      100,
    ),
    categories: {
      kind: 'map',
      key: 'category',
      meaning:
        'Thresholds of single categories, by code. `none`: calls and jobs without a category, together.',
      of: value(amount, 'More retries per minute than this fire the alert.'),
    },
  },
});
