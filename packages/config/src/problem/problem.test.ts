import { expect, it } from 'vitest';
import { errorList, type Problem } from './problem.ts';

const at = (line: number, severity: Problem['severity'] = 'error'): Problem => ({
  ...{ severity, code: 'unknown_key', path: '', line, column: 1, message: `wrong ${line}` },
});

it('names the file of each, and no line of a variable', () => {
  const variable = { ...at(1), file: 'RETRY_TTL_MINUTES', path: 'RETRY_TTL_MINUTES' };
  const problems = [{ ...at(2), file: 'a.yaml' }, { ...at(3), file: 'b.env' }, variable];
  expect(errorList(problems)).toBe('a.yaml line 2: wrong 2; b.env line 3: wrong 3; wrong 1');
  expect(errorList(problems, 'a.yaml')).toBe('line 2: wrong 2; b.env line 3: wrong 3; wrong 1');
});

it('lists errors, not warnings, and a few of them only', () => {
  expect(errorList([at(1), at(2, 'warning'), at(3)])).toBe('line 1: wrong 1; line 3: wrong 3');
  const many = Array.from({ length: 9 }, (_, index) => at(index + 1));
  expect(errorList(many)).toMatch(/^line 1: wrong 1; .*line 5: wrong 5; and 4 more$/);
});
