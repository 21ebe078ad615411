import type { DatabaseSync } from 'node:sqlite';
import type { DeadFilter } from '@redrive/durable/dead-letters';
import type { ActSubject, BoundedCount } from '@redrive/durable/store';
import { query } from '../database/statement.ts';
import { readActSubjects } from './act-subjects.ts';
import { type FoundGroups, type GroupListRequest, listDeadGroups } from './dead-group-list.ts';
import { countDead, type DeadListRequest, type FoundDead, listDead } from './dead-list.ts';

export type EarlierRow = [
  generation: number,
  replacedAt: number,
  by: string,
  payload: string | Uint8Array,
];

/** The tasks of the reading thread about dead letters. */
export function deadLetterTasks(connection: () => DatabaseSync) {
  return {
    deadLetters: (request: DeadListRequest): FoundDead => listDead(connection(), request),
    countDead: ({ filter, atMost }: { filter: DeadFilter; atMost: number }): BoundedCount =>
      countDead(connection(), filter, atMost),
    deadGroups: (request: GroupListRequest): FoundGroups => listDeadGroups(connection(), request),
    actSubjects: (ids: readonly string[]): ActSubject[] => readActSubjects(connection(), ids),
    earlierPayloads: (id: string): EarlierRow[] =>
      query<EarlierRow>(
        connection(),
        `SELECT generation, replaced_at, replaced_by, payload FROM earlier_payloads WHERE id = ?
         ORDER BY generation`,
      ).all(id),
  };
}
