import { signal } from '@preact/signals';
import type { DeadLettersEditAnswer, JobsRetryAnswer } from '@redrive/client';
import { commandText } from '@redrive/core/fields';
import { client, RedriveClientError } from '../../api.ts';
import { ActDialog, Dialog, Effect, Id, jsonProblem, Loaded } from '../../components/index.ts';
import { setParams } from '../../router.ts';
import { useQuery, useRead } from '../../use-query.ts';
import { verdictOf } from './letter-words.ts';

/** Letters whose requeue the store has confirmed, until the list is read again. */
export const requeued = signal<ReadonlySet<string>>(new Set());

function noteRequeued(id: string): void {
  requeued.value = new Set([...requeued.value, id]);
}

/** Requeues one letter. */
export function RequeueDialog({ id }: { readonly id: string }) {
  const { data } = useRead(client.deadLetters.show, { id });
  const shows = (
    <Effect
      lines={[
        [
          '1',
          <>
            {data?.redrive.origin.handler} <Id of={id} />
            {data && <span class="l2">{`${data.last_error}. ${verdictOf(data)}`}</span>}
          </>,
        ],
      ]}
    />
  );
  return (
    <ActDialog
      onDone={() => noteRequeued(id)}
      act={() => ({
        title: 'Requeue the dead letter',
        lede: 'The letter begins a new generation with all its attempts. Its history stays.',
        ...{ button: 'Requeue 1' },
        command: commandText`redrive dlq requeue ${id}`,
        run: (why) => client.jobs.retry({ ...why, ids: [id] }),
        said: checkDone,
        shows,
      })}
    />
  );
}

/** @throws if the store refused it: then the dialog stays and says why. */
function checkDone(answer: unknown): string {
  const [outcome] = (answer as JobsRetryAnswer).jobs; // The document of this route.
  if (outcome?.done) return 'The letter is requeued.';
  const detail = `The letter was not requeued: ${outcome?.note ?? 'it is gone'}.`;
  throw new RedriveClientError({ code: 'refused', detail }, 0);
}

/** @throws RedriveClientError if the letter was changed in the meantime. */
function checkEdited(answer: unknown): string {
  const { done, refusals } = answer as DeadLettersEditAnswer; // Of this action.
  if (done > 0) return 'The letter is requeued with the new payload. The old one is kept.';
  const detail = `The letter was not requeued: ${refusals[0]?.note ?? 'it is gone'}.`;
  throw new RedriveClientError({ code: 'changed', detail }, 0);
}

/** Requeues a letter with another payload. The text is sent as it is: no number loses digits. */
export function EditDialog({ id }: { readonly id: string }) {
  const query = useQuery(`edit ${id}`, async (abort) => {
    const [{ redrive }, { text }] = await Promise.all([
      client.deadLetters.show({ id, payload: 'none' }, { signal: abort }),
      client.deadLetters.payload({ id, payload: 'full' }, { signal: abort }),
    ]);
    return { generation: redrive.generation, text };
  });
  const { data } = query;
  const title = 'Edit the payload and requeue';
  if (data === undefined) {
    return (
      <Dialog title={title} wide onClose={() => setParams({ act: undefined })}>
        <Loaded query={query} title="The payload did not load." rows={6}>
          {() => null}
        </Loaded>
      </Dialog>
    );
  }
  return (
    <ActDialog
      wide
      questions={[{ name: 'text', label: 'Payload', first: data.text, as: 'json' }]}
      onDone={() => noteRequeued(id)}
      act={({ text = '' }) => ({
        title,
        lede: 'The letter begins a new generation. The payload that you replace is kept with it.',
        role: 'admin',
        needsReason: true,
        missing: jsonProblem(text)
          ? 'The payload is not JSON.'
          : text === data.text.trim()
            ? 'The payload is unchanged.'
            : undefined,
        button: 'Requeue with this payload',
        command: commandText`redrive dlq edit ${id}`,
        run: ({ reason = '' }) =>
          client.deadLetters.edit({
            reason,
            ...{ id, generation: data.generation, payload_text: text },
          }),
        said: checkEdited,
      })}
    />
  );
}
