import { existsSync, readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { freePorts } from './free-ports.ts';
import { isRunning } from './is-running.ts';
import type { ServicePlace } from './service-place.ts';
import { type Service, type ServiceSpec, startService } from './start-service.ts';

/** A server that sh can be: it says that it is there by a file with its process ids. */
const shellSpec = {
  name: 'shell',
  command: () => ['/bin/sh', '-c', 'echo $$ > pids; exec sleep 1000'],
  isReady: async (place) => pidsOf(place).length > 0,
} satisfies ServiceSpec;

function pidsOf({ dir }: { dir: string }): number[] {
  const file = join(dir, 'pids');
  return existsSync(file) ? (readFileSync(file, 'utf8').match(/\d+(?=\n)/g) ?? []).map(Number) : [];
}

const started: Service[] = [];

async function start(spec: ServiceSpec): Promise<Service> {
  const service = await startService(spec);
  started.push(service);
  return service;
}

afterEach(() => Promise.all(started.splice(0).map((service) => service.stop())));

describe('a service', () => {
  test('gets as many free ports as it asks for', async () => {
    const service = await start({ ...shellSpec, ports: 3 });
    expect(new Set(service.ports).size).toBe(3);
    expect(service.port).toBe(service.ports[0]);
    await Promise.all(service.ports.map((port) => expect(accepts(port)).resolves.toBe(false)));
  });

  test('is prepared once, in its directory, as its user, with its environment', async () => {
    let prepared = 0;
    let printed = '';
    const service = await start({
      ...shellSpec,
      env: (place) => ({ SERVICE_PORT: String(place.port) }),
      command: () => [
        '/bin/sh',
        '-c',
        'echo $SERVICE_PORT > port; echo $$ > pids; exec sleep 1000',
      ],
      async prepare(place) {
        prepared += 1;
        printed = await place.run('/bin/sh', ['-c', 'pwd; id -u; echo $HOME']);
      },
    });
    expect(readFileSync(join(service.dir, 'port'), 'utf8')).toBe(`${service.port}\n`);
    const uid = process.getuid?.() === 0 ? 65534 : process.getuid?.();
    expect(printed).toBe(`${service.dir}\n${uid}\n${service.dir}\n`);
    await service.kill();
    await service.restart();
    expect(prepared).toBe(1);
  });

  test('that is killed keeps its files and runs again', async () => {
    const isReady = async (place: ServicePlace) => pidsOf(place).some(isRunning);
    const service = await start({ ...shellSpec, isReady });
    const [before] = pidsOf(service);
    await service.kill();
    expect(pidsOf(service)).toEqual([before]);
    expect(pidsOf(service).filter(isRunning)).toEqual([]);
    await service.restart();
    expect(pidsOf(service)).not.toEqual([before]);
  });

  test('that leaves its family and its directory is ended all the same', async () => {
    // As daemons do: a session of its own, and "/" to work in.
    const daemon = "setsid sh -c 'cd /; echo $$ >> $HOME/pids; exec sleep 1000' &";
    const service = await startService({
      ...shellSpec,
      command: () => ['/bin/sh', '-c', `${daemon} echo $$ >> pids; exec sleep 1000`],
      isReady: async (place) => pidsOf(place).length === 2,
    });
    const pids = pidsOf(service);
    expect(pids.filter(isRunning)).toEqual(pids);
    await service.stop();
    expect(pids.filter(isRunning)).toEqual([]);
  });

  test('that has lost its environment is ended all the same', async () => {
    const worker = "env -i setsid /bin/sh -c 'echo $$ >> pids; exec /bin/sleep 1000' &";
    const service = await startService({
      ...shellSpec,
      command: () => ['/bin/sh', '-c', `${worker} echo $$ >> pids; exec sleep 1000`],
      isReady: async (place) => pidsOf(place).length === 2,
    });
    const pids = pidsOf(service);
    await service.stop();
    expect(pids.filter(isRunning)).toEqual([]);
  });

  test('that hears no stop signal is killed in the end', async () => {
    const script = "trap '' TERM; echo $$ > pids; while :; do sleep 0.1; done";
    const service = await startService({
      ...shellSpec,
      stopTimeoutMs: 200,
      command: () => ['/bin/sh', '-c', script],
    });
    const pids = pidsOf(service);
    await service.stop();
    expect(pids.filter(isRunning)).toEqual([]);
    expect(existsSync(service.dir)).toBe(false);
  });
});

describe('a service that does not come up', () => {
  test('is reported with the end of its log, and leaves nothing behind', async () => {
    const seen = await failure({ command: () => ['/bin/sh', '-c', 'echo no licence >&2; exit 3'] });
    expect(seen.message).toBe('shell exited with 3\nno licence');
    expect(existsSync(seen.dir)).toBe(false);
  });

  test('is reported when its program is missing', async () => {
    const seen = await failure({ command: () => ['/nonexistent/server'] });
    expect(seen.message).toContain('ENOENT');
    expect(existsSync(seen.dir)).toBe(false);
  });

  test('is reported when it cannot be prepared', async () => {
    const seen = await failure({ prepare: () => Promise.reject(new Error('disk full')) });
    expect(seen.message).toBe('disk full');
    expect(existsSync(seen.dir)).toBe(false);
  });

  test('in time is ended', async () => {
    let pids: number[] = [];
    const isReady = async (place: ServicePlace) => {
      pids = pidsOf(place);
      return false;
    };
    const seen = await failure({ isReady, startTimeoutMs: 500 });
    expect(seen.message).toContain('shell did not answer within 500 ms');
    expect(pids).toHaveLength(1);
    expect(pids.filter(isRunning)).toEqual([]);
  });

  test.each([
    ['shell', 'echo "bind: Address already in use"; exit 1'],
    // Of Erlang's port mapper.
    ['epmd', 'exit 0'],
  ])('because its port was taken gets another one (%s)', async (name, unlucky) => {
    const ports: number[] = [];
    const service = await start({
      ...shellSpec,
      name,
      command(place) {
        ports.push(place.port);
        return ['/bin/sh', '-c', ports.length < 3 ? unlucky : 'echo $$ > pids; exec sleep 1000'];
      },
    });
    expect(ports).toHaveLength(3);
    expect(service.port).toBe(ports[2]);
  });

  test('because ports are always taken is given up', async () => {
    let starts = 0;
    const seen = await failure({
      command() {
        starts += 1;
        return ['/bin/sh', '-c', 'echo "listen EADDRINUSE"; exit 1'];
      },
    });
    expect(seen.message).toContain('EADDRINUSE');
    expect(starts).toBe(3);
  });

  /** Starts a broken variant of the shell service. */
  async function failure(broken: Partial<ServiceSpec>): Promise<{ message: string; dir: string }> {
    let dir = '';
    const remember = (place: ServicePlace) => {
      dir = place.dir;
      return Promise.resolve();
    };
    const starting = startService({ ...shellSpec, prepare: remember, ...broken });
    const error: Error = await starting.then(
      () => Promise.reject(new Error('It came up')),
      (reason) => reason,
    );
    return { message: error.message, dir };
  }
});

test('free ports differ and can be listened on', async () => {
  const ports = await freePorts(20);
  expect(new Set(ports).size).toBe(20);
  const server = createServer().listen(ports[0], '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  await new Promise((closed) => server.close(closed));
});

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
