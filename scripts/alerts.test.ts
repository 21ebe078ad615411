import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { catalogue } from '@redrive/telemetry';
import { ensureBinary, PROMTOOL_PROGRAM } from '@redrive/testkit/services';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { ALERT_TIMELINES, ruleTests } from './alerts/alert-timelines.ts';

const root = dirname(import.meta.dirname);
const file = join(root, 'deploy/prometheus/alerts/retry_policy.yml');

interface Rule {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels?: { readonly severity?: string };
  readonly annotations?: Readonly<Record<string, string>>;
}

const { groups }: { groups: readonly { rules: readonly Rule[] }[] } = parse(
  readFileSync(file, 'utf8'),
);
const rules = groups.flatMap((group) => group.rules);
const alerts = rules.filter(({ alert }) => alert !== undefined);

let promtool: string;
// An installation may be part of the first run.
beforeAll(async () => {
  promtool = await ensureBinary(PROMTOOL_PROGRAM);
}, 180_000);

function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(promtool, args, { encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

test('promtool finds no fault in the rules', () => {
  const { status, output } = run('check', 'rules', file);
  expect([status, output]).toEqual([
    0,
    expect.stringContaining(`SUCCESS: ${rules.length} rules found`),
  ]);
});

test('every alert fires, stays silent and resolves: promtool test rules', () => {
  const directory = mkdtempSync(join(tmpdir(), 'redrive-alerts-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const tests = ruleTests(file);
  for (const [name, text] of tests) writeFileSync(join(directory, name), text);
  const paths = [...tests.keys()].map((name) => join(directory, name));
  const { status, output } = run('test', 'rules', ...paths);
  expect([status, output]).toEqual([0, expect.stringContaining('SUCCESS')]);
  expect([...new Set(ALERT_TIMELINES.map(({ alert }) => alert))].sort()).toEqual(
    alerts.map(({ alert }) => alert).sort(),
  );
}, 60_000);

describe.each(alerts)('$alert', ({ alert = '', expr, labels, annotations = {}, for: wait }) => {
  test('has a severity, a summary, a description and a runbook', () => {
    expect(labels?.severity).toMatch(/^(warning|critical)$/);
    expect(annotations.summary).toMatch(/^[A-Z].*\.$/);
    expect(annotations.description).toMatch(/\.$/);
    expect(wait).toMatch(/^\d+[mh]$/);
    const [, page = '', anchor] =
      /\/blob\/main\/(docs\/how-to\/[\w-]+\.md)#([\w-]+)$/.exec(annotations.runbook_url ?? '') ??
      [];
    expect(existsSync(join(root, page))).toBe(true);
    expect(anchor).toBe(alert.toLowerCase());
    expect(readFileSync(join(root, page), 'utf8')).toContain(`\n## ${alert}\n`);
  });

  test('templates name labels that the expression keeps', () => {
    const text = Object.values(annotations).join(' ');
    const used = [...text.matchAll(/\$labels\.(\w+)/g)].map(([, label = '']) => label);
    const kept = [...expr.matchAll(/by \(([\w, ]+)\)/g)].flatMap(([, list = '']) =>
      list.split(', '),
    );
    const isWhole = kept.length === 0 && !/\b(max|sum)\(/.test(expr);
    for (const label of used)
      expect([...kept, ...(isWhole ? ['instance', 'collector'] : [])]).toContain(label);
  });
});

test.each(rules.map((rule) => [rule.alert ?? rule.record, rule] as const))(
  '%s asks for metrics, labels and values of the catalogue',
  (_, { expr }) => {
    const metrics = new Map(catalogue.metrics.map((metric) => [metric.name, metric]));
    const asked = expr.matchAll(
      /(?<![:\w])((?:redrive|event_retry|retry_job)_\w+)(?:\{([^}]*)\})?(\[\w+\])?/g,
    );
    for (const [, name = '', matchers = '', range] of asked) {
      const { labels, type } = metrics.get(name) ?? expect.fail(`no metric ${name}`);
      // A counter above a number never resolves.
      expect([name, range !== undefined]).toEqual([name, type === 'counter']);
      for (const [, label = '', values = ''] of matchers.matchAll(/(\w+)[=!]~?"([^"]*)"/g)) {
        const key = labels.find((each) => each.split(':')[0] === label);
        const known = catalogue.labels[key ?? '']?.values ?? expect.fail(`${name} has no ${label}`);
        for (const value of values.split('|')) expect(known).toContain(value);
      }
    }
    expect(expr).toMatch(/redrive|event_retry|retry_job/);
  },
);
