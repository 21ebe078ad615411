import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BinarySpec, ensureBinary } from './ensure-binary.ts';
import { httpAnswers } from './http-answers.ts';
import { type Service, startService } from './start-service.ts';

export interface PrometheusOptions {
  /** `prometheus.yml`: global settings, scrapes, rules. Default: scrapes nothing. Paths in it begin in its directory. */
  readonly config?: string;
  /** Files beside the configuration, by name, such as rules. Default none. */
  readonly files?: Readonly<Record<string, string>>;
}

/** A private server for metrics. */
export interface MetricsService extends Service {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
}

/** The package would otherwise start a server and keep it running. */
const masked = (unit: string) => `
    mkdir -p /etc/systemd/system
    cd /etc/systemd/system
    [ -e ${unit}.service ] || ln -s /dev/null ${unit}.service`;

/** The program that `startPrometheus` needs. */
export const PROMETHEUS_PROGRAM: BinarySpec = {
  name: 'prometheus',
  aptPackage: 'prometheus',
  prepare: masked('prometheus'),
};

/** Checks metrics, and tests rules; it comes with Prometheus. */
export const PROMTOOL_PROGRAM: BinarySpec = { ...PROMETHEUS_PROGRAM, name: 'promtool' };

/** The program that `startPushgateway` needs. */
export const PUSHGATEWAY_PROGRAM: BinarySpec = {
  name: 'prometheus-pushgateway',
  aptPackage: 'prometheus-pushgateway',
  prepare: masked('prometheus-pushgateway'),
};

/** The program that `startAlertmanager` needs. */
export const ALERTMANAGER_PROGRAM: BinarySpec = {
  name: 'prometheus-alertmanager',
  aptPackage: 'prometheus-alertmanager',
  prepare: masked('prometheus-alertmanager'),
};

/** Checks the configuration of the Alertmanager, and comes with it. */
export const AMTOOL_PROGRAM: BinarySpec = { ...ALERTMANAGER_PROGRAM, name: 'amtool' };

/** Starts a private Prometheus: loopback only, with its data in its directory. */
export async function startPrometheus(options: PrometheusOptions = {}): Promise<MetricsService> {
  const server = await ensureBinary(PROMETHEUS_PROGRAM);
  const { config = '', files = {} } = options;
  return withUrl(
    await startService({
      name: 'prometheus',
      async prepare({ dir }) {
        await writeFiles(dir, { ...files, 'prometheus.yml': config });
      },
      command: ({ host, port, dir }) => [
        server,
        `--config.file=${join(dir, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(dir, 'data')}`,
        `--web.listen-address=${host}:${port}`,
        '--web.enable-lifecycle',
        '--enable-feature=exemplar-storage',
      ],
      isReady: (place) => httpAnswers(place, '/-/ready'),
    }),
  );
}

/** Starts a private Pushgateway: loopback only, nothing kept over a restart. */
export async function startPushgateway(): Promise<MetricsService> {
  const server = await ensureBinary(PUSHGATEWAY_PROGRAM);
  return withUrl(
    await startService({
      name: 'pushgateway',
      command: ({ host, port }) => [server, `--web.listen-address=${host}:${port}`],
      isReady: (place) => httpAnswers(place, '/-/ready'),
    }),
  );
}

export interface AlertmanagerOptions {
  /** `alertmanager.yml`. Default: one receiver that notifies nobody. */
  readonly config?: string;
}

const SILENT = 'route: { receiver: nobody }\nreceivers: [{ name: nobody }]\n';

/** Starts a private Alertmanager: loopback only, alone. */
export async function startAlertmanager(
  options: AlertmanagerOptions = {},
): Promise<MetricsService> {
  const server = await ensureBinary(ALERTMANAGER_PROGRAM);
  return withUrl(
    await startService({
      name: 'alertmanager',
      async prepare({ dir }) {
        await writeFiles(dir, { 'alertmanager.yml': options.config ?? SILENT });
      },
      command: ({ host, port, dir }) => [
        server,
        `--config.file=${join(dir, 'alertmanager.yml')}`,
        `--storage.path=${join(dir, 'data')}`,
        `--web.listen-address=${host}:${port}`,
        // It would listen for others of its kind.
        '--cluster.listen-address=',
      ],
      isReady: (place) => httpAnswers(place, '/-/ready'),
    }),
  );
}

function withUrl(service: Service): MetricsService {
  return { ...service, url: `http://${service.host}:${service.port}` };
}

async function writeFiles(dir: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(dir, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(dir, name), text);
}
