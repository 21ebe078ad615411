import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FullStore, jobsOn } from '@redrive/durable';
import { recordsIn } from '@redrive/durable/store';
import { openStore as openPostgres } from '@redrive/postgres';
import { AccessFile, startServer } from '@redrive/server';
import { openStore as openSqlite } from '@redrive/sqlite';
import { seededRandom } from '@redrive/testkit';
import { startPostgres } from '@redrive/testkit/services';
import { expect, onTestFinished, test } from 'vitest';

const CUTS = 100;

interface Change {
  readonly id: number;
  readonly name: string;
  readonly data: { readonly id: string; readonly revision: number };
}

const OPENERS: Readonly<Record<string, (directory: string) => Promise<FullStore>>> = {
  sqlite: (directory) => openSqlite(join(directory, 'jobs.db')),
  postgres: async () => {
    const service = await startPostgres();
    onTestFinished(() => service.stop());
    return openPostgres(service.url);
  },
};

test.each(Object.entries(OPENERS))(
  `on %s a stream is cut ${CUTS} times while a worker runs jobs: no change is missed, none comes twice`,
  { timeout: 300_000 },
  async (_, open) => {
    const directory = mkdtempSync(join(tmpdir(), 'redrive-cut-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const store = await open(directory);
    onTestFinished(() => store.close());
    await store.migrate();
    const access = new AccessFile(join(directory, 'access.json'));
    const token = await access.createToken({ name: 'page', role: 'viewer', rate: 10_000 });
    const server = await startServer({ store, access, port: 0 });
    onTestFinished(() => server.close());
    const jobs = jobsOn(store, { resize: () => undefined }, { log: 'off' });
    await jobs.start();
    onTestFinished(() => jobs.stop());
    const random = seededRandom(11);
    const page = new Page(server.url, token);
    await page.read(() => page.after !== undefined);
    const first = page.after ?? 0;
    for (let cut = 0; cut < CUTS; cut += 1) {
      const count = 1 + Math.floor(random() * 8);
      // The worker runs them while the stream is open, and while it is not.
      const enqueued = jobs.enqueueMany('resize', Array(count).fill(null));
      if (cut % 2 === 0) await enqueued;
      const until = page.known.size + Math.floor(random() * (count + 1));
      await page.read(() => page.known.size >= until);
      await enqueued;
    }
    await jobs.idle();
    const records = (await allBlocks(store, first))
      .flatMap((block) => recordsIn(block))
      .filter(({ event }) => event !== 'read')
      .map(({ id, revision }) => `${id}:${revision}`);
    await page.read(() => records.every((key) => page.known.has(key)));
    expect(records.length).toBeGreaterThan(CUTS * 3);
    expect(page.cuts).toBe(CUTS + 2);
    expect(page.repeated).toEqual([]);
  },
);

/** A page of the console: it connects again with its last id, and drops what it knows. */
class Page {
  readonly known = new Set<string>();
  /** Changes that came twice on one connection. */
  readonly repeated: string[] = [];
  after: number | undefined;
  cuts = 0;
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(url: string, token: string) {
    this.#url = `${url}/v1/changes`;
    this.#headers = { authorization: `Bearer ${token}` };
  }

  /** Reads until it holds, then cuts the connection, wherever it is. */
  read(isEnough: () => boolean): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const last = this.after === undefined ? {} : { 'last-event-id': String(this.after) };
    const own = new Set<string>();
    let text = '';
    const request = get(
      this.#url,
      { headers: { ...this.#headers, ...last }, agent: false },
      (answer) => {
        answer.setEncoding('utf8').on('data', (part: string) => {
          text += part;
          for (const event of take()) if (!this.#took(event, own) || isEnough()) return cut();
        });
        answer.on('error', () => undefined);
        if (isEnough()) cut();
      },
    );
    const take = (): readonly Change[] => {
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      return events.flatMap((event) => {
        const [, id, name = '', data = ''] =
          /^id: (\d+)\nevent: (\w+)\ndata: (.*)$/.exec(event) ?? [];
        return id === undefined ? [] : [{ id: Number(id), name, data: JSON.parse(data) }];
      });
    };
    const cut = () => {
      this.cuts += 1;
      request.destroy();
      resolve();
    };
    request.on('error', reject);
    return promise;
  }

  /** `false`: only the number of changes came. It connects again where it was, and reads them from the log. */
  #took({ id, name, data }: Change, own: Set<string>): boolean {
    if (name === 'counts') return false;
    this.after = id;
    if (name !== 'change') return true;
    const key = `${data.id}:${data.revision}`;
    if (own.has(key)) this.repeated.push(key);
    own.add(key);
    this.known.add(key);
    return true;
  }
}

async function allBlocks(store: FullStore, after: number) {
  const blocks: Awaited<ReturnType<FullStore['auditBlocks']>>[number][] = [];
  for (;;) {
    const page = await store.auditBlocks(blocks.at(-1)?.seq ?? after, 1_000);
    if (page.length === 0) return blocks;
    blocks.push(...page);
  }
}
