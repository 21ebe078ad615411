import { eventsSettings, jobsSettings, sweepsSettings } from '@redrive/config';
import { commandText } from '@redrive/core/fields';
import { openBuses, sourcesOn } from '../events/configured-sources.ts';
import { openSweeps } from '../sweep/configured-sweeps.ts';
import { type Finding, messageOf, problem, type Subject, warning } from './check.ts';

/** The configuration is valid, and lint has nothing against it. */
export async function checkConfiguration({ config }: Subject): Promise<readonly Finding[]> {
  const { problems, file = 'the presets' } = await config;
  return problems.map(({ severity, message, suggestion, line, file: where = file }) => {
    const text = `${where}${line === undefined ? '' : `:${line}`}: ${message}`;
    const remedy = suggestion ?? '"redrive config validate" shows the line.';
    return (severity === 'error' ? problem : warning)('lints', text, remedy);
  });
}

/** Every broker of sources and collections answers, and has the streams and queues of its sources. */
export async function checkBuses({ config, store, invocation }: Subject) {
  const { io } = invocation;
  const valid = await validOf(config);
  const { sources } = eventsSettings(valid);
  const { collections } = sweepsSettings(valid, io.directory);
  const needed = new Set(
    [...sources, ...collections.map(({ event }) => event)].map(({ bus }) => bus),
  );
  if (needed.size === 0) return [];
  const buses = await openBuses(io, valid, () => store, needed);
  const ofSources = sourcesOn(buses, sources).map(
    async ({ source, bus }): Promise<readonly Finding[]> => {
      try {
        const { problems } = await bus.check(source);
        return problems.map(({ severity, problem: text, remedy }) =>
          (severity === 'error' ? problem : warning)(
            'buses',
            `The source ${source.name} on ${bus.name}: ${text}.`,
            remedy,
          ),
        );
      } catch (error) {
        const text = `The source ${source.name} cannot be checked on ${bus.name}: ${messageOf(error)}`;
        return [problem('buses', text, `Check that the broker runs, and buses.${source.bus}.url.`)];
      }
    },
  );
  const ofCollections = collections.map(async ({ name, event }): Promise<readonly Finding[]> => {
    const bus = buses[event.bus];
    // The check of a source reports the broker, too.
    if (bus === undefined || sources.some((source) => source.bus === event.bus)) return [];
    try {
      // Only whether the broker answers: an event has a destination, which is not a source.
      await bus.check({ name });
      return [];
    } catch (error) {
      const text = `Events of the collection ${name} cannot be sent on ${bus.name}: ${messageOf(error)}`;
      return [problem('buses', text, `Check that the broker runs, and buses.${event.bus}.url.`)];
    }
  });
  const found = await Promise.all([...ofSources, ...ofCollections]);
  await Promise.all(Object.values(buses).map((bus) => bus.close()));
  return found.flat();
}

/** The database of every collection answers, and has the indexes that sweeps need. */
export async function checkSweeps({ config, invocation }: Subject): Promise<readonly Finding[]> {
  const { io } = invocation;
  const valid = await validOf(config);
  if (sweepsSettings(valid, io.directory).collections.length === 0) return [];
  const { sweeps, close } = await openSweeps(io, () => valid);
  const found = await Promise.all(
    sweeps.map(async ({ name, source, collection }): Promise<readonly Finding[]> => {
      try {
        const missing = await source.prepare(collection, { dryRun: true });
        return missing.map((part) =>
          problem(
            'sweeps',
            `The collection ${name} has no ${part}.`,
            commandText`redrive sweep init ${name}`,
          ),
        );
      } catch (error) {
        const text = `The collection ${name} cannot be read: ${messageOf(error)}`;
        const remedy = `Check that its database runs, and sweeps.collections.${name}.source.`;
        return [problem('sweeps', text, remedy)];
      }
    }),
  );
  await close();
  return found.flat();
}

const PROBE_MS = 2_000;

/** The port of health and metrics is free, or a worker of redrive serves it. */
export async function checkPorts({ config }: Subject): Promise<readonly Finding[]> {
  const { healthPort } = jobsSettings(await validOf(config));
  const url = `http://127.0.0.1:${healthPort}/livez`;
  const remedy = `End that program, or set jobs.health_port: "ss -ltnp 'sport = :${healthPort}'" names it.`;
  const taken = (why: string) => [
    warning(
      'ports',
      `Port ${healthPort} of health and metrics is used by another program: ${why}.`,
      remedy,
    ),
  ];
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(PROBE_MS), redirect: 'manual' });
    const text = (await answer.text()).trim();
    return answer.ok && text === 'ok' ? [] : taken(`it answers ${answer.status} to GET /livez`);
  } catch (error) {
    if (isRefused(error)) return [];
    return taken(`GET /livez fails: ${messageOf(error)}`);
  }
}

/** Nothing listens there. */
function isRefused(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
}

async function validOf(config: Subject['config']) {
  const { config: valid } = await config;
  // Checks with `needs: ['config']` run only with a valid one.
  if (valid === undefined) throw new Error('The configuration is not valid');
  return valid;
}
