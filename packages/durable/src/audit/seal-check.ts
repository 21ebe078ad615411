import { type Anchor, type AuditHead, anchorHash, blockLeaf, type PlacedBlock } from './anchor.ts';
import type { AuditProblems } from './audit-problem.ts';
import type { AuditReader } from './audit-reader.ts';
import { MerkleTree } from './merkle.ts';

const PAGE = 1_000;

/** Walks the anchors beside the blocks, which come in the order of their positions. */
export class SealCheck {
  readonly #reader: Pick<AuditReader, 'anchors'>;
  readonly #problems: AuditProblems;
  readonly #saved: AuditHead | undefined;
  #page: readonly Anchor[] = [];
  #next = 0;
  #current: Anchor | undefined;
  #previous: Anchor | undefined;
  #savedIsThere: boolean;
  #tree = new MerkleTree();
  #from: string | undefined;
  #to: string | undefined;

  /** `saved`: a head that the log had at some time. */
  constructor(
    reader: Pick<AuditReader, 'anchors'>,
    problems: AuditProblems,
    saved: AuditHead | undefined,
  ) {
    this.#reader = reader;
    this.#problems = problems;
    this.#saved = saved;
    this.#savedIsThere = saved === undefined;
  }

  /** The newest anchor, once all is read. */
  get head(): Anchor | undefined {
    return this.#previous;
  }

  async start(): Promise<void> {
    await this.#advance();
  }

  /** Whether the block is under an anchor. */
  async take(block: PlacedBlock): Promise<boolean> {
    while (this.#current !== undefined && block.position > this.#current.to) await this.#close();
    if (this.#current === undefined) return false;
    this.#tree.add(blockLeaf(block));
    this.#from ??= block.position;
    this.#to = block.position;
    return true;
  }

  async end(): Promise<void> {
    while (this.#current !== undefined) await this.#close();
    if (this.#savedIsThere) return;
    const last = this.#previous;
    this.#problems.add(
      'head',
      { anchor: this.#saved?.seq },
      `anchor ${this.#saved?.seq} with hash ${this.#saved?.hash}`,
      last === undefined ? 'no anchor' : `anchor ${last.seq} as the newest`,
    );
  }

  /** No more blocks belong to the current anchor. */
  async #close(): Promise<void> {
    const anchor = this.#current;
    if (anchor === undefined) return;
    const problems = this.#problems;
    const where = { anchor: anchor.seq };
    const segment = { from: this.#from, to: this.#to, blocks: this.#tree.leaves };
    const { from, to, blocks } = anchor;
    const same = problems.compare(
      'segment',
      where,
      JSON.stringify({ from, to, blocks }),
      JSON.stringify(segment),
    );
    // A segment with other blocks has another root anyway.
    if (same) problems.compare('segment', where, `root ${anchor.root}`, `root ${this.#tree.root}`);
    problems.compare('anchor_hash', where, anchorHash(anchor), anchor.hash);
    problems.compare('anchor_chain', where, (this.#previous?.seq ?? 0) + 1, anchor.seq);
    problems.compare('anchor_chain', where, this.#previous?.hash ?? '', anchor.prevHash);
    if (anchor.seq === this.#saved?.seq) {
      this.#savedIsThere = true;
      problems.compare('head', where, this.#saved.hash, anchor.hash);
    }
    this.#previous = anchor;
    await this.#advance();
  }

  async #advance(): Promise<void> {
    this.#tree = new MerkleTree();
    this.#from = undefined;
    this.#to = undefined;
    if (this.#next >= this.#page.length) {
      this.#page = await this.#reader.anchors(this.#page.at(-1)?.seq, PAGE);
      this.#next = 0;
    }
    this.#current = this.#page[this.#next];
    this.#next += 1;
  }
}
