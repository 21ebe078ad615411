import type { AnyAction, AnyStream } from './action/action.ts';
import { listGates, releaseGates } from './gate/gates.ts';

/** Everything that an operator can look at or do, by name: `gates.release`. The client has the same names. */
export const ACTIONS = {
  gates: { list: listGates, release: releaseGates },
} as const satisfies ActionList;

/** Actions by group and verb. */
export type ActionList = Readonly<Record<string, Readonly<Record<string, AnyAction | AnyStream>>>>;

/** Every action with its name. */
export function allActions(
  list: ActionList = ACTIONS,
): readonly (readonly [name: string, action: AnyAction | AnyStream])[] {
  return Object.entries(list).flatMap(([group, verbs]) =>
    Object.entries(verbs).map(([verb, each]) => [`${group}.${verb}`, each] as const),
  );
}

/** @throws Error for a name that is not in the list. */
export function actionNamed(name: string): AnyAction | AnyStream {
  const [group = '', verb = ''] = name.split('.');
  const list: ActionList = ACTIONS;
  const found = list[group]?.[verb];
  if (found === undefined) throw new Error(`There is no action ${name}`);
  return found;
}
