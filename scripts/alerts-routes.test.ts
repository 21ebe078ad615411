import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  AMTOOL_PROGRAM,
  ensureBinary,
  type MetricsService,
  startAlertmanager,
  until,
} from '@redrive/testkit/services';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';

const deploy = join(dirname(import.meta.dirname), 'deploy');
const file = join(deploy, 'alertmanager/alertmanager.yml');

type Labels = Readonly<Record<string, string>>;
interface Rule {
  readonly alert?: string;
  readonly labels: Labels;
}

const { groups }: { groups: readonly { rules: readonly Rule[] }[] } = parse(
  readFileSync(join(deploy, 'prometheus/alerts/retry_policy.yml'), 'utf8'),
);
const alerts = groups
  .flatMap(({ rules }) => rules)
  .flatMap(({ alert, labels }) => (alert === undefined ? [] : [{ alertname: alert, ...labels }]));

let amtool: string;
let alertmanager: MetricsService;
// An installation may be part of the first run.
beforeAll(async () => {
  amtool = await ensureBinary(AMTOOL_PROGRAM);
  alertmanager = await startAlertmanager({ config: readFileSync(file, 'utf8') });
}, 180_000);
afterAll(() => alertmanager?.stop());

function run(...args: string[]) {
  const { status, stdout } = spawnSync(amtool, args, { encoding: 'utf8' });
  return { status, stdout };
}

test('amtool finds no fault in the configuration', () => {
  expect(run('check-config', file)).toEqual({
    status: 0,
    stdout: expect.stringContaining('SUCCESS'),
  });
});

test('every alert goes to the receiver of its tier', () => {
  const tiers = { warning: 'platform', critical: 'service-team', lead: 'engineering-lead' };
  for (const labels of alerts as readonly Labels[]) {
    const tier = (labels.escalation ?? labels.severity) as keyof typeof tiers;
    const args = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
    const { stdout } = run('config', 'routes', 'test', `--config.file=${file}`, ...args);
    expect([labels.alertname, stdout.trim()]).toEqual([labels.alertname, tiers[tier]]);
  }
});

test('a higher tier silences lower ones about the same thing, and no others', async () => {
  const firing = [
    { alertname: 'FailedDocumentsEscalation', collection: 'archives' },
    { alertname: 'MaxRetriesExceededCritical', collection: 'archives' },
    { alertname: 'StuckDocumentsWarning', collection: 'archives' },
    { alertname: 'MaxRetriesExceededCritical', collection: 'chunks' },
    { alertname: 'StuckDocumentsWarning', collection: 'chunks' },
    { alertname: 'StuckDocumentsWarning', collection: 'threads' },
    { alertname: 'SweeperNotRunning' },
    { alertname: 'RetryJobFailed' },
    { alertname: 'RedriveDeadLettersGrowing', operation: 'import' },
    { alertname: 'RedriveDeliveryBurnFast' },
    { alertname: 'RedriveDeliveryBurnSlow' },
    { alertname: 'RedriveStoreAway', instance: 'a' },
    { alertname: 'RedriveMetricsStale', instance: 'a' },
    { alertname: 'RedriveMetricsStale', instance: 'b' },
  ].map((labels) => ({
    labels: { ...alerts.find(({ alertname }) => alertname === labels.alertname), ...labels },
  }));
  await fetch(`${alertmanager.url}/api/v2/alerts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(firing),
  });
  // The Alertmanager takes alerts in after its answer.
  const silenced = async () => {
    const answer = await fetch(`${alertmanager.url}/api/v2/alerts?active=false`);
    const found: { labels: Labels }[] = await answer.json();
    return found
      .map(({ labels }) => {
        const { alertname, collection, instance } = labels;
        return [alertname, collection ?? instance ?? ''].join(' ').trim();
      })
      .sort();
  };
  expect(await until(async () => (await silenced()).length >= 5, { timeoutMs: 50_000 })).toBe(true);
  expect(await silenced()).toEqual([
    'MaxRetriesExceededCritical archives',
    'RedriveDeliveryBurnSlow',
    'RedriveMetricsStale a',
    'StuckDocumentsWarning archives',
    'StuckDocumentsWarning chunks',
  ]);
}, 60_000);
