import { action } from '../action/action.ts';
import { REPLAY_SESSION } from './replay-session.ts';

export const AUDIT = {
  replay: action({ ...REPLAY_SESSION, at: 'GET /v1/audit/replay/:id' }),
};
