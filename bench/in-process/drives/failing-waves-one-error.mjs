// As failing-waves, but every failure throws the same error: making an error and its stack costs more
// than retrying, and differs with the depth of the stack. Imported once per lane.

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
  }
}
