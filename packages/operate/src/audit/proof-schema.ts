import * as z from 'zod';
import { time } from '../action/scalars.ts';

/** `17:4f…`: the number of an anchor and its hash. */
export const HEAD_TEXT = z
  .string()
  .max(100)
  .transform((text, context) => {
    const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
    if (seq !== undefined && hash !== undefined) return { seq: Number(seq), hash };
    const hint =
      'A head is a number, a colon and 64 hex digits, as "redrive audit verify" prints it.';
    context.addIssue({ code: 'custom', message: `is not a head: ${text}`, params: { hint } });
    return z.NEVER;
  })
  .meta({ 'x-notation': 'text' });

const HASH = z.string().describe('in hex');
const SEQ = z.number().describe('its number');
const HEAD = { seq: SEQ, hash: HASH };

const ANCHOR = z.object({
  ...HEAD,
  from: z.string().describe('position of the first block of its segment'),
  to: z.string().describe('position of the last one'),
  blocks: z.number().describe('blocks in the segment'),
  root: z.string().describe('the Merkle root over them, in hex'),
  prevHash: z.string().describe('hash of the anchor before it; "" for the first one'),
  atMs: z.number().describe("the store's time of sealing, Unix time in ms"),
});

/** Its fields are those that are hashed, by the names that `audit check-proof` reads. */
/** A record as it is stored, by the names of its fields. */
const STORED = z.object({
  id: z.string().describe('the job; of a note, its subject'),
  revision: z.number().describe("counts the job's records; 0: a note"),
  event: z.string().describe('what happened: enqueue, claim, settle, …'),
  from: z.string().nullable().describe('the state before; null: none'),
  to: z.string().nullable().describe('the state after; null: a note'),
  atMs: z.number().describe("the store's time, Unix time in ms"),
  token: z.number().describe('of the newest lease'),
  generation: z.number().describe('of the job; 0: a note'),
  executions: z.number().describe('attempts over all generations'),
  previousBlock: z.number().describe("the block with the job's record before it; 0: none"),
  detail: z.record(z.string(), z.unknown()).describe('further fields, depending on the event'),
});

export const PROOF = z.object({
  format: z.literal('redrive/proof/1').describe('the version of the format'),
  record: STORED.describe('the record as it is stored'),
  index: z.number().describe("its place in the block's body, from 0"),
  block: z
    .object({
      seq: SEQ,
      writer: z.string().describe('the writer, whose blocks are a chain'),
      atMs: z.number().describe("the store's time, Unix time in ms"),
      prevHash: z.string().describe('hash of the block of this writer before it; "": none'),
      hash: HASH,
      body: z.string().describe('all records of the transaction, as they are hashed'),
      position: z.string().describe('its place in the order of sealing'),
    })
    .describe('the transaction that wrote it, with all its records'),
  leaf: z.number().describe("the block's place among those under the anchor, from 0"),
  path: z
    .array(z.object({ side: z.enum(['left', 'right']).describe('of this hash'), hash: HASH }))
    .describe("the hashes from the block's leaf to the root of the anchor"),
  anchor: ANCHOR.describe('the seal over it'),
  chain: z
    .array(z.array(z.unknown()))
    .describe('the anchors behind it, up to the head: seq, from, to, blocks, root, atMs'),
  head: z.object(HEAD).describe('the head that the proof is valid for'),
});

export const VERIFICATION = z.object({
  state: z.enum(['running', 'done']).describe('done: the last item, the verdict'),
  records: z.number().describe('records that were read'),
  pass: z.number().optional().describe('while it runs: the first time through the log is 1'),
  share: z
    .number()
    .nullable()
    .optional()
    .describe('while it runs: the part that was read, 0 to 1; null: not known'),
  ok: z.boolean().optional().describe('true: no problem was found'),
  blocks: z.number().optional().describe('transactions that were read'),
  decisions: z.number().optional().describe('decisions that were derived again'),
  sealed: z.number().optional().describe('records under an anchor'),
  has_worker: z
    .boolean()
    .nullable()
    .optional()
    .describe('whether a worker runs, which seals; null: not known'),
  head: z
    .object({
      ...HEAD,
      time: time().nullable().describe('when it was sealed; null: what is stored is no time'),
    })
    .nullable()
    .optional()
    .describe('the newest anchor: save it; null: nothing is sealed'),
  problems: z
    .array(
      z.object({
        kind: z.string().describe('see the audit log'),
        where: z
          .object({
            anchor: z.number().optional().describe('number of an anchor'),
            pack: z.number().optional().describe('number of a pack of old blocks'),
            block: z.number().optional().describe('number of a transaction'),
            id: z.string().optional().describe('of a job, or the subject of a note'),
            revision: z.number().optional().describe('of that job'),
          })
          .describe('the place, as far as it is known'),
        expected: z.string().describe('the value that follows from the rest of the log'),
        found: z.string().describe('the value that the log has'),
      }),
    )
    .optional()
    .describe('at most 100'),
  problems_found: z.number().optional().describe('how many there are in all'),
});
export type VerifyItem = z.input<typeof VERIFICATION>;
