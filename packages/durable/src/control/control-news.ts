import type { Notice } from '../worker/notice.ts';
import type { StoreTime } from '../worker/store-time.ts';
import type { ControlView } from './control-view.ts';

type News = Omit<Extract<Notice, { control: unknown }>, 'kind'>;

/** Tells operators what a worker has come to know: kill switches, pauses and gates that come and go. */
export class ControlNews {
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
    for (const [id, { news }] of this.#known) {
      if (!before.has(id)) this.#notify({ kind: 'control_seen', ...news });
    }
    for (const [id, { news, untilMs }] of before) {
      // That a gate has passed was known when it closed.
      if (!this.#known.has(id) && untilMs > nowMs) this.#notify({ kind: 'control_gone', ...news });
    }
  }
}

interface Known {
  readonly news: News;
  readonly untilMs: number;
}

/** By what makes each of them another one than before. */
function knownOf(view: ControlView): ReadonlyMap<string, Known> {
  const known = new Map<string, Known>();
  for (const { scope, name, sinceMs, by, why } of view.pauses) {
    const news: News = { control: 'pause', name: `${scope}:${name}`, by, why };
    known.set(`pause ${scope}:${name} ${sinceMs}`, { news, untilMs: Infinity });
  }
  for (const [name, { document }] of view.of('kill')) {
    const { by, why, sinceMs } = document;
    known.set(`kill ${name} ${sinceMs}`, {
      news: { control: 'kill', name, by, why },
      untilMs: Infinity,
    });
  }
  for (const [name, { document }] of view.of('gate')) {
    const { sinceMs, untilMs } = document;
    known.set(`gate ${name} ${sinceMs}`, { news: { control: 'gate', name }, untilMs });
  }
  return known;
}
