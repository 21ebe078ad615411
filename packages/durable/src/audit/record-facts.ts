import { policyCategory } from '@redrive/core/stored';
import type { Job } from '../job/job.ts';
import type { Store } from '../store/store.ts';
import type { AuditRecord } from './audit-block.ts';
import { PolicyNames } from './policy-names.ts';
import { recordsIn } from './read-body.ts';
import { textOf } from './record-detail.ts';

/** The job or call that a record is about. */
export interface RecordFacts {
  /** Of a job, or the operation of a call. */
  readonly handler?: string | undefined;
  /** Of a call. */
  readonly dependency?: string | undefined;
  /** Of a call, or of the policy of a job. */
  readonly category?: string | undefined;
  readonly tenant?: string | undefined;
  readonly session?: string | undefined;
  /** As given, else the session. */
  readonly correlation?: string | undefined;
  readonly trace?: string | undefined;
}

type FactSource = Pick<Store, 'job' | 'finished' | 'auditBlocks' | 'policy'>;

const NOTHING: RecordFacts = {};
/** Jobs that are remembered. */
const MAX_KNOWN = 50_000;
/** Blocks that are followed back to the record of a job's submission. */
const MAX_STEPS = 200;
const MAX_IDS = 1_000;

/**
 * Finds the facts of records. Only the first record of a job has them; for the others the job's row is read, and where
 * retention has deleted that, the records before, by their pointers.
 */
export class FactFinder {
  readonly #store: FactSource;
  readonly #names: PolicyNames;
  readonly #known = new Map<string, RecordFacts>();
  /** Of jobs. `''`: none. */
  readonly #categories = new Map<string, string>();

  constructor(store: FactSource) {
    this.#store = store;
    this.#names = new PolicyNames(store);
  }

  /**
   * Reads the facts of the jobs of these records, with few queries.
   *
   * @param categories whether `of` has to know the categories of jobs.
   */
  async load(records: readonly AuditRecord[], categories = false): Promise<void> {
    for (const record of records) this.#learn(record);
    if (categories) await this.#learnCategories(records);
    const isKnown = ({ id }: AuditRecord) =>
      this.#known.has(id) && (!categories || this.#categories.has(id));
    const unknown = new Map(
      records
        .filter((record) => isOfJob(record) && !isKnown(record))
        .map((record) => [record.id, record]),
    );
    const ids = [...unknown.keys()];
    for (let from = 0; from < ids.length; from += MAX_IDS) {
      for (const job of await this.#store.finished(ids.slice(from, from + MAX_IDS))) {
        await this.#learnJob(job, categories);
        unknown.delete(job.id);
      }
    }
    for (const [id, record] of unknown) {
      const job = await this.#store.job(id);
      if (job !== undefined) await this.#learnJob(job, categories);
      else remember(this.#known, id, await this.#followBack(record, categories));
    }
  }

  /** When the last attempts of finished jobs began: a job keeps it, and the record of a success does not. */
  async startsOf(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const starts = new Map<string, number>();
    for (let from = 0; from < ids.length; from += MAX_IDS) {
      for (const { id, attempts } of await this.#store.finished(ids.slice(from, from + MAX_IDS))) {
        const last = attempts.kept.at(-1);
        if (last?.entry === 'succeeded') starts.set(id, last.startedAtMs);
      }
    }
    return starts;
  }

  of(record: AuditRecord): RecordFacts {
    const facts = factsInside(record) ?? this.#known.get(record.id) ?? NOTHING;
    const category = isOfJob(record) ? this.#categories.get(record.id) : undefined;
    return category ? { ...facts, category } : facts;
  }

  #learn(record: AuditRecord): void {
    const facts = isOfJob(record) ? factsInside(record) : undefined;
    if (facts !== undefined) remember(this.#known, record.id, facts);
  }

  /** Records of attempts name the version of their policy. */
  async #learnCategories(records: readonly AuditRecord[]): Promise<void> {
    for (const record of records.filter(isOfJob)) {
      const hash = textOf(record.detail.policy);
      if (hash !== undefined) await this.#learnPolicy(record.id, hash);
    }
  }

  async #learnPolicy(id: string, hash: string): Promise<void> {
    await this.#names.know([hash]);
    remember(this.#categories, id, this.#names.of(hash).category);
  }

  async #learnJob(job: Job, categories: boolean): Promise<void> {
    remember(this.#known, job.id, factsOfJob(job));
    if (!categories || this.#categories.has(job.id)) return;
    const newest = job.attempts.kept.at(-1);
    if (newest !== undefined) await this.#learnPolicy(job.id, newest.policyHash);
    else remember(this.#categories, job.id, policyCategory(job.policyId ?? '') ?? '');
  }

  async #followBack({ id, previousBlock }: AuditRecord, categories: boolean): Promise<RecordFacts> {
    let seq = previousBlock;
    for (let step = 0; seq > 0 && step < MAX_STEPS; step++) {
      const [block] = await this.#store.auditBlocks(seq - 1, 1);
      const own = block ? recordsIn(block).filter((each) => each.id === id && isOfJob(each)) : [];
      if (categories && !this.#categories.has(id)) await this.#learnCategories(own);
      const first = own[0];
      const facts = own.map(factsInside).find((each) => each !== undefined);
      if (facts !== undefined) return facts;
      if (first === undefined || first.previousBlock >= seq) break;
      seq = first.previousBlock;
    }
    return NOTHING;
  }
}

function remember<T>(known: Map<string, T>, id: string, value: T): void {
  const [oldest] = known.keys();
  if (known.size >= MAX_KNOWN && oldest !== undefined) known.delete(oldest);
  known.set(id, value);
}

function isOfJob({ revision }: AuditRecord): boolean {
  return revision > 0;
}

/** The facts of a record itself. */
function factsInside({ id, revision, event, detail }: AuditRecord) {
  if (revision === 0) return event === 'session' ? factsOfSession(id, detail) : undefined;
  const handler = textOf(detail.handler);
  if (handler === undefined) return undefined;
  const session = textOf(detail.session) ?? id;
  return {
    handler,
    tenant: textOf(detail.tenant),
    session,
    correlation: textOf(detail.correlation) ?? session,
    trace: textOf(detail.trace),
  };
}

function factsOfSession(id: string, { session }: AuditRecord['detail']): RecordFacts {
  const facts = typeof session === 'object' && session !== null ? { ...session } : {};
  const own = facts as Readonly<Record<string, unknown>>; // Every member is checked below.
  return {
    handler: textOf(own.operation),
    dependency: textOf(own.dependency),
    category: textOf(own.category),
    tenant: textOf(own.tenantId),
    session: id,
    correlation: textOf(own.correlationId) ?? id,
    trace: textOf(own.traceId),
  };
}

function factsOfJob({ handler, tenant, sessionId, correlationId, traceId }: Job): RecordFacts {
  return {
    handler,
    tenant: tenant || undefined,
    session: sessionId,
    correlation: correlationId ?? sessionId,
    trace: traceId,
  };
}
