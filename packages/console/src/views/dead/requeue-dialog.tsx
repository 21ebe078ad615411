import { signal } from '@preact/signals';
import type { JobActs } from '@redrive/server/client';
import { ApiProblem, get } from '../../api.ts';
import { Id } from '../../components/index.ts';
import { useQuery } from '../../use-query.ts';
import { ActDialog } from '../control/act-dialog.tsx';
import { shellWord, verdictOf } from './letter-words.ts';

/** Letters whose requeue the store has confirmed, until the list is read again. */
export const requeued = signal<ReadonlySet<string>>(new Set());

export function noteRequeued(id: string): void {
  requeued.value = new Set([...requeued.value, id]);
}

/** Requeues one letter. */
export function RequeueDialog({ id }: { readonly id: string }) {
  const { data } = useQuery(`letter ${id}`, (abort) => get('/v1/dead-letters/:id', { id }, abort));
  return (
    <ActDialog
      onDone={() => noteRequeued(id)}
      act={() => ({
        title: 'Requeue the dead letter',
        lede: 'The letter begins a new generation with all its attempts. Its history stays.',
        role: 'operator',
        isPlain: true,
        button: 'Requeue 1',
        command: `redrive dlq requeue ${shellWord(id)}`,
        path: '/v1/jobs/retry',
        body: { ids: [id] },
        said: checkDone,
        shows: (
          <ul class="effect">
            <li>
              <b>1</b>
              <span>
                {data?.redrive.origin.handler} <Id of={id} />
                {data && <span class="l2">{`${data.last_error}. ${verdictOf(data)}`}</span>}
              </span>
            </li>
          </ul>
        ),
      })}
    />
  );
}

/** @throws ApiProblem if the store refused it: then the dialog stays and says why. */
function checkDone(answer: unknown): string {
  const [outcome] = (answer as JobActs).jobs; // The document of this route.
  if (outcome?.done) return 'The letter is requeued.';
  const detail = `The letter was not requeued: ${outcome?.note ?? 'it is gone'}.`;
  throw new ApiProblem({ status: 409, code: 'refused', detail });
}
