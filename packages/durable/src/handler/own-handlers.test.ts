import { expect, test } from 'vitest';
import { CHANGE_FEED_HANDLER } from '../change-feed/change-feed.ts';
import { DEAD_LETTER_HANDLER } from '../dead-letter/publish-dead-letters.ts';
import { handlerOf } from '../document/sweep.ts';
import { SWEEP_HANDLER } from '../document/sweep-numbers.ts';
import { LOOK_HANDLER, NOTIFY_HANDLER } from '../escalation/look-at-escalations.ts';
import { isOwnHandler } from './own-handlers.ts';

test.each([
  CHANGE_FEED_HANDLER,
  DEAD_LETTER_HANDLER,
  SWEEP_HANDLER,
  LOOK_HANDLER,
  NOTIFY_HANDLER,
  handlerOf({ name: 'orders' }),
  'events.publish',
])("%s is one of Redrive's own handlers", (handler) => {
  expect(isOwnHandler(handler)).toBe(true);
});

test.each(['resize', 'documents', 'events.publish.mine'])('%s is not', (handler) => {
  expect(isOwnHandler(handler)).toBe(false);
});
