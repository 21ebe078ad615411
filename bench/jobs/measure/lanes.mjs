import { startLane } from './lane.mjs';

const expected = {
  sqlite: { journal: 'wal', synchronous: 'FULL' },
  postgres: { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' },
  redis: { appendonly: 'yes', appendfsync: 'always' },
};

/**
 * Starts lanes from `{ id, label, contender, store, needs, options, quick, maxJobs }`. Whoever does not say that what it
 * acknowledges is on disk is not measured.
 */
export async function openLanes(services, specs, quick) {
  const lanes = [];
  try {
    for (const spec of specs.filter((spec) => !quick || spec.quick !== false)) {
      const needs = [spec.store, ...(spec.needs ?? [])];
      const place = { ...(await services.place(needs)), ...spec.options };
      const { contender, nodeFlags } = spec;
      const lane = await startLane({ name: spec.label, contender, place, nodeFlags });
      lanes.push({ ...spec, place, lane });
      checkDurability(spec, lane.durability);
    }
  } catch (error) {
    await closeLanes(lanes);
    throw error;
  }
  return lanes;
}

export async function closeLanes(lanes) {
  await Promise.allSettled(lanes.map(({ lane }) => lane.close()));
}

function checkDurability({ label, store }, seen) {
  for (const [name, value] of Object.entries(expected[store])) {
    if (seen[name] !== value) throw new Error(`${label}: ${name} is ${seen[name]}, not ${value}`);
  }
}
