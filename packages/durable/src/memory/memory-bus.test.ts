import { busConformance } from '@redrive/testkit/conformance/bus';
import { describe, it } from 'vitest';
import { memoryBus } from './memory-bus.ts';

describe('the memory bus', () => {
  busConformance(async () => ({ bus: memoryBus() }), { describe, it });
});
