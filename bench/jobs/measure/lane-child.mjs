// A process that holds one contender and drives it when asked. Between two drives it is quiet.
const { contender, place } = JSON.parse(process.argv[2]);
const { open } = await import(`../contenders/${contender}.mjs`);
const queue = await open(place);

process.on('message', async ({ id, ask, name, params }) => {
  try {
    process.send({ id, value: await answer(ask, name, params) });
  } catch (error) {
    process.send({ id, error: error.stack });
  }
});
// Nobody is left to drive it.
process.on('disconnect', () => process.exit());
process.send({ id: 0, value: await queue.durability() });

async function answer(ask, name, params) {
  if (ask === 'close') return queue.close();
  const own = queue.drives?.[name];
  if (own) return own(params);
  const { drive } = await import(`../drives/${name}.mjs`);
  globalThis.gc?.();
  return drive(queue, params);
}
