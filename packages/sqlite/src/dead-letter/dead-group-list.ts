import type { DatabaseSync } from 'node:sqlite';
import type { DeadFilter, DeadGroup } from '@redrive/durable/dead-letters';
import { compareText, foldAscii, MAX_DEAD_COUNT, MAX_DEAD_SCAN } from '@redrive/durable/store';
import { query } from '../database/statement.ts';
import { type DeadPlan, planDead } from './dead-plan.ts';
import { type DeadRow, scanLimit, walkBranch } from './dead-walk.ts';

export interface GroupListRequest {
  readonly filter: DeadFilter;
  readonly limit: number;
  /** The last group of the page before: its newest death, and its fingerprint. */
  readonly after?: { readonly atMs: number; readonly id: string } | undefined;
}

export interface FoundGroups {
  readonly groups: readonly DeadGroup[];
  readonly more: boolean;
}

/** One page of causes, the one with the newest death first. */
export function listDeadGroups(db: DatabaseSync, request: GroupListRequest): FoundGroups {
  const { filter, limit } = request;
  const groups =
    isByGroup(filter) && areFew(db) ? groupsByIndex(db, request) : groupsOfLetters(db, request);
  return { groups: groups.slice(0, limit), more: groups.length > limit };
}

/** Whether the index of groups alone answers it. */
function isByGroup(filter: DeadFilter): boolean {
  const { fingerprint: _1, text: _2, diedAfterMs: _3, diedBeforeMs: _4, ...other } = filter;
  return Object.values(other).every((value) => value === undefined);
}

/** Whether every group can be looked at. */
function areFew(db: DatabaseSync): boolean {
  const sql = 'SELECT 1 FROM dead_groups LIMIT 1 OFFSET ?';
  return query<[number]>(db, sql).get(MAX_DEAD_SCAN) === undefined;
}

/** The letters of a group, in the order of their deaths, between two times. */
const LETTERS = `dead_letters INDEXED BY dead_letters_group
  WHERE fingerprint = g.fingerprint AND died_at >= :from AND died_at < :to`;

/** Finds the groups of a page by their newest deaths, and then what else there is to know of those. */
function groupsByIndex(db: DatabaseSync, { filter, limit, after }: GroupListRequest): DeadGroup[] {
  const { fingerprint = null, text, diedAfterMs = -1e300, diedBeforeMs = 1e300 } = filter;
  const found = db.prepare(
    `WITH g AS (
       SELECT fingerprint, pattern FROM dead_groups
       WHERE (:fingerprint IS NULL OR fingerprint = :fingerprint)
         AND (:text IS NULL OR instr(lower(pattern), :text) > 0)
     ), ended AS (
       SELECT fingerprint, pattern,
         (SELECT died_at FROM ${LETTERS} ORDER BY died_at DESC LIMIT 1) AS last FROM g
     ), page AS (
       SELECT * FROM ended WHERE last IS NOT NULL
         AND (:last IS NULL OR (last, fingerprint) < (:last, :after))
       ORDER BY last DESC, fingerprint DESC LIMIT :limit
     )
     SELECT fingerprint, pattern, last AS lastDiedAtMs,
       (SELECT died_at FROM ${LETTERS} ORDER BY died_at LIMIT 1) AS firstDiedAtMs,
       (SELECT id FROM ${LETTERS} ORDER BY died_at DESC, id DESC LIMIT 1) AS newestId,
       (SELECT count(*) FROM (SELECT 1 FROM ${LETTERS} LIMIT ${MAX_DEAD_COUNT + 1})) AS count
     FROM page g ORDER BY last DESC, fingerprint DESC`,
  );
  const rows = found.all({
    fingerprint,
    text: text === undefined ? null : foldAscii(text),
    from: diedAfterMs,
    to: diedBeforeMs,
    last: after?.atMs ?? null,
    after: after?.id ?? null,
    limit: limit + 1,
  });
  // The columns are those of a group.
  return (rows as unknown as DeadGroup[]).map((group) => {
    return {
      ...group,
      count: Math.min(group.count, MAX_DEAD_COUNT),
      bounded: group.count > MAX_DEAD_COUNT,
    };
  });
}

/** Groups the newest letters that a filter finds, where no index has them together. */
function groupsOfLetters(db: DatabaseSync, request: GroupListRequest): DeadGroup[] {
  const plan = planDead(db, request.filter);
  const pattern = query<[pattern: string]>(
    db,
    'SELECT pattern FROM dead_groups WHERE fingerprint = ?',
  );
  const groups: DeadGroup[] = [];
  for (const group of plan === undefined ? [] : grouped(db, plan, request.filter)) {
    if (!isBehind(group, request.after)) continue;
    const name = pattern.get(group.fingerprint)?.[0];
    if (name !== undefined) groups.push({ ...group, pattern: name });
    if (groups.length > request.limit) break;
  }
  return groups;
}

function grouped(db: DatabaseSync, plan: DeadPlan, filter: DeadFilter): DeadGroup[] {
  const limit = scanLimit(plan);
  const groups = new Map<string, DeadGroup>();
  let isCut = false;
  for (const branch of plan.branches) {
    const { rows, cutAt } = walkBranch(db, plan, branch, { filter, first: 'newest', limit });
    isCut ||= cutAt !== undefined || rows.length > limit;
    for (const row of rows.slice(0, limit)) add(groups, row);
  }
  return [...groups.values()]
    .map((group) => ({
      ...group,
      count: Math.min(group.count, MAX_DEAD_COUNT),
      bounded: isCut || group.count > MAX_DEAD_COUNT,
    }))
    .sort((a, b) => b.lastDiedAtMs - a.lastDiedAtMs || compareText(b.fingerprint, a.fingerprint));
}

function add(groups: Map<string, DeadGroup>, { fingerprint, atMs, id }: DeadRow): void {
  if (fingerprint === null) return;
  const known = groups.get(fingerprint);
  const isNewest =
    known === undefined ||
    atMs > known.lastDiedAtMs ||
    (atMs === known.lastDiedAtMs && compareText(id, known.newestId) > 0);
  groups.set(fingerprint, {
    fingerprint,
    pattern: '',
    count: (known?.count ?? 0) + 1,
    bounded: false,
    firstDiedAtMs: Math.min(known?.firstDiedAtMs ?? atMs, atMs),
    lastDiedAtMs: Math.max(known?.lastDiedAtMs ?? atMs, atMs),
    newestId: isNewest ? id : known.newestId,
  });
}

function isBehind(group: DeadGroup, after: GroupListRequest['after']): boolean {
  if (after === undefined) return true;
  const { lastDiedAtMs, fingerprint } = group;
  return (
    lastDiedAtMs < after.atMs ||
    (lastDiedAtMs === after.atMs && compareText(fingerprint, after.id) < 0)
  );
}
