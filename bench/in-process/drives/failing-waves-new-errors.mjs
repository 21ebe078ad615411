// As failing-waves, but every failure makes its error, as programs do. Imported once per lane.
import { setImmediate as turn } from 'node:timers/promises';

const longLived = new AbortController().signal;

export const waveSize = 2000;

function failsTwice() {
  let calls = 0;
  return async () => {
    if (++calls < 3) throw new Error('dependency down');
    return calls;
  };
}

export async function run(call, count) {
  const wave = new Array(waveSize);
  for (let done = 0; done < count; done += waveSize) {
    for (let i = 0; i < waveSize; i++) wave[i] = call(failsTwice(), longLived);
    await Promise.all(wave);
    await turn();
  }
}
