import * as z from 'zod';
import { type AnyRoute, route } from '../route.ts';

/** Server-sent events are for browsers; programs read `GET /v1/audit/tail`. */
export const LOOK_ROUTES: readonly AnyRoute[] = [
  route({
    at: 'GET /v1/changes',
    summary:
      'changes as they are recorded, as server-sent events; Last-Event-ID continues ten seconds earlier',
    role: 'viewer',
    reads: 'sessions',
    tenants: true,
    input: z.strictObject({}),
    answer: z.looseObject({
      event: z.string().describe('what happened, as in `GET /v1/audit`'),
      id: z.string().describe('of the job or of what was changed'),
      revision: z.number().describe('its revision after that'),
    }),
    stream: 'text/event-stream',
    handle: ({ changes, who, connection }) => {
      const { lastEventId = '', closed } = connection;
      const after = /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : undefined;
      const owner = `${who.by}:${who.name}`;
      const listener = { tenant: who.tenant, owner, closed, cut: () => connection.cut() };
      return changes.open(listener, after);
    },
  }),
];
