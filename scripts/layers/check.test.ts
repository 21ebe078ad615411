import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkLayers } from './check.ts';

type Files = Record<string, string>;

const rules = 'packages/durable/src/control/rules';

/** A small tree that keeps every rule; each test below breaks one of them. */
const lawful: Files = {
  'package.json': manifest('root', { devDependencies: { vitest: '1.0.0' } }),
  'packages/core/package.json': manifest('@redrive/core', {
    exports: { '.': { default: './dist/index.js' }, './internal/*': null },
  }),
  'packages/core/src/index.ts': `export { one } from './one.ts';`,
  'packages/core/src/one.ts': 'export const one: number = 1;',
  'packages/core/src/node.ts': `import { env } from 'node:process';\nexport { env };`,
  'packages/core/src/one.test.ts': `import { test } from 'vitest';
    import { clock } from '@redrive/testkit';
    import { one } from '@redrive/core';
    import './one.ts';
    import './testing/helper.ts';
    test('x', () => clock(one));`,
  'packages/core/src/testing/helper.ts': `import { clock } from '@redrive/testkit';
    import { expect } from 'vitest';
    export const help = () => expect(clock(1));`,
  'packages/testkit/package.json': manifest('@redrive/testkit', {
    exports: { '.': { default: './dist/index.js' } },
    dependencies: { '@redrive/core': '0.1.0' },
  }),
  'packages/testkit/src/index.ts': `import { one } from '@redrive/core';
    export const clock = (n: number) => n + one;`,
  'packages/cli/package.json': manifest('redrive', {
    dependencies: { '@redrive/core': '0.1.0', commander: '1.0.0' },
  }),
  'packages/cli/src/main.ts': `import { Command } from 'commander';
    import { one } from '@redrive/core';
    new Command(String(one));`,
  'packages/telemetry/package.json': manifest('@redrive/telemetry', {
    dependencies: { '@redrive/durable': '0.1.0' },
  }),
  'packages/telemetry/src/index.ts': `import type { Job } from '@redrive/durable';
    export type { Job };`,
  'packages/durable/package.json': manifest('@redrive/durable', {
    exports: {
      '.': { default: './dist/index.js' },
      './control/rules': { default: './dist/control/rules/index.js' },
    },
    dependencies: { pg: '1.0.0' },
  }),
  'packages/durable/src/store/store.ts': 'export interface Store { readonly id: string }',
  [`${rules}/index.ts`]: 'export const zero: number = 0;',
  'packages/durable/src/index.ts': 'export interface Job { readonly id: string }',
  'examples/first.ts': `import { one } from '@redrive/core';\nconsole.log(one);`,
};

function manifest(name: string, fields: object): string {
  return JSON.stringify({ name, ...fields });
}

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'redrive-layers-'));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

async function brokenRules(files: Files): Promise<string[]> {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const { violations } = await checkLayers(root);
  return [...new Set(violations.map(({ rule, file }) => `${rule} ${file}`))].sort();
}

test('a lawful tree passes, and all of it was read', async () => {
  expect(await brokenRules(lawful)).toEqual([]);
  const { modules, imports } = await checkLayers(root);
  expect(modules).toBe(12);
  expect(imports).toBe(14);
});

describe('each broken rule is reported', () => {
  const violations: [rule: string, file: string, text: string][] = [
    ['allow-list', 'packages/core/src/up.ts', `import '@redrive/durable';`],
    ['allow-list', 'packages/telemetry/src/run.ts', `import { Job } from '@redrive/durable';`],
    ['allow-list', 'packages/unheard-of/src/x.ts', `import type { one } from '@redrive/core';`],
    ['cycle', 'packages/core/src/one.ts', `import './index.ts';\nexport const one: number = 1;`],
    ['declared-package', 'packages/cli/src/x.ts', `import 'left-pad';`],
    ['declared-package', 'packages/core/src/x.ts', `export * from 'left-pad/deep/inside.js';`],
    ['declared-package', 'packages/testkit/src/x.ts', `await import('@redrive/durable');`],
    ['driver-in-adapter', 'packages/durable/src/x.ts', `import pg from 'pg';`],
    ['driver-in-adapter', 'packages/durable/src/x.test.ts', `import 'node:sqlite';`],
    ['driver-in-adapter', 'packages/cli/src/x.ts', `import { connect } from '@nats-io/kv';`],
    ['test-code-in-tests', 'packages/cli/src/x.ts', `import { clock } from '@redrive/testkit';`],
    ['test-code-in-tests', 'packages/cli/src/x.ts', `import { test } from 'vitest';`],
    ['test-code-in-tests', 'packages/core/src/x.ts', `import './testing/helper.ts';`],
    ['core-runs-anywhere', 'packages/core/src/x.ts', `import { hash } from 'node:crypto';`],
    ['core-runs-anywhere', 'packages/core/src/x.ts', `import { hash } from 'crypto';`],
    ['pure-rules', `${rules}/x.ts`, `import '../../store/store.ts';`],
    ['pure-rules', `${rules}/x.ts`, `import { systemClock } from '@redrive/core';`],
    ['pure-rules', `${rules}/x.ts`, `import { readFile } from 'node:fs/promises';`],
    ['allow-list', 'packages/lab/src/x.ts', `import { Job } from '@redrive/durable';`],
    ['lab-runs-anywhere', 'packages/lab/src/x.ts', `import { readFile } from 'node:fs/promises';`],
    ['lab-runs-anywhere', 'packages/lab/src/x.ts', `export const e = Math.exp(1);`],
    ['lab-runs-anywhere', 'packages/lab/src/x.ts', `export const four = 2 ** 2;`],
    ['public-entry', 'packages/cli/src/x.ts', `import { one } from '../../core/src/one.ts';`],
    ['public-entry', 'examples/x.ts', `import { one } from '../packages/core/src/one.ts';`],
    ['resolvable', 'packages/cli/src/x.ts', `import { two } from './two.ts';`],
    ['resolvable', 'packages/cli/src/x.ts', `import '@redrive/core/internal/one';`],
  ];

  test.each(violations)('%s in %s: %s', async (rule, file, text) => {
    expect(await brokenRules({ ...lawful, [file]: text })).toContain(`${rule} ${file}`);
  });
});

test('the pure rules may import one another and types, and a simulation may import the rules', async () => {
  const files = {
    ...lawful,
    [`${rules}/x.ts`]: `import type { Store } from '../../store/store.ts';\nimport './index.ts';`,
    'packages/lab/package.json': manifest('@redrive/lab', {
      dependencies: { '@redrive/durable': '0.1.0' },
    }),
    'packages/lab/src/x.ts': `import { zero } from '@redrive/durable/control/rules';`,
  };
  expect(await brokenRules(files)).toEqual([]);
});

test('an example may use a driver, as its reader would', async () => {
  expect(await brokenRules({ ...lawful, 'examples/x.ts': `import 'node:sqlite';` })).toEqual([]);
});

test('a type may point back, because it is gone at run time', async () => {
  const one = `import type * as index from './index.ts';\nexport const one: typeof index = {};`;
  expect(await brokenRules({ ...lawful, 'packages/core/src/one.ts': one })).toEqual([]);
});

describe('a check that saw nothing fails', () => {
  test('in an empty tree', async () => {
    expect(await brokenRules({})).toEqual(['saw-nothing .']);
  });

  test('when no import was read', async () => {
    const files = { 'packages/core/src/index.ts': 'export const one = 1;' };
    expect(await brokenRules(files)).toEqual(['saw-nothing .']);
  });
});
