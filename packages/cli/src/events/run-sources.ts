import type { Config } from '@redrive/config';
import type { Clock } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import {
  type BusProblem,
  consumeEvents,
  type EventConsumer,
  type EventConsumerParts,
  type SourceStatus,
} from '@redrive/durable/events';
import type { Log } from '../log/worker-log.ts';
import type { HealthCheck } from '../start/health-server.ts';
import { CliError } from '../terminal/cli-error.ts';
import type { Io } from '../terminal/io.ts';
import { type OpenSource, openSources } from './configured-sources.ts';
import { SourceReporter } from './report-sources.ts';

export interface SourcesParts {
  readonly io: Io;
  readonly config: Config;
  readonly store: FullStore;
  readonly jobs: EventConsumerParts['jobs'];
  readonly clock: Clock;
  readonly log: Log;
}

/** The sources that run in this process. */
export interface RunningSources {
  readonly checks: readonly HealthCheck[];
  stop(): Promise<void>;
}

/**
 * Takes the events of all sources of the configuration. A source whose broker loses messages, or does not have what it
 * names, is refused with all problems at once; a broker that does not answer is waited for.
 *
 * @throws CliError
 */
export async function runSources(parts: SourcesParts): Promise<RunningSources> {
  const { io, config, store, log } = parts;
  const open = await openSources(io, config, async () => store);
  try {
    await checkAll(open.sources, log);
    const running = open.sources.map((each) => ({ ...each, consumer: consume(each, parts) }));
    const consumers = running.map(({ consumer }) => consumer);
    const reporter = new SourceReporter(store, parts.clock, running);
    reporter.start();
    return {
      checks: consumers.map((consumer) => healthOf(consumer, reporter)),
      async stop() {
        await Promise.all(consumers.map((consumer) => consumer.stop()));
        await reporter.stop();
        await open.close();
      },
    };
  } catch (error) {
    await open.close();
    throw error;
  }
}

/** All at once: jobs wait for it, and a broker that is away takes ten seconds to say so. */
async function checkAll(sources: readonly OpenSource[], log: Log): Promise<void> {
  const errors: string[] = [];
  const check = async ({ source, bus }: OpenSource): Promise<void> => {
    const about = { event: 'source.checked', source: source.name, bus: bus.name };
    try {
      const { problems } = await bus.check(source);
      for (const problem of problems) {
        if (problem.severity === 'error') errors.push(`${source.name}: ${textOf(problem)}`);
        else log.warn(about, `The source ${source.name}: ${textOf(problem)}`);
      }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      log.warn(about, `The source ${source.name} cannot be checked yet: ${message}`);
    }
  };
  await Promise.all(sources.map(check));
  if (errors.length === 0) return;
  const hint = '"redrive events init" creates streams and consumers that are missing.';
  throw new CliError('failed', ['Sources of events are not usable:', ...errors].join('\n'), hint);
}

export function textOf({ problem, remedy }: BusProblem): string {
  return `${problem}. ${remedy}`;
}

function consume({ source, bus }: OpenSource, parts: SourcesParts): EventConsumer {
  const { store, jobs, clock, log } = parts;
  return consumeEvents(source, {
    bus,
    store,
    jobs,
    clock,
    onChange: (status) => logStatus(log, status),
  });
}

/** States that are nobody's fault. A stop has its own line. */
const WELL: readonly SourceStatus['state'][] = ['taking', 'stopped'];

function logStatus(log: Log, { source, state, lastError }: SourceStatus): void {
  const fields = { event: 'source.state', source, state };
  if (WELL.includes(state)) log.info(fields, `The source ${source} ${TEXTS[state]}`);
  else
    log.warn(
      { ...fields, error: lastError },
      `The source ${source} ${TEXTS[state]}${because(lastError)}`,
    );
}

const because = (error: string | undefined) => (error === undefined ? '' : `: ${error}`);

const TEXTS: Readonly<Record<SourceStatus['state'], string>> = {
  taking: 'takes events',
  stopped: 'takes nothing: a kill switch covers it, or the store has not confirmed that none does',
  full: 'takes nothing: max_waiting events are ready',
  store_away: 'takes nothing: the store does not answer',
  bus_away: 'takes nothing: the broker does not answer, or refuses',
  failing: 'cannot store or move its events, and tries each second',
  blocked: 'takes nothing until a person acts',
};

/** In `/readyz`. A source that waits for others is well: the broker keeps its messages. */
function healthOf(consumer: EventConsumer, reporter: SourceReporter): HealthCheck {
  const { source } = consumer.status;
  return {
    name: `source ${source}`,
    about() {
      const { state, stored, duplicates } = consumer.status;
      const waiting = reporter.waiting(source);
      const waits = waiting === undefined ? '' : `, ${waiting} waiting`;
      return `${state}${waits}, ${stored} stored, ${duplicates} duplicates`;
    },
    check() {
      const { state, lastError } = consumer.status;
      return WELL.includes(state) || state === 'full'
        ? undefined
        : `${TEXTS[state]}${because(lastError)}`;
    },
  };
}
