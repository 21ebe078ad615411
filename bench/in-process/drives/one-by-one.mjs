// Successful calls, one after another. Imported once per lane (`?lane`), so that no lane's type
// feedback reaches another's loop.

const succeeds = async () => 42;
const longLived = new AbortController().signal;

export async function run(call, count) {
  for (let done = 0; done < count; done++) await call(succeeds, longLived);
}
