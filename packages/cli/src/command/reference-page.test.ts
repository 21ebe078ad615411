import { sampleConfig } from '@redrive/config';
import { expect, onTestFinished, test } from 'vitest';
import { COMMAND_TREE } from '../command-tree.ts';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';
import { referencePage } from './reference-page.ts';

const page = '../../../../docs/reference/command-line.md';

test('the page is what the commands say; `npx vitest run -u` writes it anew', async () => {
  await expect(referencePage(COMMAND_TREE)).toMatchFileSnapshot(page);
});

const commands = COMMAND_TREE.flatMap((each) => ('commands' in each ? each.commands : [each]));

test.each(commands)('$name: every text is one line that a table can hold', (spec) => {
  const texts = [
    spec.summary,
    spec.details ?? '',
    ...(spec.args ?? []).map(({ summary }) => summary),
    ...(spec.options ?? []).map(({ summary }) => summary),
    ...(spec.json ?? []).flatMap(({ type, meaning }) => [type, meaning]),
    ...Object.values(spec.exits ?? {}),
  ];
  for (const text of texts) expect(text).not.toMatch(/[|\n]/);
  expect(spec.summary).not.toMatch(/\.$/);
});

test.each(commands)(
  '$name: --json is there, and what it prints is documented',
  ({ name, options, json }) => {
    if (name === 'demo') return;
    expect(options?.map(({ flags }) => flags)).toContain('--json');
    // A JSON Schema is its own documentation.
    if (name !== 'schema') expect(json?.length).toBeGreaterThan(0);
  },
);

const examples = commands.flatMap(({ examples: own = [] }) => own);

test.each(examples)('the example works: %s', async (example) => {
  const sample = sampleConfig();
  const directory = scratchDirectory(onTestFinished, {
    'redrive.yaml': sample,
    'old.yaml': sample,
  });
  const [command = ''] = example.split(/ [|>] /);
  const { exitCode, stderr } = await runMain(command.split(' ').slice(1), { directory });
  // A sample is never written over a file, and two policies may differ.
  const expected = command === 'redrive config init' ? [4] : [0, 3];
  expect(expected, stderr).toContain(exitCode);
  expect(stderr).not.toContain('No policy');
});
