import { describe, expect, it } from 'vitest';
import { type Link, Ring, unlink } from './ring.ts';

class Item implements Link {
  before: Link = this;
  after: Link = this;
}

/** The links of a ring, from the oldest to the newest. */
function items(ring: Ring<Item>): Link[] {
  const found: Link[] = [];
  for (let link = ring.after; link !== ring; link = link.after) {
    expect(link.after.before).toBe(link);
    found.push(link);
  }
  return found;
}

describe('a ring', () => {
  it('is empty at first', () => {
    expect(new Ring<Item>().oldest).toBeUndefined();
  });

  it('keeps links in the order they came', () => {
    const ring = new Ring<Item>();
    const [a, b, c] = [new Item(), new Item(), new Item()];
    for (const item of [a, b, c]) ring.add(item);
    expect(items(ring)).toEqual([a, b, c]);
    expect(ring.oldest).toBe(a);
  });

  it('lets any link go, and takes it back at its end', () => {
    const ring = new Ring<Item>();
    const [a, b, c] = [new Item(), new Item(), new Item()];
    for (const item of [a, b, c]) ring.add(item);
    unlink(b);
    expect(items(ring)).toEqual([a, c]);
    unlink(a);
    expect(ring.oldest).toBe(c);
    ring.add(a);
    expect(items(ring)).toEqual([c, a]);
    unlink(c);
    unlink(a);
    expect(ring.oldest).toBeUndefined();
  });

  it('does not mind a link that is out already', () => {
    const ring = new Ring<Item>();
    const [a, b] = [new Item(), new Item()];
    ring.add(a);
    unlink(b);
    ring.add(b);
    unlink(a);
    unlink(a);
    expect(items(ring)).toEqual([b]);
    expect([a.before, a.after]).toEqual([a, a]);
  });
});
