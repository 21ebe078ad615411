import { type OptionTable, resolveOptions } from '@redrive/core/fields';
import { type Anchor, type AuditHead, LEAF_WRITER, type PlacedBlock } from './anchor.ts';
import type { AuditRecord } from './audit-block.ts';
import { type AuditProblem, AuditProblems } from './audit-problem.ts';
import type { AuditReader } from './audit-reader.ts';
import { DecisionCheck } from './decision-check.ts';
import { blockHash } from './encode-block.ts';
import { ALL_JOBS, JobTrails } from './job-trails.ts';
import { checkPacks } from './pack-check.ts';
import { type ReadProgress, readLog } from './read-log.ts';
import { SealCheck } from './seal-check.ts';

export interface VerifyOptions {
  /** A head that was saved outside the store. Without one, a log that was cut at an anchor is not noticed. */
  readonly head?: AuditHead | undefined;
  /** Problems that are listed; the others are counted. Default 100. */
  readonly maxProblems?: number;
  /** Jobs that are followed at a time, at some 900 bytes each. More take more passes over the log. Default 250,000. */
  readonly maxJobs?: number;
  /** Called after every page of blocks. */
  readonly onProgress?: ((progress: ReadProgress) => void) | undefined;
  /** Ends the work; the promise then rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface Verification {
  readonly ok: boolean;
  readonly blocks: number;
  readonly records: number;
  /** Decisions that were derived again. */
  readonly decisions: number;
  /** Records under an anchor. Without an anchor, a writer that also changes the hashes can change a record unnoticed. */
  readonly sealed: number;
  /** The newest anchor: save it outside the store. */
  readonly head: Anchor | undefined;
  readonly problems: readonly AuditProblem[];
  /** How many there are, also beyond the list. */
  readonly problemsFound: number;
}

const OPTIONS: OptionTable<VerifyOptions> = {
  head: [undefined],
  maxProblems: [100, { kind: 'integer', min: 1, max: 1_000_000 }],
  maxJobs: [250_000, { kind: 'integer', min: 1, max: 100_000_000 }],
  onProgress: [undefined, { kind: 'function' }],
  signal: [undefined],
};

/**
 * Checks a whole audit log: the hash of every block, the chain of every writer, the anchors with their blocks, and the
 * packs of old blocks. The records of every job must follow from one another and agree with its row, and `decide` must
 * give the recorded answers. Memory stays bounded for a log of any length. The answer has every problem.
 *
 * @throws RedriveError `invalid_option`; `store_unavailable` where the store cannot be read.
 */
export async function verifyAudit(
  reader: AuditReader,
  options: VerifyOptions = {},
): Promise<Verification> {
  const resolved = resolveOptions('audit verification', options, OPTIONS);
  const { head, maxProblems, maxJobs } = resolved;
  const problems = new AuditProblems(maxProblems);
  const blocks = new BlockCheck(problems);
  const seals = new SealCheck(reader, problems, head);
  const decisions = new DecisionCheck(reader, problems);
  const jobProblems = new AuditProblems(maxProblems);
  const trails = new JobTrails(ALL_JOBS, maxJobs, jobProblems);
  let sealed = 0;

  await seals.start();
  const read = await readLog({ ...resolved, reader, problems, pass: 1 }, async (block, records) => {
    blocks.take(block);
    if (await seals.take(block)) sealed += records.length;
    await followRecords(trails, decisions, block, records);
    return true;
  });
  await seals.end();
  await checkPacks(reader, problems, resolved.signal);
  if (trails.overflowed) {
    await followInParts(reader, resolved, problems);
  } else {
    await trails.end(reader);
    problems.addAll(jobProblems);
  }

  return {
    ok: problems.found === 0,
    ...read,
    decisions: decisions.decisions,
    sealed,
    head: seals.head,
    problems: problems.list,
    problemsFound: problems.found,
  };
}

async function followRecords(
  trails: JobTrails,
  decisions: DecisionCheck,
  { seq: block }: PlacedBlock,
  records: readonly AuditRecord[],
): Promise<void> {
  const read = await decisions.take(records, block);
  for (const [index, record] of records.entries()) {
    trails.take({ record, block, decision: read[index] });
  }
}

/** Follows the jobs part by part, each in a pass of its own, because there are too many to be kept at once. */
async function followInParts(
  reader: AuditReader,
  options: Required<VerifyOptions>,
  problems: AuditProblems,
): Promise<void> {
  // The first pass has found all problems of blocks and decisions.
  const known = new AuditProblems(0);
  const decisions = new DecisionCheck(reader, known);
  let width = ALL_JOBS.to / 2;
  let pass = 1;
  for (let from = 0; from < ALL_JOBS.to; ) {
    pass += 1;
    const found = new AuditProblems(options.maxProblems);
    // Ids made to have one hash cannot be parted any further.
    const maxJobs = width > 1 ? options.maxJobs : Number.POSITIVE_INFINITY;
    const trails = new JobTrails({ from, to: from + width }, maxJobs, found);
    await readLog({ ...options, reader, problems: known, pass }, async (block, records) => {
      await followRecords(trails, decisions, block, records);
      return !trails.overflowed;
    });
    if (trails.overflowed) {
      width /= 2;
    } else {
      await trails.end(reader);
      problems.addAll(found);
      from += width;
    }
  }
}

/** Looks at blocks in the order of their positions: each by itself, and each as the next link of its writer's chain. */
class BlockCheck {
  readonly #problems: AuditProblems;
  /** Writer to the hash of its last block. */
  readonly #chains = new Map<string, string>();
  #position = '';

  constructor(problems: AuditProblems) {
    this.#problems = problems;
  }

  /** Position of the last block. */
  get position(): string {
    return this.#position;
  }

  take({ seq, writer, prevHash, hash, body, position }: PlacedBlock): void {
    const where = { block: seq };
    if (position <= this.#position) {
      this.#problems.add('order', where, `a position above ${this.#position}`, position);
    }
    this.#position = position;
    this.#problems.compare('block_hash', where, blockHash(prevHash, body), hash);
    this.#problems.compare('chain', where, this.#chains.get(writer) ?? '', prevHash);
    // Leaves have no chain: nothing follows them, and they follow nothing.
    if (writer !== LEAF_WRITER) this.#chains.set(writer, hash);
  }
}
