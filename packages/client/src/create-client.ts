import { type Actions, ADDRESSES } from './actions.ts';
import { type CallOptions, type ClientOptions, call, items } from './call.ts';

/**
 * A client of the HTTP API, with a function per action.
 *
 * ```ts
 * const client = createClient({ url: 'http://127.0.0.1:9480', token: process.env.REDRIVE_TOKEN });
 * await client.gates.release({ dependency: 'search', reason: 'limit was raised' });
 * ```
 */
export function createClient(options: ClientOptions): Actions {
  const groups: Record<string, Record<string, unknown>> = {};
  for (const [name, at] of Object.entries(ADDRESSES)) {
    const [group = '', verb = ''] = name.split('.');
    const own = groups[group] ?? {};
    groups[group] = own;
    const carryOut = at.startsWith('stream ') ? items : call;
    own[verb] = (input?: object, given?: CallOptions) => carryOut(options, at, input, given);
  }
  // The types and the addresses are written from the same list.
  return groups as unknown as Actions;
}
