import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from './load-config.ts';
import { presetConfig } from './resolve/resolve-config.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'redrive-load-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

describe('configuration is parsed and linted in one pass', () => {
  it('says once that there are more problems than it lists', async () => {
    const names = Array.from({ length: 101 }, (_, index) => `unused_${index}`);
    const policies = names.map((name) => `  ${name}: { extends: runs.default }\n`).join('');
    writeFileSync(join(directory, 'redrive.yaml'), `version: "1.1.0"\npolicies:\n${policies}`);
    const { config, problems } = await loadConfig({ file: 'redrive.yaml', directory });
    expect(config).toBeDefined();
    expect(problems.filter(({ code }) => code === 'unused_policy')).toHaveLength(100);
    expect(problems.filter(({ code }) => code === 'too_many_problems')).toHaveLength(1);
  });

  it('lints the values in force, not those of the file', async () => {
    const text = 'version: "1.1.0"\nsweeps: { stuck_threshold: 86400 }\n';
    writeFileSync(join(directory, 'redrive.yaml'), text);
    const codes = async (environment: Record<string, string>) => {
      const { problems } = await loadConfig({ file: 'redrive.yaml', directory, environment });
      return problems.map(({ code }) => code);
    };
    expect(await codes({})).toEqual(['stuck_threshold_hides_backoff']);
    expect(await codes({ RETRY_JOB_STUCK_THRESHOLD_HOURS: '0.1' })).toEqual([]);
  });
});

describe('without a file', () => {
  it('has the presets', async () => {
    const { config, problems, files } = await loadConfig({ environment: {} });
    expect(config?.hash).toBe(presetConfig().hash);
    expect([problems, files]).toEqual([[], []]);
  });

  it('has the environment on top, and says what is wrong with it', async () => {
    const environment = { RETRY_MAX_ATTEMPTS: '4' };
    const { config } = await loadConfig({ environment });
    expect(config?.policies.get('events.default')?.policy.maxAttempts).toBe(4);
    const wrong = await loadConfig({ environment: { RETRY_MAX_ATTEMPTS: 'four' } });
    expect(wrong.config).toBeUndefined();
    expect(wrong.problems).toMatchObject([{ code: 'malformed_variable' }]);
  });
});
