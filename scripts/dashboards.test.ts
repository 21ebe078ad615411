import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { catalogue } from '@redrive/telemetry';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { dashboardJson } from './dashboards/build-dashboard.ts';
import { DASHBOARDS } from './dashboards/dashboards.ts';

const deploy = join(dirname(import.meta.dirname), 'deploy');
const rules = readFileSync(join(deploy, 'prometheus/alerts/retry_policy.yml'), 'utf8');
const recorded = [...rules.matchAll(/- record: (\S+)/g)].map(([, name]) => name);
const metrics = new Map(catalogue.metrics.map((metric) => [metric.name, metric]));

describe.each(Object.entries(DASHBOARDS))('the dashboard %s', (name, spec) => {
  const panels = Object.values(spec.rows).flat();

  test('is the file in deploy/grafana; `npx vitest run -u` writes it anew', async () => {
    const file = join(deploy, `grafana/${name}.json`);
    await expect(dashboardJson(spec)).toMatchFileSnapshot(file);
  });

  test('has a data source variable, a stable uid, and a unit on every panel', () => {
    const { uid, templating, panels: built } = JSON.parse(dashboardJson(spec));
    expect(uid).toBe({ redrive: 'redrive', 'retry-policy-monitoring': 'redrive-documents' }[name]);
    expect(templating.list).toMatchObject([{ name: 'datasource', type: 'datasource' }]);
    const drawn = built.filter(({ type }: { type: string }) => type !== 'row');
    expect(drawn).toHaveLength(panels.length);
    for (const { datasource, fieldConfig, targets } of drawn) {
      expect(datasource.uid).toBe('$datasource');
      expect(fieldConfig.defaults.unit).toMatch(/^(short|s|ops|percentunit)$/);
      expect(targets.length).toBeGreaterThan(0);
    }
  });

  test.each(panels.map((panel) => [panel.title, panel] as const))(
    '%s asks for metrics, labels and values of the catalogue',
    (_, { queries }) => {
      for (const expression of Object.keys(queries)) {
        const asked = expression.matchAll(
          /((?:redrive:|redrive_|event_retry_|retry_job_)[\w:]+)(?:\{(\w+)="(\w+)"\})?(\[[\w$]+\])?/g,
        );
        const names = [...asked].map(([, written = '', label, value, range]) => {
          if (recorded.includes(written)) return written;
          const metric =
            metrics.get(written.replace(/_bucket$/, '')) ?? expect.fail(`no metric ${written}`);
          expect(written.endsWith('_bucket')).toBe(metric.type === 'histogram');
          if (range !== undefined) expect(metric.type).not.toBe('gauge');
          if (label !== undefined) {
            const key = metric.labels.find((each) => each.split(':')[0] === label);
            expect(catalogue.labels[key ?? '']?.values).toContain(value);
          }
          return written;
        });
        expect(names).not.toEqual([]);
      }
    },
  );
});

test('Retry Policy Monitoring has the five panels, and stuck documents turn yellow at 50 and red at 200', () => {
  const { panels } = JSON.parse(
    dashboardJson(DASHBOARDS['retry-policy-monitoring'] ?? expect.fail()),
  );
  const drawn = panels.filter(({ type }: { type: string }) => type !== 'row');
  expect(drawn.map(({ title, type }: { title: string; type: string }) => [title, type])).toEqual([
    ['Stuck Documents', 'gauge'],
    ['Retry Rate', 'timeseries'],
    ['Max Retries Exceeded', 'stat'],
    ['Backoff Skipped', 'timeseries'],
    ['Job Duration', 'heatmap'],
  ]);
  expect(drawn[0].fieldConfig.defaults.thresholds).toEqual({
    mode: 'absolute',
    steps: [
      { value: null, color: 'green' },
      { value: 50, color: 'yellow' },
      { value: 200, color: 'red' },
    ],
  });
});

test('every alert links to a dashboard that exists', () => {
  const { groups } = parse(rules);
  const uids = Object.values(DASHBOARDS).map(({ uid }) => uid);
  for (const { name, rules: all } of groups) {
    for (const { alert, annotations } of all) {
      if (alert === undefined) continue;
      const [, uid] =
        /^http:\/\/localhost:3000\/d\/([\w-]+)$/.exec(annotations.dashboard_url) ?? [];
      expect([alert, uids.includes(uid ?? '')]).toEqual([alert, true]);
      expect([alert, uid]).toEqual([
        alert,
        name === 'retry_policy' ? 'redrive-documents' : 'redrive',
      ]);
    }
  }
});
