import { expect, it } from 'vitest';
import { fillTemplate } from './event-template.ts';

it('builds any JSON: lists, nested objects and constants', () => {
  const template = {
    message_ids: ['$_id', 7],
    place: { title: '$title', tags: '$tags', deep: [[{ ok: true, none: null }]] },
    price: '$$5',
    missing: ['$nothing'],
  };
  expect(fillTemplate(template, { _id: 'm-1', title: 'May', tags: ['a'] })).toEqual({
    message_ids: ['m-1', 7],
    place: { title: 'May', tags: ['a'], deep: [[{ ok: true, none: null }]] },
    price: '$5',
    missing: [null],
  });
});

it('reads own fields of the document alone', () => {
  expect(fillTemplate({ a: '$constructor', b: '$__proto__' }, {})).toEqual({ a: null, b: null });
});
