import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';

const root = dirname(import.meta.dirname);

/** The blocks of the documentation that are marked so: `ts`, or `ts postgres`. */
export function snippetsMarked(info: string) {
  const pages = ['*.md', 'docs/**/*.md', 'packages/*/*.md'].flatMap((pattern) =>
    globSync(pattern, { cwd: root }),
  );
  const block = new RegExp(`^\`\`\`${info}\\n(.*?)^\`\`\`$`, 'gms');
  return pages.flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(block)].map(([, code = ''], index) => ({
      page,
      number: index + 1,
      code,
    })),
  );
}

/** Runs snippets on the build, each in a directory of its own: what one writes, the next one does not find. */
export function snippetRunner(): (code: string, env?: Record<string, string>) => void {
  let scratch: string;
  beforeAll(() => {
    scratch = mkdtempSync(join(tmpdir(), 'redrive-docs-'));
    symlinkSync(join(root, 'node_modules'), join(scratch, 'node_modules'));
  });
  afterAll(() => {
    rmSync(scratch, { recursive: true, force: true });
  });
  return (code, env = {}) => {
    const cwd = mkdtempSync(join(scratch, 'snippet-'));
    const file = join(cwd, 'snippet.mts');
    writeFileSync(file, code);
    // A worker warns of a dead job, which some of them show, and of a machine that is too busy.
    const run = spawnSync(process.execPath, ['--disable-warning=RedriveWarning', file], {
      cwd,
      env: { ...process.env, ...env },
      encoding: 'utf8',
      timeout: 28_000,
    });
    const promised = [...code.matchAll(/\/\/ prints: (.*)$/gm)].map(([, line]) => `${line}\n`);
    expect(run).toMatchObject({ stderr: '', stdout: promised.join(''), status: 0 });
  };
}
