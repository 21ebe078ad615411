import type { BusCapabilities } from '@redrive/durable/events';
import { consuming, consumingNothing } from './bus/consuming.ts';
import { type BusUnderTest, Place, type RegisterTest } from './bus/place.ts';
import { publishing } from './bus/publishing.ts';
import { closing, sources } from './bus/sources.ts';
import type { TestRunner } from './ledger.ts';

export type { BusUnderTest } from './bus/place.ts';

/**
 * Registers the tests that every `Bus` must pass. `makeBus` is called once per test. Capabilities that the adapter's table
 * does not have are tested the other way round: without deduplication the second message must arrive too. A bus that does
 * not deliver has the source `orders` from the start, and none that is called `missing`.
 */
export function busConformance(
  makeBus: () => Promise<BusUnderTest>,
  { describe, it }: TestRunner,
  capabilities: Pick<BusCapabilities, 'delivers'> = { delivers: true },
): void {
  const test: RegisterTest = (name, body) =>
    it(name, async () => {
      const subject = await makeBus();
      const place = new Place(subject);
      try {
        await body(place);
      } finally {
        await place.close();
        await subject.close?.();
      }
    });
  describe('publishing', () => publishing(test));
  describe('consuming', () => {
    if (capabilities.delivers) consuming(test);
    else consumingNothing(test);
  });
  describe('sources', () => sources(test));
  describe('closing', () => closing(test));
}
