import { expect, test } from 'vitest';
import { stuckError } from './decide-document.ts';

test('a document has the same error before and after it is marked as failed', () => {
  const document = { id: 'a', count: 3, timeMs: 0, stamp: '', values: {} };
  const failed = stuckError({ ...document, status: 'failed_max_retries' });
  expect(failed).toEqual(stuckError({ ...document, status: 'pending' }));
  expect(failed).toEqual({
    type: 'DocumentStuck',
    message: 'The document was not processed after its last attempt',
  });
});
