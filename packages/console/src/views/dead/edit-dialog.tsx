import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { get, post } from '../../api.ts';
import { Button, Dialog, ErrorNotice, Field, Loaded, toast } from '../../components/index.ts';
import { whyNot } from '../../session.ts';
import { useAct, useQuery } from '../../use-query.ts';
import { shellWord } from './letter-words.ts';
import { noteRequeued } from './requeue-dialog.tsx';

interface EditDialogProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** Requeues a letter with another payload. The text is sent as it is: no number loses digits. */
export function EditDialog({ id, onClose }: EditDialogProps) {
  const text = useSignal('');
  const isLoaded = useRef(false);
  const why = useSignal('');
  const letter = useQuery(`edit ${id}`, async (abort) => {
    const [document, { text: payload }] = await Promise.all([
      get('/v1/dead-letters/:id', { id, payload: 'none' }, abort),
      get('/v1/dead-letters/:id/payload', { id, payload: 'full' }, abort),
    ]);
    // A second look does not replace what was typed.
    if (!isLoaded.current) text.value = payload;
    isLoaded.current = true;
    return { generation: document.redrive.generation, payload };
  });
  const act = useAct(async (generation: number) => {
    const reason = why.value.trim();
    await post('/v1/dead-letters/:id/edit', { id, generation, payload_text: text.value, reason });
    noteRequeued(id);
    toast('The letter is requeued with the new payload. The old one is kept.');
    onClose();
  });
  const problem = jsonProblem(text.value);
  const isSame = text.value === letter.data?.payload;
  const missing =
    whyNot('admin') ??
    (problem !== undefined
      ? 'The payload is not JSON.'
      : isSame
        ? 'The payload is unchanged.'
        : why.value.trim() === ''
          ? 'Say why: it is recorded.'
          : undefined);
  const submit = () => {
    if (missing === undefined && letter.data) act.run(letter.data.generation);
  };
  return (
    <Dialog
      wide
      title="Edit the payload and requeue"
      onClose={onClose}
      isDirty={!isSame || why.value !== ''}
      command={`redrive dlq edit ${shellWord(id)} --reason ${shellWord(why.value.trim() || '…')}`}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            primary
            type="submit"
            whyNot={missing}
            isPending={act.isPending}
            pending="Requeue requested…"
          >
            Requeue with this payload
          </Button>
        </>
      }
    >
      <p class="soft">
        The letter begins a new generation. The payload that you replace is kept with it.
      </p>
      <Loaded query={letter} title="The payload did not load." rows={6}>
        {() => <Field label="Payload" mono rows={14} value={text} error={problem} />}
      </Loaded>
      <Field label="Why" required value={why} note="required, recorded with your name" />
      {act.problem && <ErrorNotice problem={act.problem} title="Not requeued." />}
    </Dialog>
  );
}

function jsonProblem(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
