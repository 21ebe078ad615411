import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('four services, one broken for ten days: every document is processed once, and all figures agree', async () => {
  const run = promisify(execFile)(process.execPath, [join(import.meta.dirname, 'run.ts')], {
    timeout: 580_000,
  });
  const { stdout, stderr } = await run.catch((error: { stdout: string; stderr: string }) => error);
  expect(stderr).not.toContain('Error');
  expect(stdout.split('\n').filter((line) => line.startsWith('DIFFER'))).toEqual([]);
  // No sweep sends the event of a document whose first event is on its way.
  expect(stdout).toContain('attempts of parsing.archive_ingested: counted 6;');
  expect(stdout).toContain('attempts of chunking.json_parsed: counted 32;');
  expect(stdout).toContain('day 10: 0 chunks pending, 60 failed, 0 processed');
  expect(stdout).toMatch(/agree {3}chunks that are stuck: counted 60; .*\n.* failed: counted 0;/);
  expect(stdout).toMatch(/agree {3}chunks that are stuck: counted 0; .*\n.* failed: counted 60;/);
  expect(stdout).toContain('in the end: 60 chunks and 6 threads processed');
  expect(stdout).toContain('notified: tier 3 of a cause, tier 2 of chunks, tier 4 of chunks\n');
  expect(stdout).toContain('audit verify: 0 problems');
  expect(stdout).toContain('All figures agree.');
}, 600_000);
