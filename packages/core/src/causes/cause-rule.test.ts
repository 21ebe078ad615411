import { expect, test } from 'vitest';
import { type CauseRule, ruleProblems } from './cause-rule.ts';

const good: CauseRule = { name: 'cards', messages: ['*card*'] };

test.each<[string, Partial<CauseRule>, string]>([
  ['no name', { name: '' }, 'its name must be'],
  ['a name with spaces', { name: 'a b' }, 'its name must be'],
  ['a name with a control character', { name: 'a\u001b[31m' }, 'its name must be'],
  ['an empty title', { title: ' ' }, 'title must have'],
  ['a title that turns the text around', { title: 'a\u202eb' }, 'title must have'],
  ['a long pattern', { messages: ['x'.repeat(201)] }, 'more than 200 characters'],
  ['many stars', { messages: ['*a'.repeat(11)] }, 'more than 10 stars'],
  ['an empty pattern', { handlers: [''] }, 'is empty'],
  ['many patterns', { codes: Array<string>(51).fill('a') }, 'more than 50 entries'],
  ['a text as fingerprint', { fingerprints: ["'; drop"] }, 'is not a fingerprint'],
  ['a text as target', { into: 'cards' }, 'is not a fingerprint'],
  ['no condition', { messages: [] }, 'it matches nothing'],
  ['two splits', { splitBy: 'code', splitPattern: '*a*' }, 'not by both'],
])('not: %s', (_, change, problem) => {
  expect(ruleProblems(good)).toEqual([]);
  expect(ruleProblems({ ...good, ...change })).toMatchObject([
    { message: expect.stringContaining(problem) },
  ]);
});
