import type { Notice } from '../worker/notice.ts';
import type { StoreTime } from '../worker/store-contact.ts';
import type { ControlView } from './control-view.ts';

type Control = Omit<Extract<Notice, { control: unknown }>, 'kind'>;

/** Sends a notice for every kill switch, pause and gate that the worker sees for the first time, or no longer sees. */
export class ControlNotices {
  readonly #view: ControlView;
  readonly #time: StoreTime;
  readonly #notify: (notice: Notice) => void;
  #known: ReadonlyMap<string, Known> = new Map();

  constructor(view: ControlView, time: StoreTime, notify: (notice: Notice) => void) {
    this.#view = view;
    this.#time = time;
    this.#notify = notify;
    view.onChange(() => this.#look());
  }

  #look(): void {
    const before = this.#known;
    const nowMs = this.#time.nowMs();
    this.#known = knownOf(this.#view);
    for (const [id, { control, untilMs }] of this.#known) {
      // The document of a gate stays for a while after it has opened.
      if (before.has(id) || untilMs <= nowMs) continue;
      const opensInMs = untilMs === Infinity ? undefined : untilMs - nowMs;
      this.#notify({ kind: 'control_seen', ...control, opensInMs });
    }
    for (const [id, { control, untilMs }] of before) {
      // The notice about a closing gate has said when it ends.
      if (!this.#known.has(id) && untilMs > nowMs)
        this.#notify({ kind: 'control_gone', ...control });
    }
  }
}

interface Known {
  readonly control: Control;
  readonly untilMs: number;
}

/** By kind, name and start: an engaged, released and engaged switch is another one. */
function knownOf(view: ControlView): ReadonlyMap<string, Known> {
  const known = new Map<string, Known>();
  for (const [key, { document }] of view.of('kill')) {
    const { by, why, sinceMs } = document;
    const isPause = key.startsWith('pause:');
    const name = isPause ? key.slice(6).replace(/^operation:/u, 'handler:') : key;
    const control: Control = { control: isPause ? 'pause' : 'kill', name, by, why };
    known.set(`kill ${key} ${sinceMs}`, { control, untilMs: Infinity });
  }
  for (const [name, { document }] of view.of('gate')) {
    const { sinceMs, untilMs } = document;
    known.set(`gate ${name} ${sinceMs}`, { control: { control: 'gate', name }, untilMs });
  }
  return known;
}
