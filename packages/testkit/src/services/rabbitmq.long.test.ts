import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { type RabbitmqService, startRabbitmq, startRabbitmqCluster } from './rabbitmq.ts';

/** An installation may be part of the first start. */
const TIMEOUT_MS = 300_000;

const QUEUES = 'rabbit_amqqueue:declare(rabbit_misc:r(<<"/">>, queue, <<"kept">>), true, false,';
const QUORUM = '[{<<"x-queue-type">>, longstr, <<"quorum">>}], none, <<"guest">>).';

test('a private server: settings, loopback only, and a durable queue survives a kill', {
  timeout: TIMEOUT_MS,
}, async () => {
  const server = await startRabbitmq({ config: 'heartbeat = 7' });
  try {
    expect(server.url).toBe(`amqp://guest:guest@127.0.0.1:${server.port}`);
    expect(await server.ctl('eval', 'application:get_env(rabbit, heartbeat).')).toBe('{ok,7}\n');
    const listeners = await server.ctl('-q', 'status');
    expect(listeners).toContain(`Interface: 127.0.0.1, port: ${server.port}, protocol: amqp`);
    expect(listeners).toContain(
      `Interface: 127.0.0.1, port: ${server.ports[1]}, protocol: cluster`,
    );
    expect(listeners).not.toMatch(/Interface: (?!127\.0\.0\.1)/);
    await server.ctl('eval', `${QUEUES} ${QUORUM}`);
    await server.kill();
    await expect(greeting(server)).rejects.toThrow('ECONNREFUSED');
    await server.restart();
    expect(await queuesOf(server)).toContain('kept');
  } finally {
    await server.stop();
  }
});

test('three nodes form a cluster, and a killed one joins it again', {
  timeout: TIMEOUT_MS,
}, async () => {
  const cluster = await startRabbitmqCluster();
  try {
    const [first, second, third] = cluster.nodes;
    if (!first || !second || !third) throw new Error('fewer than three nodes');
    await first.ctl('eval', `${QUEUES} ${QUORUM}`);
    expect(await third.ctl('-q', 'await_online_nodes', '3')).toBe('');
    await third.kill();
    expect(await queuesOf(second)).toContain('kept');
    await expect(cluster.healthy(1_000)).rejects.toThrow('not healthy');
    await third.restart();
    await cluster.healthy();
    expect(await queuesOf(third)).toContain('kept');
  } finally {
    await cluster.stop();
  }
});

function queuesOf(server: RabbitmqService): Promise<string> {
  return server.ctl('-q', 'list_queues', 'name');
}

function greeting({ host, port }: RabbitmqService): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host, () => {
      socket.destroy();
      resolve('');
    });
    socket.once('error', reject);
  });
}
