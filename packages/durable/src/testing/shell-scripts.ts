import { execFileSync } from 'node:child_process';
import { chmodSync, createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ScriptPlace {
  readonly directory: string;
  /** The command of a shell script with this text. It runs in any directory. */
  script(text: string): string[];
  /**
   * A named pipe: `path` for scripts that keep it open for writing. `opened` resolves with the first text that one of
   * them writes, `closed` when the last of them is gone: the end of a process as something to wait for.
   */
  sign(): { path: string; opened: Promise<string>; closed: Promise<void> };
}

/** A directory for one test; it is gone after the test. Give it vitest's `onTestFinished`. */
export function scriptPlace(onTestFinished: (cleanUp: () => void) => void): ScriptPlace {
  const directory = mkdtempSync(join(tmpdir(), 'redrive-command-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  let files = 0;
  const newPath = (name: string) => join(directory, `${name}-${++files}`);
  return {
    directory,
    script(text) {
      const path = newPath('script');
      writeFileSync(path, `#!/bin/sh\n${text}\n`);
      chmodSync(path, 0o755);
      return [path];
    },
    sign() {
      const path = newPath('pipe');
      execFileSync('mkfifo', [path]);
      const stream = createReadStream(path, 'utf8');
      const opened = new Promise<string>((resolve) => {
        stream.once('data', (text) => resolve(String(text)));
      });
      const closed = new Promise<void>((resolve) => {
        stream.once('end', resolve);
      });
      return { path, opened, closed };
    },
  };
}
