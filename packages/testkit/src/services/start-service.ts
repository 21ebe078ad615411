import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeServicePlace, processOptions, type ServicePlace } from './service-place.ts';
import { type Reaper, startReaper } from './start-reaper.ts';
import { until } from './until.ts';

/** The command, checks and limits of a service. */
export interface ServiceSpec {
  /** For messages and the name of the directory, e.g. `postgres`. */
  readonly name: string;
  /** How many ports it needs. Default 1. */
  readonly ports?: number;
  /** Runs once, before the first start: makes data, writes configuration. */
  prepare?(place: ServicePlace): Promise<void>;
  /** The server's program (absolute) and arguments. It stays in the foreground. */
  command(place: ServicePlace): readonly [file: string, ...args: string[]];
  /** Environment variables on top of PATH, HOME (the directory) and LANG. */
  env?(place: ServicePlace): Readonly<Record<string, string>>;
  /**
   * Whether it answers. Asked every 20 ms; must not take long itself, and is best asked where only this instance can
   * answer: another server may have taken the port in the meantime.
   */
  isReady(place: ServicePlace): Promise<boolean>;
  /** The signal that ends it. Default SIGTERM. */
  readonly stopSignal?: NodeJS.Signals;
  /** How long it may take to end before it is killed. Default 5,000. */
  readonly stopTimeoutMs?: number;
  /** How long it may take until it answers. Default 30,000. */
  readonly startTimeoutMs?: number;
}

/** A running service, private to its starter. */
export interface Service extends Pick<ServicePlace, 'host' | 'port' | 'ports' | 'dir'> {
  /** Kills it as a power cut would (SIGKILL to all its processes) and keeps its data. */
  kill(): Promise<void>;
  /** Starts a killed service again on its old data and ports. */
  restart(): Promise<void>;
  /** Ends it and removes its directory. Also happens when this process ends or dies without having called it. */
  stop(): Promise<void>;
}

const PORT_ATTEMPTS = 3;
/** Erlang's port mapper says nothing: it leaves the port to the other one, and ends well. */
const PORT_TAKEN = /address already in use|EADDRINUSE|epmd exited with 0/i;

/**
 * Starts a private instance on free loopback ports with a temporary directory and waits until it answers. From a root
 * shell it runs as `nobody`. When this process dies, even by SIGKILL, the service ends and its directory goes.
 *
 * @throws Error with the end of the service's log when it does not come up in time.
 */
export async function startService(spec: ServiceSpec): Promise<Service> {
  if (!existsSync('/proc/self/cwd')) throw new Error('Service starters need Linux (/proc)');
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce(spec);
    } catch (error) {
      if (attempt === PORT_ATTEMPTS || !PORT_TAKEN.test(String(error))) throw error;
    }
  }
}

async function startOnce(spec: ServiceSpec): Promise<Service> {
  const place = await makeServicePlace(spec.name, spec.ports ?? 1);
  // Before anything runs in the directory, so that there is no moment in which a crash leaves something behind.
  const reaper = startReaper(place, spec.stopSignal ?? 'SIGTERM', spec.stopTimeoutMs ?? 5_000);
  try {
    await spec.prepare?.(place);
    await launch(spec, place);
  } catch (error) {
    await reaper.finish();
    throw error;
  }
  return running(spec, place, reaper);
}

function running(spec: ServiceSpec, place: ServicePlace, reaper: Reaper): Service {
  const { host, port, ports, dir } = place;
  return {
    host,
    port,
    ports,
    dir,
    kill: () => reaper.kill(),
    restart: () => launch(spec, place),
    stop: () => reaper.finish(),
  };
}

async function launch(spec: ServiceSpec, place: ServicePlace): Promise<void> {
  const { startTimeoutMs = 30_000 } = spec;
  const logFile = join(place.dir, 'service.log');
  const server = spawnServer(spec, place, logFile);
  let failure: string | undefined;
  server.once('error', (error) => {
    failure = error.message;
  });
  server.once('exit', (code, signal) => {
    failure = `exited with ${signal ?? code}`;
  });
  const ready = await until(async () => failure !== undefined || (await spec.isReady(place)), {
    timeoutMs: startTimeoutMs,
  });
  if (!ready) failure ??= `did not answer within ${startTimeoutMs} ms`;
  if (failure !== undefined) throw new Error(`${spec.name} ${failure}\n${lastLines(logFile)}`);
}

function spawnServer(spec: ServiceSpec, place: ServicePlace, logFile: string): ChildProcess {
  const [file, ...args] = spec.command(place);
  const options = processOptions(place.dir, place.owner);
  // A file, not a pipe: nobody may be there any more to read it.
  const log = openSync(logFile, 'a');
  try {
    const server = spawn(file, args, {
      ...options,
      env: { ...options.env, ...spec.env?.(place) },
      detached: true,
      stdio: ['ignore', log, log],
    });
    server.unref();
    return server;
  } finally {
    closeSync(log);
  }
}

function lastLines(logFile: string): string {
  return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-20).join('\n');
}
