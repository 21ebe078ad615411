import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareText } from './compare-text.ts';
import { SortedList } from './sorted-list.ts';

describe('a sorted list', () => {
  it('is what a sorted array would be, whatever comes and goes', () => {
    const step = fc.record({ add: fc.boolean(), item: fc.integer({ min: 0, max: 50 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), fc.integer({ max: 60 }), (steps, bound) => {
        const list = new SortedList<number>((a, b) => a - b);
        const model = new Set<number>();
        for (const { add, item } of steps) {
          if (!add) list.remove(item);
          else if (!model.has(item)) list.add(item);
          if (add) model.add(item);
          else model.delete(item);
        }
        const sorted = [...model].sort((a, b) => a - b);
        expect([...list]).toEqual(sorted);
        expect([...list.backwards()]).toEqual(sorted.toReversed());
        expect([...list.backwards(bound)]).toEqual(sorted.filter((n) => n < bound).reverse());
        expect([list.size, list.first()]).toEqual([sorted.length, sorted[0]]);
        expect(list.find(bound)).toBe(model.has(bound) ? bound : undefined);
      }),
    );
  });

  it('stays in order over many pieces', () => {
    const list = new SortedList<number>((a, b) => a - b);
    for (let n = 0; n < 5_000; n++) list.add((n * 7_919) % 5_003);
    for (let n = 0; n < 5_000; n += 3) list.remove((n * 7_919) % 5_003);
    const left = [...list];
    expect(left).toHaveLength(3_333);
    expect(left).toEqual(left.toSorted((a, b) => a - b));
    expect([...list.backwards(2_500)]).toEqual(left.filter((n) => n < 2_500).reverse());
  });
});

describe('the order of texts', () => {
  it('is that of their UTF-8 bytes', () => {
    const text = fc.string({ unit: 'binary', maxLength: 6 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        const bytes = Buffer.compare(Buffer.from(a), Buffer.from(b));
        expect(Math.sign(compareText(a, b))).toBe(bytes);
      }),
    );
  });
});
