import { type Config, eventsSettings } from '@redrive/config';
import type { Clock } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import type { Bus, EventConsumer, EventConsumerParts, SourceStatus } from '@redrive/durable/events';
import type { Log } from '../log/worker-log.ts';
import type { HealthCheck } from '../start/health-server.ts';
import { CliError } from '../terminal/exit-codes.ts';
import { CheckedSource } from './checked-source.ts';
import { sourcesOn } from './configured-sources.ts';
import { SourceReporter } from './report-sources.ts';

export interface SourcesParts {
  readonly config: Config;
  /** The buses of the configuration. */
  readonly buses: Readonly<Record<string, Bus>>;
  readonly store: FullStore;
  readonly jobs: EventConsumerParts['jobs'];
  readonly clock: Clock;
  readonly log: Log;
}

/** The sources that run in this process. */
export interface RunningSources {
  readonly checks: readonly HealthCheck[];
  /** Resolves if the first checks find problems with which nothing may start: all problems at once. */
  readonly refused: Promise<CliError>;
  stop(): Promise<void>;
}

/**
 * Takes the events of all sources of the configuration. Jobs do not wait for it: each source begins when its broker has
 * answered. A source whose broker loses messages, or does not have what it names, does not begin.
 */
export function runSources(parts: SourcesParts): RunningSources {
  const { config, buses, store, clock } = parts;
  const all = sourcesOn(buses, eventsSettings(config).sources);
  // Events of the store bus are jobs from the start: there is nothing to take and nothing to report.
  const open = all.filter(({ bus }) => bus.capabilities.delivers);
  const checked = { ...parts, onChange: (status: SourceStatus) => logStatus(parts.log, status) };
  const running = open.map((each) => ({ ...each, consumer: new CheckedSource(each, checked) }));
  const consumers = running.map(({ consumer }) => consumer);
  const reporter = new SourceReporter(store, clock, running);
  const refused = new Promise<CliError>((resolve) => {
    void Promise.all(consumers.map((consumer) => consumer.start())).then((found) => {
      if (found.flat().length > 0) resolve(refusal(found.flat()));
    });
  });
  reporter.start();
  return {
    checks: consumers.map((consumer) => healthOf(consumer, reporter)),
    refused,
    async stop() {
      await Promise.all(consumers.map((consumer) => consumer.stop()));
      await reporter.stop();
    },
  };
}

function refusal(errors: readonly string[]): CliError {
  const hint = '"redrive events init" creates streams and consumers that are missing.';
  return new CliError('failed', ['Sources of events are not usable:', ...errors].join('\n'), hint);
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
  stopped:
    'takes nothing: a kill switch covers it, the worker stops, or the store has not confirmed that nothing stops it',
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
      const { state, handled, stored, duplicates } = consumer.status;
      const waiting = reporter.waiting(source);
      const waits = waiting === undefined ? '' : `, ${waiting} waiting`;
      const directly = handled === 0 ? '' : `, ${handled} handled`;
      return `${state}${waits}${directly}, ${stored} stored, ${duplicates} duplicates`;
    },
    check() {
      const { state, lastError } = consumer.status;
      return WELL.includes(state) || state === 'full'
        ? undefined
        : `${TEXTS[state]}${because(lastError)}`;
    },
  };
}
