// Operations that fail twice and then succeed, many in flight together: contenders that go through
// a timer even for a zero delay then share its latency. Every failure throws the same error. Imported
// once per lane.
import { setImmediate as turn } from 'node:timers/promises';

const longLived = new AbortController().signal;
const error = new Error('dependency down');

export const waveSize = 2000;

function failsTwice() {
  let calls = 0;
  return async () => {
    if (++calls < 3) throw error;
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
