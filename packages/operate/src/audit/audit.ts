import { type AuditProof, proveRecord } from '@redrive/durable/audit';
import {
  BlockFollower,
  findRecord,
  type NoProof,
  newestRecords,
  newestSeq,
  RecordFilter,
  recordPlace,
} from '@redrive/durable/store';
import * as z from 'zod';
import { action, stream } from '../action/action.ts';
import { pause } from '../action/pause.ts';
import { Refusal } from '../action/refusal.ts';
import { count, duration, NEXT, nameText, PAGE } from '../action/scalars.ts';
import { HEAD_TEXT, PROOF, VERIFICATION } from './proof-schema.ts';
import { RECORDS } from './record-schema.ts';
import { RECORD_WISHES, shownIn, wishesOf, wishProblems } from './record-wishes.ts';
import { REPLAY_SESSION } from './replay-session.ts';
import { verifyStore } from './verify-log.ts';

/** The part that all reads of records share. */
const READ = { role: 'viewer', reads: 'sessions', tenants: true } as const;
const PAGE_OF_BLOCKS = 100;
/** An export that finds nothing says this often how far it is. */
const PAGES_WITHOUT_WORD = 20;
const EVERY_MS = 500;
/** Without records a reader still learns this often how far the tail is, to continue there. */
const WITHOUT_WORD_MS = 15_000;
/** A revoked token has no stream for ever. */
const MAX_TAIL_MS = 900_000;

export const AUDIT = {
  replay: action({ ...REPLAY_SESSION, at: 'GET /v1/audit/replay/:id' }),

  list: action({
    ...READ,
    at: 'GET /v1/audit',
    summary: 'list records of the audit log, the newest first',
    details:
      'A page looks at 100,000 transactions at most, so it can have fewer records than --limit and still have a `next`. With --format, --limit counts the records of the log that may have a document in the shape: some have none, and one can have two events. `records` then has documents of the shape: see docs/reference/records.md.',
    input: z.strictObject({ ...RECORD_WISHES, ...PAGE }),
    check: (input) => [
      ...wishProblems(input),
      ...(input.after === undefined || recordPlace(input.after)
        ? []
        : [
            {
              field: 'after',
              message: `is not a cursor: ${input.after}`,
              hint: 'It is printed under a list.',
            },
          ]),
    ],
    answer: z.object({ records: RECORDS, next: NEXT }),
    run: async ({ store, who, clock }, { limit, after, ...given }) => {
      const wishes = wishesOf(given, who, clock.now());
      const cursor = after === undefined ? undefined : recordPlace(after);
      const filter = new RecordFilter(store, wishes);
      const { found, next = null } = await newestRecords(store, filter, limit, cursor);
      const shown = await shownIn(store, wishes)(found.toReversed());
      return { records: shown.toReversed(), next };
    },
  }),

  tail: stream({
    ...READ,
    at: 'GET /v1/audit/tail',
    summary: 'print the newest records, then new ones as they are written',
    details:
      'A transaction that commits long after others that began later may be missed here; list and export show all. A stream lasts for at most 15 minutes: to continue, ask with the `block` of the last item as `after`.',
    endless: true,
    input: z.strictObject({
      ...RECORD_WISHES,
      limit: count(1, 1_000)
        .default(10)
        .describe('first print this many of the newest records, 1 to 1,000; default 10'),
      for: duration.optional().describe('exit after this time, such as 30s; default: never'),
      after: count(0, 1e15)
        .optional()
        .describe('begin with the records of the transactions after this one, not the newest'),
    }),
    check: wishProblems,
    answer: z.object({
      records: RECORDS,
      block: z.number().describe('the newest transaction that was read'),
    }),
    stream: async function* (
      { store, who, clock, signal },
      { limit, for: forMs = Infinity, after, ...given },
    ) {
      const endMs = clock.monotonic() + Math.min(forMs, MAX_TAIL_MS);
      const wishes = wishesOf(given, who, clock.now());
      const filter = new RecordFilter(store, wishes);
      const shown = shownIn(store, wishes);
      const newest = after ?? (await newestSeq(store));
      const follower = new BlockFollower(store, newest, clock);
      const place = { block: newest + 1, index: 0 };
      const { found } =
        after === undefined ? await newestRecords(store, filter, limit, place) : { found: [] };
      yield { records: await shown(found.toReversed()), block: newest };
      let saidMs = clock.monotonic();
      while (!signal.aborted && clock.monotonic() < endMs) {
        await pause(clock, Math.min(EVERY_MS, endMs - clock.monotonic()), signal);
        for await (const blocks of follower.next()) {
          const records = await shown(await filter.find(blocks));
          if (records.length === 0 && clock.monotonic() - saidMs < WITHOUT_WORD_MS) continue;
          saidMs = clock.monotonic();
          yield { records, block: follower.newest };
        }
      }
    },
  }),

  export: stream({
    ...READ,
    at: 'GET /v1/audit/export',
    summary: 'read all records, the oldest first',
    details: 'It reads the log as it is at one moment; workers can continue to write.',
    exports: true,
    heavy: true,
    input: z.strictObject(RECORD_WISHES),
    check: wishProblems,
    answer: z.object({
      records: RECORDS,
      share: z.number().describe('the part of the log that was read, 0 to 1'),
    }),
    stream: async function* ({ store, who, clock, signal }, given) {
      const wishes = wishesOf(given, who, clock.now());
      const filter = new RecordFilter(store, wishes);
      const shown = shownIn(store, wishes);
      const newest = await newestSeq(store);
      const reader = await store.readAudit();
      try {
        yield { records: [], share: 0 };
        for (let after = '', silent = 0; !signal.aborted; ) {
          const blocks = await reader.blocks(after, PAGE_OF_BLOCKS);
          const last = blocks.at(-1);
          if (last === undefined || last.position <= after) return;
          after = last.position;
          const records = await shown(await filter.find(blocks));
          silent = records.length === 0 ? silent + 1 : 0;
          if (silent % PAGES_WITHOUT_WORD === 0) yield { records, share: last.seq / newest };
        }
      } finally {
        await reader.close();
      }
    },
  }),

  verify: stream({
    at: 'GET /v1/audit/verify',
    summary: 'check every hash, chain and anchor, and derive every decision again',
    details:
      'It checks the log as it is at one moment; workers can continue to write. Save the head that it gives in a place that the users of the store cannot write to: without a saved head, missing records at the end of the log cannot be detected. It gives its progress each half second; the last item is the verdict.',
    role: 'viewer',
    heavy: true,
    input: z.strictObject({
      head: HEAD_TEXT.optional().describe('the log must contain this head, saved before'),
    }),
    answer: VERIFICATION,
    stream: ({ store, signal, clock }, { head }) => verifyStore(store, { head, signal, clock }),
  }),

  // Not for a tenant: a proof has the other records of the same transaction.
  prove: action({
    at: 'GET /v1/audit/prove/:id',
    summary: 'write a proof that a record is in the log, for people without the store',
    details:
      "The proof contains the other records of the same transaction too, because the block's hash covers them; the command prints how many. A record that is not sealed yet has no proof: a worker seals about once a second.",
    role: 'viewer',
    reads: 'sessions',
    exports: true,
    heavy: true,
    refusals: {
      no_match: 'the log has no such record',
      conflict:
        'there is no proof: the record is not sealed yet, or the proof does not reach the head',
    },
    input: z.strictObject({
      id: nameText().describe(
        'the id of a job (its newest record), <id>@<revision>, or the record that list --json prints',
      ),
      head: HEAD_TEXT.optional().describe(
        'the proof reaches this head, saved before; default: the newest anchor',
      ),
    }),
    answer: PROOF,
    run: async ({ store }, { id, head }) => {
      const place = await findRecord(store, id);
      if (place === undefined) {
        const hint =
          'Give it the id of a job, or the "record" that "redrive audit list --jsonl" prints.';
        throw new Refusal('not_found', `The audit log has no record ${id}.`, hint);
      }
      const reader = await store.readAudit();
      try {
        const made = await proveRecord(reader, place, { head });
        if (made.proof === undefined) throw noProof(made.problem, made.message);
        return answerOf(made.proof);
      } finally {
        await reader.close();
      }
    },
  }),
};

const HINTS: Readonly<Record<NoProof, string>> = {
  no_record: 'Pass the "record" that "redrive audit list --jsonl" prints.',
  not_sealed:
    'Try again in about a second: a running worker seals once a second. While none runs, nothing is sealed.',
  head_too_old: 'Pass a head that was saved later, or leave out --head.',
  head_unknown:
    'The head is from another store, or this log was cut or rewritten. To find out, run "redrive audit verify" with this head.',
  chain_too_long:
    'Pass a head nearer to the record with --head, such as one that the other side saved soon after it.',
  not_sound: 'The log has a problem at this record. To see it, run "redrive audit verify".',
};

function noProof(problem: NoProof, message: string): Refusal {
  const kind = problem === 'no_record' ? 'not_found' : 'conflict';
  return new Refusal(kind, message, HINTS[problem]);
}

/** The lists of an answer may be changed by their owner, those of a proof may not. */
function answerOf({ record, path, chain, ...proof }: AuditProof): z.input<typeof PROOF> {
  return {
    ...proof,
    record: { ...record },
    path: [...path],
    chain: chain.map((link) => [...link]),
  };
}
