import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** In memory where the test run has such a place: a sync to disk proves nothing to a command, and takes its time. */
const HOME = process.env.REDRIVE_MEMORY_DIRECTORY ?? tmpdir();

/** A directory for one test, with these files; it is gone after the test. Give it vitest's `onTestFinished`. */
export function scratchDirectory(
  onTestFinished: (cleanUp: () => void) => void,
  files: Readonly<Record<string, string>> = {},
): string {
  const directory = mkdtempSync(join(HOME, 'redrive-cli-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  return directory;
}
