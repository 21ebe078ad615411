import { expect, it } from 'vitest';
import { subsystemOf } from './session-facts.ts';

it.each([
  ['browser.state_operations.timeout', 'browser'],
  ['resize', 'resize'],
  ['.hidden', '.hidden'],
])('the subsystem of %s is %s', (operation, subsystem) => {
  expect(subsystemOf(operation)).toBe(subsystem);
});
