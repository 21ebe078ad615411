import { systemClock } from '@redrive/core';
import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { inWords, itemsOf, placeOf } from '../action/run-action.ts';
import type { RunSugar } from '../action/sugar.ts';
import { writeExport } from '../terminal/export-target.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { printable, safeJson } from '../terminal/printable.ts';
import { progress } from '../terminal/progress.ts';

type Item = AnswerOf<typeof ACTIONS.audit.export>;

export const runAuditExport: RunSugar = async (sugar, invocation) => {
  const { io, options } = invocation;
  const nowMs = (io.clock ?? systemClock).now();
  const time = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '');
  const place = await inWords(sugar, () => placeOf(sugar.action, sugar, invocation));
  const shown = progress(io, 'records');
  let count = 0;
  try {
    const name = await writeExport(io, options, `audit-${time}.jsonl`, async (write) => {
      for await (const { records, share } of itemsOf<Item>(sugar, place)) {
        const lines = records.map((each) => `${safeJson(JSON.stringify(each))}\n`);
        if (lines.length > 0) await write(lines.join(''));
        count += lines.length;
        shown.update(count, share);
      }
    });
    if (name === '-') return;
    if (options.json) printJson(io, { file: name, records: count });
    else printLines(io, [printable(`${count.toLocaleString('en')} records are in ${name}.`)]);
  } finally {
    shown.end();
    await place.close();
  }
};
