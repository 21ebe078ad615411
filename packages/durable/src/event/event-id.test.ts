import { describe, expect, it } from 'vitest';
import { conflictId, eventId } from './event-id.ts';

const SOURCE = { name: 'chunking', key: ['data.message_ids'] };

describe('the idempotency key of an event', () => {
  it('is the source and all ids that key names', () => {
    const body = { data: { message_ids: ['abc', 'def', 'ghi', 'jkl'] } };
    expect(eventId(SOURCE, {}, body)).toBe('chunking-abc-def-ghi-jkl');
  });

  it('has the ids of several paths, of objects in lists, and whole numbers', () => {
    const source = { name: 'embedding', key: ['archive', 'chunks.id'] };
    const body = { archive: 7, chunks: [{ id: 'a' }, { id: 'b' }] };
    expect(eventId(source, {}, body)).toBe('embedding-7-a-b');
  });

  it('is hashed beyond 200 characters, and differs with every id', () => {
    const ids = Array.from({ length: 100 }, (_, index) => `message-${index}`);
    const id = eventId(SOURCE, {}, { data: { message_ids: ids } });
    const other = eventId(SOURCE, {}, { data: { message_ids: [...ids.slice(0, -1), 'x'] } });
    expect(id).toMatch(/^chunking-[0-9a-f]{64}$/);
    expect(other).toMatch(/^chunking-[0-9a-f]{64}$/);
    expect(id).not.toBe(other);
  });

  it('differs where ids with a hyphen are divided otherwise', () => {
    const [one, other] = [
      ['a-b', 'c'],
      ['a', 'b-c'],
    ].map((ids) => eventId(SOURCE, {}, { data: { message_ids: ids } }));
    expect(one).not.toBe(other);
    expect([one, other]).toEqual(
      [1, 2].map(() => expect.stringMatching(/^chunking-[0-9a-f]{64}$/)),
    );
    expect(eventId(SOURCE, {}, { data: { message_ids: ['a-b'] } })).toBe('chunking-a-b');
  });

  it('is hashed where an id has control characters', () => {
    expect(eventId(SOURCE, { id: 'a\nb' }, {})).toMatch(/^chunking-[0-9a-f]{64}$/);
  });

  it.each([
    ['the message id', { id: 'm-1', position: 'docs-42' }, 'chunking-m-1'],
    ['the position', { position: 'docs-42' }, 'chunking-docs-42'],
  ])('is %s where the body has no ids', (_, delivery, expected) => {
    for (const body of [{}, null, 7, 'text', [], { data: { message_ids: [] } }]) {
      expect(eventId(SOURCE, delivery, body)).toBe(expected);
    }
  });

  it('is absent where nothing identifies the message', () => {
    expect(eventId(SOURCE, {}, { data: { message_ids: [{}, null, ''] } })).toBeUndefined();
  });

  it('reads own fields only', () => {
    expect(eventId({ name: 's', key: ['__proto__', 'constructor.name'] }, {}, {})).toBeUndefined();
  });

  it('of a conflict has the hash of its source and body', () => {
    const body = new TextEncoder().encode('{}');
    expect(conflictId('chunking', 'chunking-a', body)).toBe('chunking-a-316088e9eabb3a66');
  });
});
