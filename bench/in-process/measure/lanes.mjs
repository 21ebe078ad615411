// A lane is one way of making the call: `<contender>#<export of contenders/<contender>.mjs>`.

export const contenderOf = (lane) => lane.split('#')[0];

/** A quick run skips some contenders. */
export const isMeasured = (lane, skip = []) => !skip.includes(contenderOf(lane));

export async function laneMaker(lane) {
  const [contender, name] = lane.split('#');
  // Code written by hand is written for its place: each lane has its own copy, compiled for it alone.
  // A library is one copy that all of a program's calls share.
  const copy = contender.startsWith('hand-written') ? `?${name}` : '';
  const module = await import(`../contenders/${contender}.mjs${copy}`);
  if (typeof module[name] !== 'function') throw new Error(`no lane ${lane}`);
  return module[name];
}

/**
 * Lets a lane fail before it is measured. Nobody may win by doing less: it must call three times and
 * then answer, or three times and then reject. It also shows the engine both paths, as a real
 * program would; code that has never failed is compiled for that.
 */
export async function exercise(lane, settings) {
  const make = await laneMaker(lane);
  const { signal } = new AbortController();
  // A new one each time, so that no breaker has seen another's failures.
  const newCall = () => make({ ...settings, baseMs: Math.min(settings.baseMs, 1) });
  const once = async () => {
    await expectCalls(lane, await newCall(), signal, { failures: 2, rejects: false });
    await expectCalls(lane, await newCall(), signal, { failures: 3, rejects: true });
  };
  await Promise.all(Array.from({ length: 25 }, once));
}

async function expectCalls(lane, call, signal, { failures, rejects }) {
  let calls = 0;
  const fn = async () => {
    if (++calls <= failures) throw new Error('dependency down');
    return calls;
  };
  const rejected = await Promise.resolve(call(fn, signal)).then(
    () => false,
    () => true,
  );
  const bringsItsOwnFunction = calls === 0;
  if (bringsItsOwnFunction) return;
  if (calls !== 3 || rejected !== rejects) {
    throw new Error(`${lane} called ${calls} times and ${rejected ? 'rejected' : 'resolved'}`);
  }
}
