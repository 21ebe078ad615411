import {
  type ActionName,
  isRefusal,
  MANIFEST,
  type ManifestEntry,
} from '@redrive/operate/manifest';
import type { Invocation } from '../command/command-spec.ts';
import { CliError, EXIT, type ExitCode } from '../terminal/exit-codes.ts';
import { note, printJson, printJsonLine } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { printList } from '../terminal/table.ts';
import type { Call, Place, Ran } from './place.ts';
import type { Renderer, Shown } from './renderer.ts';
import { camel, nameOf, type Sugar } from './sugar.ts';

/** Runs an action on the store or on the server that the invocation means, and prints the answer. */
export async function runAction(
  sugar: Sugar,
  renderer: Renderer,
  invocation: Invocation,
): Promise<ExitCode> {
  const name = actionOf(sugar, invocation);
  const { io, options } = invocation;
  const shown = (ran: Ran) => ({ ...ran, invocation, io, options });
  const place = await inWords(sugar, () => placeOf(name, sugar, invocation));
  try {
    if (sugar.watches && options.watch === true) {
      const { watch } = await import('./watch.ts');
      return await watch(invocation, place.run, (ran) => show(renderer, shown(ran), true));
    }
    const ran = await inWords(sugar, async () => {
      if (!sugar.waits) return place.run();
      const { untilFinished } = await import('./until-finished.ts');
      const input = inputOf(sugar, name, invocation);
      return untilFinished(invocation, (more) => place.run({ input: { ...input, ...more } }));
    });
    show(renderer, shown(ran));
    const entry: ManifestEntry = MANIFEST[name];
    if (!entry.verdict) return EXIT.ok;
    const { verdictOf } = await import('./verdict.ts');
    return EXIT[await verdictOf(name, ran.answer)];
  } finally {
    await place.close();
  }
}

/** Opens the store or the server that the invocation means. */
export async function placeOf(
  name: ActionName,
  sugar: Sugar,
  invocation: Invocation,
  input = inputOf(sugar, name, invocation),
): Promise<Place> {
  const { serverOf } = await import('./server-of.ts');
  const server = serverOf(invocation);
  if (server === undefined) {
    const { placeOnStore } = await import('./run-on-store.ts');
    return placeOnStore(name, input, { invocation, creates: sugar.creates === true });
  }
  const { placeOnServer } = await import('./run-on-server.ts');
  const { acts }: ManifestEntry = MANIFEST[name];
  if (server.context !== undefined && acts && !invocation.options.json) {
    note(invocation.io, `Context ${server.context}: ${printable(server.url)}`);
  }
  return placeOnServer(name, input, { invocation, server });
}

/** Reports problems of the input by the names of arguments and options instead of fields. */
export async function inWords<T>(sugar: Sugar, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw isRefusal(error) && error.problems.length > 0 ? usageError(error, sugar) : error;
  }
}

/** The items of a stream, which have the type `Item`: that of the answers of the action. */
export async function* itemsOf<Item>(
  sugar: Sugar,
  place: Place,
  call?: Call,
): AsyncGenerator<Item> {
  const items = place.items(call)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await inWords(sugar, () => items.next());
      if (done) return;
      yield value as Item;
    }
  } finally {
    await items.return?.();
  }
}

/** @param isLine JSON on one line. */
function show(
  renderer: Renderer,
  shown: Shown<Readonly<Record<string, unknown>>>,
  isLine = false,
): void {
  const { invocation, io, options, answer } = shown;
  if (renderer.kind === 'list') {
    const { name, ...list } = renderer.list(shown);
    const { [name]: items, next, ...beside } = answer;
    printList(invocation, {
      ...list,
      ...{ name, beside },
      items: items as readonly object[], // The field of a list.
      document: (item) => item,
      next: typeof next === 'string' ? next : undefined,
    });
  } else if (options.json) {
    const print = isLine ? printJsonLine : printJson;
    print(io, { ...answer, ...renderer.beside?.(shown) });
  } else renderer.print(shown);
}

function actionOf({ action, instead = {} }: Sugar, { options }: Invocation): ActionName {
  for (const [option, other] of Object.entries(instead)) if (options[option]) return other;
  return action;
}

/** Texts as they were typed: the schema of the action reads them, here or on the server. */
export function inputOf(
  sugar: Sugar,
  name: ActionName,
  invocation: Invocation,
): Readonly<Record<string, unknown>> {
  const { args, options } = invocation;
  const { fields = {}, fixed } = sugar;
  const entry: ManifestEntry = MANIFEST[name];
  const optionOfField = new Map(Object.entries(fields).map(([option, field]) => [field, option]));
  const own = entry.input.flatMap((field) => {
    const at = (sugar.args ?? []).findIndex((each) => nameOf(each.name) === field.name);
    const isLast = sugar.args?.[at]?.name.includes('...') === true;
    const given =
      at >= 0
        ? isLast
          ? args.slice(at)
          : args[at]
        : options[optionOfField.get(field.name) ?? camel(field.name)];
    return given === undefined ? [] : [[field.name, given] as const];
  });
  return {
    ...Object.fromEntries(own),
    ...fixed,
    ...sugar.input?.(invocation),
    ...(entry.acts && { dry_run: options.dryRun === true }),
  };
}

interface Problems {
  readonly problems: readonly {
    readonly field: string;
    readonly message: string;
    readonly hint?: string | undefined;
  }[];
}

/** The error for these problems, by the names of arguments and options. */
function usageError({ problems }: Problems, { args = [], fields = {} }: Sugar): CliError {
  const words = problems.map(({ field, message }) => {
    if (/^[A-Z]/.test(message)) return message;
    const argument = args.find((each) => nameOf(each.name) === field);
    const [option = field] = Object.entries(fields).find(([, name]) => name === field) ?? [];
    const flag = option
      .replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
      .replaceAll('_', '-');
    return `${argument?.name ?? `--${flag}`} ${message}`;
  });
  return new CliError(
    'usage',
    printable(words.join('\n')).replaceAll('\\x0a', '\n'),
    problems[0]?.hint,
  );
}
