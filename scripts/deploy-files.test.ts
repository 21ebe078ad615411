import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadConfig } from '@redrive/config';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { COMMAND_TREE } from '../packages/cli/src/command-tree.ts';
import { serverVariables, VARIABLES } from '../packages/config/src/environment/variables.ts';

// No container engine is at hand: the files are read with a parser and compared with the code.
const root = dirname(import.meta.dirname);
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const page = read('docs/how-to/deploy.md');
// Compose puts the defaults of variables that are not set into their places.
const compose = parse(read('deploy/compose.yaml').replaceAll(/\$\{\w+:-(\w+)\}/g, '$1'), {
  merge: true,
});
const [container] = parse(read('deploy/kubernetes/redrive.yaml')).spec.template.spec.containers;
const dockerfile = read('deploy/Dockerfile');

type Service = {
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: readonly string[] | Readonly<Record<string, unknown>>;
  readonly volumes?: readonly string[];
  readonly network_mode?: string;
  readonly profiles?: readonly string[];
  readonly restart?: string;
};
const services: Readonly<Record<string, Service>> = compose.services;
const own = ['setup', 'redrive', 'retry-job', 'retry-job-loop'];

const KNOWN = [
  ...VARIABLES.map(({ name }) => name),
  ...serverVariables('mongodb'),
  ...serverVariables('rabbitmq'),
  ...['REDRIVE_STORE', 'METRICS_BACKEND', 'PUSHGATEWAY_URL', 'NODE_ENV'],
];

test('the compose file has every part, and names no service, volume or file that does not exist', () => {
  expect(Object.keys(services).sort()).toEqual([
    ...['alertmanager', 'documentdb', 'grafana', 'messagebus', 'nats', 'network', 'prometheus'],
    ...['pushgateway', 'redrive', 'retry-job', 'retry-job-loop', 'setup', 'store'],
  ]);
  for (const [name, { depends_on = [], volumes = [] }] of Object.entries(services)) {
    const needed = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on);
    for (const each of needed)
      expect([name, Object.keys(services)]).toEqual([name, expect.arrayContaining([each])]);
    for (const volume of volumes) {
      const [from = ''] = volume.split(':');
      const isThere = from.startsWith('.')
        ? existsSync(join(root, 'deploy', from))
        : from in compose.volumes;
      expect([volume, isThere]).toEqual([volume, true]);
    }
  }
});

test('a service shares the network of one that does not restart, so it keeps it', () => {
  const shared = Object.entries(services).flatMap(([name, { network_mode }]) =>
    network_mode === undefined ? [] : [[name, network_mode]],
  );
  expect(shared).toEqual([
    ['redrive', 'service:network'],
    ['prometheus', 'service:network'],
  ]);
  expect(services.network?.command).toEqual(['sleep', 'infinity']);
  const grafana = read('deploy/grafana-provisioning/datasources/prometheus.yaml');
  expect(grafana).toContain('http://network:9090');
});

test('the probes of Kubernetes have time to start node', () => {
  const { readinessProbe, livenessProbe } = container;
  expect([readinessProbe.timeoutSeconds, livenessProbe.timeoutSeconds]).toEqual([5, 5]);
});

test('`docker compose run --rm retry-job` runs once and ends: the loop is a service of its own', () => {
  const run = (name: string) => services[name]?.command?.slice(2);
  expect(run('retry-job')).toEqual(['sweep', 'run', '--once']);
  // `up` does not start it, and nothing starts it again.
  expect(services['retry-job']).toMatchObject({ profiles: ['by-hand'], restart: 'no' });
  expect(run('retry-job-loop')).toEqual(['sweep', 'run']);
  expect(services['retry-job-loop']).toMatchObject({ restart: 'unless-stopped' });
  expect(services['retry-job-loop']).not.toHaveProperty('profiles');
  expect(read('docs/how-to/sweep-stuck-documents.md')).toContain('run --rm retry-job\n');
});

test('retry-job has the variables of the retry policy', () => {
  expect(Object.keys(services['retry-job']?.environment ?? {})).toEqual(
    expect.arrayContaining([
      ...['MONGODB_HOST', 'MONGODB_PORT', 'MONGODB_DATABASE', 'MONGODB_USERNAME'],
      ...['MONGODB_PASSWORD', 'RABBITMQ_HOST', 'RABBITMQ_PORT', 'RABBITMQ_USERNAME'],
      ...['RABBITMQ_PASSWORD', 'METRICS_BACKEND', 'PUSHGATEWAY_URL', 'RETRY_JOB_INTERVAL_SECONDS'],
    ]),
  );
});

test('every variable of a container or a unit is one that Redrive knows', () => {
  const unit = [...read('deploy/systemd/redrive.service').matchAll(/^Environment=(\w+)=/gm)];
  const names = [
    ...own.flatMap((name) => Object.keys(services[name]?.environment ?? {})),
    ...container.env.map(({ name }: { name: string }) => name),
    ...unit.map(([, name]) => name),
    ...[...dockerfile.matchAll(/^ENV (\w+)=/gm)].map(([, name]) => name),
  ];
  expect(names.filter((name) => !KNOWN.includes(name))).toEqual([]);
});

test('every command of a container or a unit exists', () => {
  const commands = new Set(
    COMMAND_TREE.flatMap((each) =>
      'commands' in each ? each.commands.map(({ name }) => `${each.name} ${name}`) : [each.name],
    ),
  );
  const texts = [
    ...own.map((name) => services[name]?.command?.join(' ') ?? ''),
    read('deploy/systemd/redrive.service'),
    /^CMD (.*)$/m.exec(dockerfile)?.[1]?.replaceAll(/[",[\]]/g, '') ?? '',
  ];
  for (const text of texts) {
    const found = [...text.matchAll(/\bredrive(?:\.cjs)? ([a-z]+(?: [a-z]+)?)/g)].map(
      ([, words = '']) => words,
    );
    expect([text, found.length > 0]).toEqual([text, true]);
    for (const words of found) {
      const isKnown = commands.has(words) || commands.has(words.split(' ')[0] ?? '');
      expect([words, isKnown]).toEqual([words, true]);
    }
  }
});

test('the ports of the files are those of the code and of each other', () => {
  const prometheus = read('deploy/prometheus/prometheus.yml');
  const schema = read('docs/reference/configuration.md');
  expect(schema).toMatch(/\| `health_port` \| [^|]* \| `9470` \|/);
  for (const text of [prometheus, dockerfile, read('deploy/kubernetes/redrive.yaml')])
    expect(text).toContain('127.0.0.1:9470');
  expect(prometheus).toContain('pushgateway:9091');
  expect(services['retry-job']?.environment?.PUSHGATEWAY_URL).toBe('http://pushgateway:9091');
  expect(read('deploy/app/redrive.yaml')).toContain('nats://nats:4222');
});

test('the application of the compose file is valid with the variables of its containers', async () => {
  const { config, problems } = await loadConfig({
    file: 'redrive.yaml',
    directory: join(root, 'deploy/app'),
    environment: services.redrive?.environment ?? {},
  });
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(config).toBeDefined();
  for (const [, file = ''] of read('deploy/app/redrive.yaml').matchAll(
    /(?:module: \.\/|sh, )([\w.]+)/g,
  ))
    expect([file, existsSync(join(root, 'deploy/app', file))]).toEqual([file, true]);
});

describe('the image', () => {
  test('runs as an unprivileged user, and node gets the signal', () => {
    const last = dockerfile.split(/^FROM /m).at(-1) ?? '';
    expect(last.indexOf('USER node')).toBeGreaterThan(last.indexOf('RUN '));
    expect(last).toMatch(/^CMD \["node", /m);
  });

  test('ends as the one of the page', () => {
    const end = (text: string) => text.slice(text.indexOf('USER node')).trimEnd();
    const [, block = ''] = /```dockerfile\n(.*?)```/s.exec(page) ?? [];
    expect(end(dockerfile)).toBe(end(block));
  });
});

test('unit and Kubernetes example are the blocks of the page', () => {
  expect(page).toContain(`\`\`\`ini\n${read('deploy/systemd/redrive.service')}\`\`\``);
  expect(page).toContain(`\`\`\`yaml\n${read('deploy/kubernetes/redrive.yaml')}\`\`\``);
});

test('Kubernetes has probes, and waits longer than the worker at a stop', () => {
  expect(container).toMatchObject({ readinessProbe: {}, livenessProbe: {} });
  const { terminationGracePeriodSeconds } = parse(read('deploy/kubernetes/redrive.yaml')).spec
    .template.spec;
  expect(terminationGracePeriodSeconds).toBeGreaterThan(30);
  for (const name of own) expect(compose.services[name].stop_grace_period).toBe('35s');
});
