import { systemClock } from '@redrive/core';
import { foundDocument, newestSeq, RecordFilter } from '@redrive/durable/store';
import type { RunCommand } from '../command/command-spec.ts';
import { withReader } from '../store/with-audit.ts';
import { withStore } from '../store/with-store.ts';
import { writeExport } from '../terminal/export-target.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { printable, safeJson } from '../terminal/printable.ts';
import { progress } from '../terminal/progress.ts';
import { recordWishes } from './list.ts';

const PAGE = 100;

export const runAuditExport: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const nowMs = (io.clock ?? systemClock).now();
  const time = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '');
  const { name, records } = await withStore(invocation, async (store) => {
    const filter = new RecordFilter(store, recordWishes(options, nowMs));
    const newest = await newestSeq(store);
    const shown = progress(io, 'records');
    let count = 0;
    const writeAll = (write: (text: string) => Promise<void>) =>
      withReader(store, async (reader) => {
        for (let after = ''; ; ) {
          const blocks = await reader.blocks(after, PAGE);
          const last = blocks.at(-1);
          if (last === undefined || last.position <= after) return;
          after = last.position;
          const found = await filter.find(blocks);
          const lines = found.map((each) => `${safeJson(JSON.stringify(foundDocument(each)))}\n`);
          if (lines.length > 0) await write(lines.join(''));
          count += lines.length;
          shown.update(count, last.seq / newest);
        }
      });
    try {
      return {
        name: await writeExport(io, options, `audit-${time}.jsonl`, writeAll),
        records: count,
      };
    } finally {
      shown.end();
    }
  });
  if (name === '-') return;
  if (options.json) printJson(io, { file: name, records });
  else printLines(io, [printable(`${records.toLocaleString('en')} records are in ${name}.`)]);
};
