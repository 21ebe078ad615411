import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { fileError } from '../config/read-file.ts';
import { CliError } from '../terminal/exit-codes.ts';
import { note, printJson } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';

/** Files of deploy/ by the name that the command line gives them. The first is printed by default. */
const ALERTS = {
  rules: 'prometheus/alerts/retry_policy.yml',
  alertmanager: 'alertmanager/alertmanager.yml',
} as const;
const DASHBOARDS = {
  redrive: 'grafana/redrive.json',
  'retry-policy-monitoring': 'grafana/retry-policy-monitoring.json',
} as const;

const GRAFANA_URL = 'http://localhost:3000';

export const runAlertsExport: RunCommand = (invocation) => {
  const url = grafanaUrl(textOption(invocation.options, 'grafanaUrl') ?? GRAFANA_URL);
  exportFiles(invocation, ALERTS, (text) =>
    text.replaceAll(`dashboard_url: ${GRAFANA_URL}/`, () => `dashboard_url: ${url}/`),
  );
};

export const runDashboardsExport: RunCommand = (invocation) => {
  exportFiles(invocation, DASHBOARDS, (text) => text);
};

/** @throws CliError with the exit code 2. */
function grafanaUrl(text: string): string {
  const url = URL.parse(text);
  // It becomes part of a YAML file: what a URL cannot have is encoded in `href`.
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.href.replace(/\/+$/, '');
  throw new CliError('usage', `--grafana-url must be a URL that begins with http or https.`);
}

function exportFiles(
  { io, args, options }: Invocation,
  files: Readonly<Record<string, string>>,
  edit: (text: string) => string,
): void {
  const [name] = args;
  const names = Object.keys(files);
  if (name !== undefined && !names.includes(name)) {
    throw new CliError(
      'usage',
      `There is no ${name} to export.`,
      `Known are: ${names.join(', ')}.`,
    );
  }
  const textOf = (path: string) => edit(readFileSync(join(monitoringDirectory(), path), 'utf8'));
  const to = textOption(options, 'to');
  if (to === undefined) {
    io.stdout(textOf(files[name ?? names[0] ?? ''] ?? ''));
    return;
  }
  const wanted = Object.entries(files).filter(([each]) => name === undefined || each === name);
  const written = wanted.map(([, path]) => {
    const target = join(to, basename(path));
    write(resolve(io.directory, to), target, textOf(path), options.force === true);
    return target;
  });
  if (options.json) printJson(io, { files: written });
  else note(io, printable(`Wrote ${written.join(' and ')}.`));
}

function write(directory: string, name: string, text: string, overwrite: boolean): void {
  try {
    mkdirSync(directory, { recursive: true });
    // "wx" fails if the file exists, in one step. Other users may read it: Prometheus and Grafana are such.
    writeFileSync(join(directory, basename(name)), text, { flag: overwrite ? 'w' : 'wx' });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
      const hint = 'Replace it with --force, or name another directory.';
      throw new CliError('refused', `${name} exists and was left as it is.`, hint, {
        cause: error,
      });
    }
    throw fileError(error, 'write', name);
  }
}

/** `deploy` beside the bundle of an installed package; in the repository, its own. */
function monitoringDirectory(): string {
  const beside = fileURLToPath(new URL('deploy', import.meta.url));
  return existsSync(beside)
    ? beside
    : fileURLToPath(new URL('../../../../deploy', import.meta.url));
}
