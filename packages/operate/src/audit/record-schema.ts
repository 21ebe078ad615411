import * as z from 'zod';
import { time } from '../action/scalars.ts';

const ID = z.string();
const NULL_TEXT = z.string().nullable();
const COUNT = z.number();

/** A record of the audit log. */
export const RECORD = z.object({
  time: time().describe("the store's clock"),
  event: z.string().describe('what happened: enqueue, claim, settle, read, …'),
  id: ID.describe('id of the job or session; for a note, its subject'),
  from: NULL_TEXT.describe('the state before; null: none'),
  to: NULL_TEXT.describe('the state after; null: a note'),
  by: NULL_TEXT.describe('the actor: cli:user@host, a worker, …'),
  why: NULL_TEXT.describe('the reason that was given'),
  block: COUNT.describe('of the transaction that wrote it'),
  revision: COUNT.describe("counts the job's records; 0: a note"),
  token: COUNT.describe('of the newest lease'),
  generation: COUNT.describe('of the job; 0: a note'),
  executions: COUNT.describe('attempts over all generations'),
  detail: z
    .record(z.string(), z.unknown())
    .describe('further fields, depending on the event: see the audit log'),
});

/** A record that was looked for. */
export const FOUND = RECORD.extend({
  record: z.string().describe('the block and the position in it, as audit prove takes it'),
});
export type FoundAnswer = z.output<typeof FOUND>;

/** `records` with `format` are documents of a shape of the data models, whose fields are not those of records. */
export const RECORDS = z
  .array(z.union([FOUND, z.record(z.string(), z.unknown())]))
  .describe('records; with format, documents of the shape: see docs/reference/records.md');
