import { type EventSink, type RetryRecord, retry, syncSink } from '@redrive/core';
import {
  type FullStore,
  final,
  type Job,
  jobDocument,
  jobHistory,
  jobsOn,
  type Notice,
} from '@redrive/durable';
import { auditSink, replaySession } from '@redrive/durable/audit';
import { pauseWork, runOperation } from '@redrive/durable/control';
import { deadLetterOf, type ExportFormat, exportDeadLetters } from '@redrive/durable/dead-letters';
import { JOB_STATES } from '@redrive/durable/store';
import { PLANTED_SECRETS, type PlantedSecret } from './planted.ts';

/** Two attempts, at once. */
const POLICY = { maxAttempts: 2, baseDelayMs: 1, jitter: 'none' } as const;

interface Planting {
  /** Of `PLANTED_SECRETS`. */
  readonly index: number;
  /** A text such as a person might put into a payload, with a secret in it. */
  readonly note: string;
  readonly how: 'throw' | 'verdict' | 'return' | 'once';
}

/** Listeners of an application, such as metrics, traces or a log. Their output must have no secret either. */
export interface SecretsListeners {
  readonly events?: EventSink;
  readonly onNotice?: (notice: Notice) => void;
}

/**
 * Lets `PLANTED_SECRETS` go through a store in every way that an application has: in errors with causes and stacks, in messages
 * of verdicts, in headers and URLs, in reasons of operators, in failures of the ledger, in payloads and results. Answers
 * with every text that comes out without asking for it in full: records, notices, the audit log, exports, documents and
 * lists. `leakedSecrets` looks for secrets in them, and in a dump of the store without payloads and results (those of
 * jobs, of edits and of the ledger).
 */
export async function plantSecrets(
  store: FullStore,
  listeners: SecretsListeners = {},
): Promise<readonly string[]> {
  const records: RetryRecord[] = [];
  const notices: Notice[] = [];
  const sink = auditSink(store);
  const jobs = jobsOn(
    store,
    {
      plant: {
        policy: POLICY,
        run: ({ index, how, note }: Planting, context) => {
          const planted = plantedAt(index);
          if (how === 'verdict') return final(planted.text(planted.secret));
          if (how === 'return') return { note };
          const thrown = errorWith(planted);
          if (how === 'throw') throw thrown;
          return context.once(`once ${index}`, () => {
            throw thrown;
          });
        },
      },
    },
    {
      events: syncSink((record) => {
        records.push(record);
        listeners.events?.emit(record);
      }),
      onNotice: (notice) => {
        notices.push(notice);
        listeners.onNotice?.(notice);
      },
      pollMs: 20,
    },
  );
  const plantings = PLANTED_SECRETS.flatMap((planted, index) => {
    const note = planted.text(planted.payloadSecret);
    const headers = headersWith(planted);
    return (['throw', 'verdict', 'return', 'once'] as const).map((how) =>
      jobs.enqueue('plant', { index, how, note }, { headers }),
    );
  });
  await Promise.all(plantings);
  await jobs.start();
  await jobs.idle();
  await jobs.stop();
  await sessionsWithErrors(sink);
  if (listeners.events) await sessionsWithErrors(listeners.events);
  await sink.close();
  await actsWithReasons(store);
  return [
    ...records.map((record) => JSON.stringify(record)),
    ...notices.map((notice) => JSON.stringify(notice)),
    ...(await textsOf(store)),
  ];
}

function plantedAt(index: number): PlantedSecret {
  const planted = PLANTED_SECRETS[index];
  if (planted === undefined) throw new RangeError(`There is no secret ${index}`);
  return planted;
}

/** An error as careless code throws it: the secret is in its name, message, stack, cause and fields. */
function errorWith({ text, secret }: PlantedSecret): Error {
  const cause = Object.assign(new Error(`cause: ${text(secret)}`), { config: { secret } });
  const error = new Error(text(secret), { cause });
  error.stack += `\n    at call (https://x.example/?token=${secret}:1:1)`;
  error.name = `Failure of ${text(secret)}`;
  return Object.assign(error, { request: { headers: { authorization: secret } }, secret });
}

function headersWith({ text, secret, header }: PlantedSecret): Record<string, string> {
  // Control characters are refused in headers.
  const note = text(secret).replaceAll('\n', ' ');
  return { 'x-note': note, ...(header !== undefined && { [header]: secret }) };
}

/** Sessions in process, whose errors carry secrets into the log. */
async function sessionsWithErrors(sink: EventSink): Promise<void> {
  for (const planted of PLANTED_SECRETS) {
    const context = { note: planted.text(planted.secret), password: planted.secret };
    const failing = retry(
      () => {
        throw errorWith(planted);
      },
      POLICY,
      { events: sink, context },
    );
    await failing.catch(() => undefined);
  }
}

/** Acts of operators with a secret in their reason, and an edit. */
async function actsWithReasons(store: FullStore): Promise<void> {
  const { jobs: dead } = await store.deadLetters({}, { limit: 1_000 });
  for (const [index, planted] of PLANTED_SECRETS.entries()) {
    const actor = { name: 'secrets', why: planted.text(planted.secret) };
    const id = dead[index]?.id ?? '';
    const text = JSON.stringify({ note: planted.text(planted.payloadSecret) });
    await runOperation(store, {
      id: `operation ${index}`,
      act: 'requeue',
      ramp: false,
      target: { ids: [id] },
      payload: { kind: 'json', text },
      actor,
    });
    await store.apply([{ kind: 'act', act: 'cancel', id, actor }]);
    await pauseWork(store, { scope: 'queue', name: `queue ${index}`, actor });
  }
}

/** Everything that a store answers unless payloads and results are requested in full. */
async function textsOf(store: FullStore): Promise<string[]> {
  const texts: string[] = [];
  const add = (value: unknown) => texts.push(JSON.stringify(value) ?? '');
  const all: Job[] = [];
  let after: string | undefined;
  do {
    const page = await store.jobs({ states: JOB_STATES }, { limit: 1_000, after });
    add(page.jobs);
    // They were there just now.
    all.push(...((await Promise.all(page.jobs.map(({ id }) => store.job(id)))) as Job[]));
    after = page.next;
  } while (after !== undefined);
  // Side by side: a server is asked many hundred questions here.
  await Promise.all(
    all.map(async (job) => {
      const { payload: _payload, result: _result, ...rest } = job;
      add(rest);
      add(jobDocument(job));
      add(await jobHistory(store, job.id));
      add((await store.earlierPayloads(job.id)).map(({ payload: _edited, ...earlier }) => earlier));
    }),
  );
  const letters = all.filter(({ state }) => state === 'dead').map((job) => deadLetterOf(job));
  for (const format of ['jsonl', 'csv'] satisfies ExportFormat[]) {
    for await (const line of exportDeadLetters(letters, format)) texts.push(line);
  }
  add(await store.deadLetters({}, { limit: 1_000 }));
  add(await store.deadGroups({}, { limit: 100 }));
  add(await store.controls());
  const ledger = store.ledger();
  for (const index of PLANTED_SECRETS.keys()) {
    add(await store.operation(`operation ${index}`));
    add(await ledger.look(`once ${index}`));
  }
  for (let seq = 0; ; ) {
    const blocks = await store.auditBlocks(seq, 1_000);
    for (const block of blocks) texts.push(block.body);
    const last = blocks.at(-1);
    if (last === undefined) break;
    seq = last.seq;
  }
  const reader = await store.readAudit();
  for (const { id } of all.slice(0, 20)) add(await replaySession(reader, id));
  await reader.close();
  return texts;
}
