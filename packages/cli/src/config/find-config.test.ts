import { expect, onTestFinished, test } from 'vitest';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

const withPolicy = (id: string) => `version: "1.1.0"
policies:
  ${id}: { name: ${id}, max_attempts: 2, backoff_type: fixed, base_delay: 1, max_delay: 1 }
subsystem_mappings: { shop: { ${id}: ${id} } }
`;
const FILES = {
  'flag.yaml': withPolicy('from_flag'),
  'variable.yaml': withPolicy('from_variable'),
  'redrive.yaml': withPolicy('from_directory'),
};
const env = { REDRIVE_CONFIG: 'variable.yaml' };

test.each<[string, string[], Record<string, string>, Record<string, string>, string]>([
  ['--config', ['--config', 'flag.yaml'], env, FILES, 'from_flag'],
  ['REDRIVE_CONFIG', [], env, FILES, 'from_variable'],
  ['./redrive.yaml', [], {}, FILES, 'from_directory'],
  ['./redrive.yaml: an empty variable', [], { REDRIVE_CONFIG: '' }, FILES, 'from_directory'],
  ['the presets alone', [], {}, {}, 'RETRY_NATS_CONNECT'],
])('%s', async (_, args, variables, files, first) => {
  const directory = scratchDirectory(onTestFinished, files);
  const options = { directory, env: variables };
  const { stdout } = await runMain(['policy', 'list', '--json', ...args], options);
  expect(JSON.parse(stdout).policies[0].id).toBe(first);
});

test('--verbose says which, on stderr', async () => {
  const directory = scratchDirectory(onTestFinished, FILES);
  const named = await runMain(['policy', 'list', '-v'], { directory, env });
  expect(named.stderr).toContain('configuration: variable.yaml (REDRIVE_CONFIG)\n');
  const none = await runMain(['policy', 'list', '-v'], {
    directory: scratchDirectory(onTestFinished),
  });
  expect(none.stderr).toContain('configuration: the presets alone');
  expect((await runMain(['policy', 'list'], { directory, env })).stderr).toBe('');
});

test('a file that was named must exist', async () => {
  const directory = scratchDirectory(onTestFinished);
  const args = ['policy', 'list', '--config', 'gone.yaml'];
  const { exitCode, stdout, stderr } = await runMain(args, { directory });
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toContain('gone.yaml');
});

test('diff takes policies of other files', async () => {
  const directory = scratchDirectory(onTestFinished, FILES);
  const args = ['policy', 'diff', 'flag.yaml:from_flag', 'variable.yaml:from_variable'];
  expect(await runMain(args, { directory })).toEqual({
    exitCode: 0,
    stdout: 'flag.yaml:from_flag and variable.yaml:from_variable do the same.\n',
    stderr: '',
  });
});
