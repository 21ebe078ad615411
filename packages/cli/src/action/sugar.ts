import type { ActionName } from '@redrive/operate/manifest';
import type {
  ArgumentSpec,
  CommandSpec,
  Invocation,
  OptionEntry,
  RunCommand,
} from '../command/command-spec.ts';
import type { Renderer } from './renderer.ts';

/** What the command line adds to an action: words for people, and how an answer is shown. */
export interface Sugar
  extends Pick<
    CommandSpec,
    | 'aliases'
    | 'emergency'
    | 'examples'
    | 'exits'
    | 'name'
    | 'pages'
    | 'rows'
    | 'streams'
    | 'verdict'
  > {
  readonly action: ActionName;
  /** Another action, if this option is given, such as `holdOnly` for `park.endHold`. */
  readonly instead?: Readonly<Record<string, ActionName>>;
  /** Default: that of the action. */
  readonly summary?: string;
  /** Default: those of the action. */
  readonly details?: string;
  /** `<dependency>` is the field of that name. Without a summary it has that of the field. */
  readonly args?: readonly (Omit<ArgumentSpec, 'summary'> & { readonly summary?: string })[];
  /** `--credential <name>` is the field of that name, and has its summary and choices. */
  readonly options?: readonly OptionEntry[];
  /** Fields of options that have another name: `{ for: 'for_ms' }`. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Fields that no option sets: `{ state: 'open' }`. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** The input, where it is more than fields of that name. */
  readonly input?: (invocation: Invocation) => Readonly<Record<string, unknown>>;
  /** Fields of the JSON document that the renderer adds. */
  readonly json?: string;
  /** All fields of the JSON document. Default: those of the answer, and `json`. */
  readonly jsonFields?: string;
  /** It has the option `--watch`. */
  readonly watches?: true;
  /** It runs again until the answer is `finished`, or the time of `--timeout` is over. */
  readonly waits?: true;
  /** It creates a store that does not exist. */
  readonly creates?: true;
  readonly render?: () => Promise<Renderer>;
  /** The command, where it does more than to print the answer. */
  readonly run?: () => Promise<RunSugar>;
}

/** A command that runs its action itself. */
export type RunSugar = (sugar: Sugar, invocation: Invocation) => ReturnType<RunCommand>;

/** `<dependency>`, `[name]`, `<ids...>` */
export function nameOf(argument: string): string {
  return argument.replaceAll(/[<>[\].]/g, '').replaceAll('-', '_');
}

export function camel(word: string): string {
  return word.replaceAll(/[-_]([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
