import type { Clock } from '@redrive/core';
import type { Compressed, CompressOptions } from '@redrive/durable/store';
import type { Caller } from '../thread/caller.ts';
import type { PreparedPack } from './compressor.ts';

/** One step of compressing the audit log: the reading thread makes a pack, the writing thread stores it. */
export async function askCompress(
  { reader, writer, clock }: { reader: Caller; writer: Caller; clock: Clock | undefined },
  options: CompressOptions,
): Promise<Compressed | undefined> {
  const input = { options, nowMs: clock?.now() };
  const prepared = await reader.call<PreparedPack | undefined>('preparePack', input);
  if (prepared === undefined) return undefined;
  const isWritten = await writer.call<boolean>('compress', prepared.pack);
  return isWritten ? prepared.compressed : undefined;
}
