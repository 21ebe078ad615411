// Successful calls, many in flight together, as in a server. Imported once per lane.
import { setImmediate as turn } from 'node:timers/promises';

const succeeds = async () => 42;
const longLived = new AbortController().signal;

export const waveSize = 100;

export async function run(call, count) {
  const wave = new Array(waveSize);
  for (let done = 0; done < count; done += waveSize) {
    for (let i = 0; i < waveSize; i++) wave[i] = call(succeeds, longLived);
    await Promise.all(wave);
    if (done % 1000 === 0) await turn();
  }
}
