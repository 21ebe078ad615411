// Successful calls, one after another. Imported once per lane (`?lane`), so that no lane's type
// feedback reaches another's loop.
import { setImmediate as turn } from 'node:timers/promises';

const succeeds = async () => 42;
const longLived = new AbortController().signal;

export async function run(call, count) {
  for (let done = 1; done <= count; done++) {
    await call(succeeds, longLived);
    // A program turns its event loop now and then; what a contender puts off until then counts too.
    if (done % 1000 === 0) await turn();
  }
}
