import type { AnyAction, AnyStream, Context } from '@redrive/operate';
import { once } from './once.ts';
import { remembered } from './remembered.ts';
import type { AnyRoute, Ask, Route } from './route.ts';

/** The route of an action, at its address. */
export function actionRoute(name: string, each: AnyAction | AnyStream): AnyRoute {
  const { at, summary, details, role, reads, exports, tenants, heavy, reason } = each;
  const { input, answer, wishes, check } = each;
  const [method, path] = at.split(' ') as [Route['method'], string]; // As its type says.
  return {
    ...{ name, method, path, summary, role, input, answer },
    ...(details !== undefined && { details }),
    ...(reads && { reads }),
    ...(exports && { exports }),
    ...(tenants && { tenants }),
    ...(heavy && { heavy }),
    ...(reason && { reason }),
    ...(wishes && { wishes }),
    ...(check && { check }),
    ...(each.kind === 'action' && each.polled && { polled: true }),
    ...(each.kind === 'stream' && { stream: 'application/x-ndjson' }),
    ...(each.kind === 'stream' && each.endless && { endless: true }),
    handle: (ask: Ask<unknown>) =>
      each.kind === 'action'
        ? repeated(each, ask, () => each.run(contextOf(ask), ask.input))
        : begun(each.stream(contextOf(ask), ask.input), each.dense ? BATCH : 0),
  };
}

/** A dry run is no change, so its answer is not kept. */
function repeated(each: AnyAction, ask: Ask<unknown>, run: () => Promise<unknown>) {
  const { dry_run: dryRun } = Object(ask.input) as { readonly dry_run?: boolean }; // As `act` makes it.
  return each.once && !dryRun ? once(ask, ask.input, run) : run();
}

function contextOf(ask: Ask<unknown>): Context {
  const { store, clock, config, sweeps, access, doctor, who, actor, givenUp, changes } = ask;
  const { warn, asOf } = ask;
  return {
    ...{ store, clock, sweeps, doctor, who, actor, warn, asOf },
    access: async () => access,
    config: async () => config,
    signal: givenUp,
    server: changes,
    remember: (key, read) => remembered(store, key, clock.now(), read),
  };
}

/** Characters of small items that are sent at once. */
const BATCH = 64 * 1_024;

/**
 * Waits for the first item, so that a refusal becomes a problem document. An empty line follows the last item: without it
 * a stream that a proxy cuts would look complete.
 *
 * @param least characters that are sent at once.
 */
async function begun(items: AsyncIterable<unknown>, least: number): Promise<AsyncIterable<string>> {
  const iterator = items[Symbol.asyncIterator]();
  const first = await iterator.next();
  return (async function* () {
    try {
      let text = '';
      for (let next = first; !next.done; next = await iterator.next()) {
        text += `${lineOf(next.value)}\n`;
        if (text.length < least) continue;
        yield text;
        text = '';
      }
      yield `${text}\n`;
    } finally {
      await iterator.return?.();
    }
  })();
}

/** A saved file may be shown on a terminal: characters that move its cursor or hide text are escaped as well. */
function lineOf(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
