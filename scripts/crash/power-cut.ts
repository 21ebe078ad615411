import type { FileEvent } from './io-trace.ts';

/** A write of which nobody knows whether it has reached the disk. */
type Pending = Exclude<FileEvent, { kind: 'sync' | 'append' }>;

/** What is left of the pending writes when the power goes. */
export type Survivors =
  /** None: the file is as it was at its last sync. */
  | 'none'
  /** The first ones, the last of them in part. */
  | 'first'
  /** Any of them: a disk writes in the order that it likes. */
  | 'any';

const SECTOR = 512;

/** Files as a disk has them: what was synced, and what is on its way. */
export class Disk {
  readonly #synced = new Map<string, Buffer>();
  readonly #pending = new Map<string, Pending[]>();

  take(event: FileEvent): void {
    if (event.kind === 'append') return;
    const pending = this.#pending.get(event.file) ?? [];
    if (event.kind !== 'sync') {
      pending.push(event);
      this.#pending.set(event.file, pending);
      return;
    }
    let content = this.#synced.get(event.file) ?? Buffer.alloc(0);
    for (const each of pending) content = apply(content, each);
    this.#synced.set(event.file, content);
    this.#pending.delete(event.file);
  }

  /** The file after a power cut at this moment. */
  contentAfterCut(file: string, survivors: Survivors, random: () => number): Buffer {
    let content = this.#synced.get(file) ?? Buffer.alloc(0);
    for (const each of survivorsOf(this.#pending.get(file) ?? [], survivors, random)) {
      content = apply(content, each);
    }
    return content;
  }
}

function survivorsOf(
  pending: readonly Pending[],
  survivors: Survivors,
  random: () => number,
): readonly Pending[] {
  if (survivors === 'none') return [];
  if (survivors === 'any') return pending.filter(() => random() < 0.5);
  const count = Math.floor(random() * (pending.length + 1));
  const next = pending[count];
  const whole = pending.slice(0, count);
  return next?.kind === 'write' ? [...whole, torn(next, random)] : whole;
}

/** The beginning of a write, as sectors have it. */
function torn<W extends { readonly data: Buffer }>(write: W, random: () => number): W {
  const sectors = Math.floor((random() * write.data.length) / SECTOR);
  return { ...write, data: write.data.subarray(0, sectors * SECTOR) };
}

function apply(content: Buffer, event: Pending): Buffer {
  if (event.kind === 'truncate') {
    const { size } = event;
    return Buffer.concat([
      content.subarray(0, size),
      Buffer.alloc(Math.max(0, size - content.length)),
    ]);
  }
  const { at, data } = event;
  const end = at + data.length;
  const whole =
    end > content.length ? Buffer.concat([content, Buffer.alloc(end - content.length)]) : content;
  if (whole === content) {
    // A new one: an image that was handed out must stay as it is.
    const copy = Buffer.from(content);
    data.copy(copy, at);
    return copy;
  }
  data.copy(whole, at);
  return whole;
}
