import { RENDERED_EVENTS as filtered } from '@redrive/durable/store';
import { expect, test } from 'vitest';
import { RENDERED_EVENTS } from './record-fields.ts';

// Written twice: with an import, `redrive --help` would load durable.
test('the help of audit list names the events that the filter knows', () => {
  expect(RENDERED_EVENTS).toEqual(filtered);
});
