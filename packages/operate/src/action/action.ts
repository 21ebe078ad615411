import type { ReadKind } from '@redrive/durable/store';
import * as z from 'zod';
import type { Context } from './context.ts';
import type { InputProblem } from './refusal.ts';
import type { Role } from './who.ts';

/** The result of an act on many items, which decides the exit code of its command. */
export type Verdict = 'ok' | 'partial' | 'no_match' | 'conflict' | 'failed' | 'differs';

/** What actions and streams have in common. `I` is the input as a zod object; flat, with a description of every field. */
interface Described<I extends z.ZodObject> {
  /** Its address in the HTTP API. GET reads, POST changes. */
  readonly at: `${'GET' | 'POST'} /v1/${string}`;
  /** One line, without a full stop. */
  readonly summary: string;
  /** Whole sentences beyond the summary: defaults, gotchas. */
  readonly details?: string;
  /** The lowest role that may call it. */
  readonly role: Role;
  /** The part of the store that it shows. The look is recorded before anything is read. */
  readonly reads?: ReadKind;
  /** It uses no store: the configuration alone, or the access file. The command opens a store for a record at most. */
  readonly uses?: 'config' | 'access';
  /** Data leaves the store: each look is recorded. */
  readonly exports?: true;
  /** A token of one tenant may call it: `run` puts the tenant into every filter. */
  readonly tenants?: true;
  /** It may read much of the store: a server runs at most two such requests at once. */
  readonly heavy?: true;
  /** A request over HTTP needs a reason. */
  readonly reason?: true;
  /** When it refuses, by the name of the exit code: for the help of its command. */
  readonly refusals?: Readonly<Partial<Record<'no_match' | 'refused' | 'conflict', string>>>;
  readonly input: I;
  /** Problems of fields together; each field's own are found by its schema. */
  readonly check?: (input: z.output<I>) => readonly InputProblem[];
  /** The part of the input that the record of the look has, if it is a POST. That of a GET has all of it. */
  readonly wishes?: (input: z.output<I>) => Readonly<Record<string, unknown>>;
}

/** One thing that an operator can look at or do, as data: command, route, client and reference are made from it. */
export interface Action<I extends z.ZodObject = z.ZodObject, A extends z.ZodObject = z.ZodObject>
  extends Described<I> {
  readonly kind: 'action';
  /** The whole answer, with a description of every field. */
  readonly answer: A;
  /** It changes something, and has `dry_run`. */
  readonly acts?: true;
  /** Pages request it repeatedly: one read of the store answers all of them for five seconds. */
  readonly polled?: true;
  /** A repetition with the same `Idempotency-Key` gets the stored answer. */
  readonly once?: true;
  /** Default: `ok`. */
  readonly verdict?: (answer: z.input<A>) => Verdict;
  readonly run: (context: Context, input: z.output<I>) => Promise<z.input<A>>;
}

/** An action that answers with one item after the other, sent as NDJSON. A refusal comes before the first item. */
export interface Stream<I extends z.ZodObject = z.ZodObject, A extends z.ZodObject = z.ZodObject>
  extends Described<I> {
  readonly kind: 'stream';
  /** One item. */
  readonly answer: A;
  /** It lasts as long as its reader wants. A server sends at most 20 of them at once, 4 of one caller. */
  readonly endless?: true;
  /** It has many small items: a server sends them together. */
  readonly dense?: true;
  readonly stream: (context: Context, input: z.output<I>) => AsyncIterable<z.input<A>>;
}

type Bivariant<T, K extends keyof T> = Omit<T, K> & {
  // biome-ignore lint/suspicious/noExplicitAny: each function takes what its own schema makes, which `action` has checked.
  readonly [P in K]?: any;
};

/** An action of any input and answer. */
export type AnyAction = Bivariant<Omit<Action, 'run'>, 'check' | 'wishes' | 'verdict'> & {
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  readonly run: (context: Context, input: any) => Promise<any>;
};
/** A stream of any input. */
export type AnyStream = Bivariant<Omit<Stream, 'stream'>, 'check' | 'wishes'> & {
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  readonly stream: (context: Context, input: any) => AsyncIterable<any>;
};

/** The input of an action as a caller writes it: fields with a default may be left out. */
export type InputOf<T extends { readonly input: z.ZodType }> = z.input<T['input']>;
/** The answer of an action. */
export type AnswerOf<T extends { readonly answer: z.ZodType }> = z.output<T['answer']>;

/** Ties `run` to input and answer. */
export function action<I extends z.ZodObject, A extends z.ZodObject>(
  spec: Omit<Action<I, A>, 'kind' | 'acts'>,
): Action<I, A> {
  return { kind: 'action', ...spec };
}

const DRY_INPUT = {
  dry_run: z
    .union([z.boolean(), z.stringbool()])
    .default(false)
    .meta({ 'x-notation': 'boolean', description: 'show what would change, and change nothing' }),
};
const DRY_ANSWER = { dry_run: z.boolean().describe('true: nothing was changed') };

type WithDryRun<T extends z.ZodObject, S extends z.ZodRawShape> = z.ZodObject<
  z.util.Extend<T['shape'], S>,
  T['_zod']['config']
>;

/** An action that changes something: with `dry_run` in its input it changes nothing, and the answer says so. */
export function act<I extends z.ZodObject, A extends z.ZodObject>(
  spec: Omit<Action<I, A>, 'kind' | 'acts' | 'run'> & {
    readonly run: (
      context: Context,
      input: z.output<I> & { readonly dry_run: boolean },
    ) => Promise<z.input<A>>;
  },
): Action<WithDryRun<I, typeof DRY_INPUT>, WithDryRun<A, typeof DRY_ANSWER>> {
  const { input, answer, run, ...rest } = spec;
  const made = {
    kind: 'action',
    acts: true,
    ...rest,
    input: input.extend(DRY_INPUT),
    answer: answer.extend(DRY_ANSWER),
    run: async (context: Context, given: z.output<I> & { readonly dry_run: boolean }) => ({
      ...(await run(context, given)),
      dry_run: given.dry_run,
    }),
  };
  // The compiler cannot see through `extend` of a schema that it does not know.
  return made as unknown as ReturnType<typeof act<I, A>>;
}

export function stream<I extends z.ZodObject, A extends z.ZodObject>(
  spec: Omit<Stream<I, A>, 'kind'>,
): Stream<I, A> {
  return { kind: 'stream', ...spec };
}
