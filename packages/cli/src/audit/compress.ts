import type { Compressed } from '@redrive/durable/store';
import type { RunCommand } from '../command/command-spec.ts';
import { durationOption } from '../command/option-values.ts';
import { withStore } from '../store/with-store.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { wrapWords } from '../terminal/printable.ts';
import { progress } from '../terminal/progress.ts';

const DEFAULT_AGE_MS = 7 * 86_400_000;

export const runAuditCompress: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const sealedForMs = durationOption(options, 'olderThan') ?? DEFAULT_AGE_MS;
  const done = await withStore(invocation, async (store) => {
    const shown = progress(io, 'blocks');
    const sum = { packs: 0, blocks: 0, bytesBefore: 0, bytesAfter: 0 };
    try {
      for (;;) {
        const step: Compressed | undefined = await store.compress({ sealedForMs });
        if (step === undefined) return sum;
        sum.packs += 1;
        sum.blocks += step.blocks;
        sum.bytesBefore += step.bytesBefore;
        sum.bytesAfter += step.bytesAfter;
        shown.update(sum.blocks, undefined);
      }
    } finally {
      shown.end();
    }
  });
  const { packs, blocks, bytesBefore, bytesAfter } = done;
  if (options.json) {
    printJson(io, { packs, blocks, bytes_before: bytesBefore, bytes_after: bytesAfter });
  } else {
    printLines(io, wrapWords(textOf(done), io.screen.columns));
  }
};

function textOf({
  packs,
  blocks,
  bytesBefore,
  bytesAfter,
}: Compressed & { packs: number }): string {
  if (packs === 0) {
    return 'There is nothing to compress: full packs of 1,000 blocks only, and never the newest block.';
  }
  const n = (count: number) => count.toLocaleString('en');
  return `${n(blocks)} blocks are in ${n(packs)} ${packs === 1 ? 'pack' : 'packs'} now: ${n(bytesAfter)} bytes instead of ${n(bytesBefore)}.`;
}
