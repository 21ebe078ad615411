import { chmodSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRunDirectory } from './directory.ts';

/** What vitest calls once before all test files; the answer is called after them, also when tests have failed. */
export default function setup(): () => void {
  const close = openRunDirectory();
  const template = join(tmpdir(), 'postgres');
  mkdirSync(template);
  // From a root shell the server runs as `nobody`, who makes the template.
  chmodSync(template, 0o777);
  process.env.REDRIVE_POSTGRES_TEMPLATE = template;
  return close;
}
