import { systemClock } from '@redrive/core';
import type { RunCommand } from '../command/command-spec.ts';
import { withStore } from '../store/with-store.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { exportTarget } from '../terminal/export-target.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { printable, safeJson } from '../terminal/printable.ts';
import { progress } from '../terminal/progress.ts';
import { newestSeq } from './blocks-back.ts';
import { RecordFilter } from './record-filter.ts';
import { foundDocument } from './record-lines.ts';

const PAGE = 100;

/** `redrive audit export` */
export const runAuditExport: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const nowMs = (io.clock ?? systemClock).now();
  const time = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '');
  const { name, records } = await withStore(invocation, async (store) => {
    const filter = new RecordFilter(store, options, nowMs);
    const newest = await newestSeq(store);
    const target = await exportTarget(io, options, `audit-${time}.jsonl`);
    const shown = progress(io, 'records');
    const reader = await store.readAudit();
    let count = 0;
    try {
      for (let after = ''; ; ) {
        const blocks = await reader.blocks(after, PAGE);
        const last = blocks.at(-1);
        if (last === undefined || last.position <= after) break;
        after = last.position;
        const found = await filter.find(blocks);
        const lines = found.map((each) => `${safeJson(JSON.stringify(foundDocument(each)))}\n`);
        if (lines.length > 0) await target.write(lines.join(''));
        count += lines.length;
        shown.update(count, last.seq / newest);
      }
      await target.finish();
    } catch (error) {
      await target.abandon();
      throw error;
    } finally {
      shown.end();
      await reader.close();
    }
    return { name: target.name, records: count };
  });
  if (name === '-') return EXIT.ok;
  if (options.json) printJson(io, { file: name, records });
  else printLines(io, [printable(`${records.toLocaleString('en')} records are in ${name}.`)]);
  return EXIT.ok;
};
