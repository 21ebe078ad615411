import { lazy } from '../lazy.ts';
import type { View } from '../router.ts';
import type { StatusDocument } from '../status.ts';

const Audit = lazy(async () => (await import('./audit.tsx')).Audit);
const Batches = lazy(async () => (await import('./batches.tsx')).Batches);
const Bulk = lazy(async () => (await import('./bulk.tsx')).Bulk);
const Control = lazy(async () => (await import('./control.tsx')).Control);
const Dead = lazy(async () => (await import('./dead.tsx')).Dead);
const Escalations = lazy(async () => (await import('./escalations.tsx')).Escalations);
const Health = lazy(async () => (await import('./health.tsx')).Health);
const Jobs = lazy(async () => (await import('./jobs.tsx')).Jobs);
const Overview = lazy(async () => (await import('./overview.tsx')).Overview);
const Policies = lazy(async () => (await import('./policies.tsx')).Policies);
const Sources = lazy(async () => (await import('./sources.tsx')).Sources);
const Stuck = lazy(async () => (await import('./stuck.tsx')).Stuck);

/** Kill switches, pauses, open breakers, closed gates. */
function stoppedThings({ kill_switches, paused, breakers, gates }: StatusDocument): number {
  return kill_switches.length + paused.length + breakers.length + gates.length;
}

/** Every view, in the order of the navigation. */
export const VIEWS: readonly View[] = [
  { name: 'overview', label: 'Overview', path: '/', key: 'o', group: 0, Page: Overview },
  {
    name: 'dead',
    label: 'Dead letters',
    path: '/dead',
    key: 'd',
    group: 0,
    count: ({ dead }) => (dead.bounded ? `${dead.count}+` : dead.count),
    Page: Dead,
  },
  { name: 'jobs', label: 'Jobs', path: '/jobs', key: 'j', group: 0, Page: Jobs },
  { name: 'batches', label: 'Batches', path: '/batches', group: 0, Page: Batches },
  { name: 'stuck', label: 'Stuck', path: '/stuck', key: 's', group: 0, Page: Stuck },
  {
    name: 'control',
    label: 'Control',
    path: '/control',
    key: 'c',
    group: 1,
    count: stoppedThings,
    isRed: ({ kill_switches }) => kill_switches.length > 0,
    Page: Control,
  },
  {
    name: 'bulk',
    label: 'Bulk operations',
    path: '/ops',
    key: 'b',
    group: 1,
    count: ({ operations }) => operations.filter(({ state }) => state !== 'paused').length,
    Page: Bulk,
  },
  {
    name: 'escalations',
    label: 'Escalations',
    path: '/escalations',
    key: 'e',
    group: 1,
    count: ({ escalations }) => escalations.length,
    isRed: ({ escalations }) => escalations.some(({ tier }) => tier >= 3),
    Page: Escalations,
  },
  { name: 'policies', label: 'Policies', path: '/policies', key: 'p', group: 2, Page: Policies },
  { name: 'sources', label: 'Sources', path: '/sources', group: 2, Page: Sources },
  { name: 'audit', label: 'Audit', path: '/audit', key: 'a', group: 2, Page: Audit },
  { name: 'health', label: 'Health', path: '/health', key: 'h', group: 2, Page: Health },
];
