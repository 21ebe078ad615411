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
  const groups = Object.entries(ADDRESSES).map(([group, verbs]) => [
    group,
    Object.fromEntries(
      Object.entries<string>(verbs).map(([verb, at]) => [verb, functionOf(options, at)]),
    ),
  ]);
  // The types and the addresses are written from the same list.
  return Object.fromEntries(groups) as Actions;
}

function functionOf(options: ClientOptions, at: string): unknown {
  const [, method = 'GET', path] = /^(?:([A-Z]+) )?(.*)$/.exec(at) ?? [];
  const carryOut = method === 'STREAM' ? items : call;
  const address = `${method === 'STREAM' ? 'GET' : method} /v1/${path}`;
  const run = (input?: object, given?: CallOptions) => carryOut(options, address, input, given);
  return Object.defineProperty(run, 'name', { value: address });
}
