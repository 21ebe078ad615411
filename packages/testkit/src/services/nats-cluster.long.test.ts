import { expect, test } from 'vitest';
import { natsRequest as request } from '../testing/nats-request.ts';
import { startNatsCluster } from './nats.ts';

test('three nodes keep what they acknowledged when one of them is killed', async () => {
  const cluster = await startNatsCluster();
  try {
    const [first, second, third] = cluster.nodes;
    if (!first || !second || !third) throw new Error('fewer than three nodes');
    const stream = { name: 'KEPT', subjects: ['kept'], storage: 'file', num_replicas: 3 };
    await request(first, '$JS.API.STREAM.CREATE.KEPT', JSON.stringify(stream));
    expect(await request(first, 'kept', '7')).toMatchObject({ seq: 1 });
    await third.kill();
    await third.restart();
    await cluster.healthy();
    expect(await request(third, '$JS.API.STREAM.INFO.KEPT')).toMatchObject({
      state: { messages: 1 },
    });
  } finally {
    await cluster.stop();
  }
}, 180_000);
