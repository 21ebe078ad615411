import { expect, test } from 'vitest';
import { snippetRunner, snippetsMarked } from './snippets.ts';

// Every block marked `ts` in the documentation runs, on the build, and prints what its
// `// prints:` comments say.
const snippets = snippetsMarked('ts');
const run = snippetRunner();

test('there are snippets to run', () => {
  expect(snippets.map(({ page }) => page)).toContain('README.md');
});

test.each(snippets)('$page, snippet $number', ({ code }) => run(code));
