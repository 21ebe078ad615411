import { describe, expect, it } from 'vitest';
import { causesOf, fields } from './error-facts.ts';

describe('causesOf', () => {
  it('lists the error, its causes and the members of an AggregateError, nearest first', () => {
    const deep = new Error('deep');
    const cause = new Error('cause', { cause: deep });
    const first = new Error('first');
    const second = new Error('second');
    const error = Object.assign(new AggregateError([first, second], 'all'), { cause });
    expect(causesOf(error)).toEqual([error, cause, first, second, deep]);
  });

  it.each([undefined, null, 0, '', 'text', 42n, Symbol('s')])(
    'has only %s for itself',
    (thrown) => {
      expect(causesOf(thrown)).toEqual([thrown]);
    },
  );

  it('ends for errors that cause each other', () => {
    const one = new Error('one');
    const two = new Error('two', { cause: one });
    one.cause = two;
    expect(causesOf(one)).toEqual([one, two]);
  });

  it('ends for an AggregateError that holds itself', () => {
    const error = new AggregateError([]);
    error.errors.push(error, error);
    expect(causesOf(error)).toEqual([error]);
  });

  it('follows eight causes and no more', () => {
    let error = new Error('0');
    for (let depth = 1; depth <= 20; depth++) error = new Error(String(depth), { cause: error });
    const messages = causesOf(error).map((each) => fields(each).message);
    expect(messages).toEqual(['20', '19', '18', '17', '16', '15', '14', '13', '12']);
  });

  it('looks at eight members of an AggregateError', () => {
    const members = Array.from({ length: 1000 }, (_, index) => new Error(String(index)));
    expect(causesOf(new AggregateError(members))).toHaveLength(9);
  });
});
