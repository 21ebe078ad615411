import { systemClock } from '@redrive/core';
import { expect, test } from 'vitest';
import { workerName } from '../../packages/durable/src/jobs/jobs-on.ts';
import { processOf } from './process-of.ts';

test("a worker's name in a record leads to its process", () => {
  expect(processOf(workerName('worker-3', systemClock))).toBe('worker-3');
  expect(processOf(`worker:${workerName('worker-3', systemClock)}`)).toBe('worker-3');
});
